#ifndef SEQ2ATTN_DESCENT_H
#define SEQ2ATTN_DESCENT_H

#include <stddef.h>

double descent_squares(size_t n, const float *a, const float *b);
void descent_plain(size_t n, float *w, const float *a, const float *b, float rate);
void descent_adam(size_t n, float *w, float *m, float *v, const float *a, const float *b, float scale, float step, float grown);

#endif
