#include "descent.h"

#ifdef __SSE__
#include <xmmintrin.h>
#else
#include <math.h>
#endif

// What a loop of descent_adam takes at once, in the processor's nearest memory; a multiple of 4.
enum { BLOCK = 256 };

// roots takes the square roots of BLOCK values. A compiler that must set errno for negative ones would take them one by one.
static void roots(float *x) {
#ifdef __SSE__
	for (int k = 0; k < BLOCK; k += 4) {
		_mm_storeu_ps(x + k, _mm_sqrt_ps(_mm_loadu_ps(x + k)));
	}
#else
	for (int k = 0; k < BLOCK; k++) {
		x[k] = sqrtf(x[k]);
	}
#endif
}

double descent_squares(size_t n, const float *restrict a, const float *restrict b) {
	double sums[4] = {0}; // which do not wait for each other
	size_t k = 0;
	for (; k + 4 <= n; k += 4) {
		for (int i = 0; i < 4; i++) {
			double g = a[k + i] + b[k + i];
			sums[i] += g * g;
		}
	}
	for (; k < n; k++) {
		double g = a[k] + b[k];
		sums[0] += g * g;
	}
	return sums[0] + sums[1] + sums[2] + sums[3];
}

void descent_plain(size_t n, float *restrict w, const float *restrict a, const float *restrict b, float rate) {
	for (size_t k = 0; k < n; k++) {
		w[k] -= rate * (a[k] + b[k]);
	}
}

void descent_adam(size_t n, float *restrict w, float *restrict m, float *restrict v, const float *restrict a, const float *restrict b, float scale, float step, float grown) {
	float root[BLOCK] = {0};
	for (size_t begin = 0; begin < n; begin += BLOCK) {
		size_t end = n - begin < BLOCK ? n : begin + BLOCK;
		for (size_t k = begin; k < end; k++) {
			float g = scale * (a[k] + b[k]);
			m[k] = 0.9f * m[k] + 0.1f * g;
			v[k] = 0.999f * v[k] + 0.001f * g * g;
			root[k - begin] = grown * v[k];
		}
		roots(root);
		for (size_t k = begin; k < end; k++) {
			w[k] -= step * m[k] / (root[k - begin] + 1e-7f);
		}
	}
}
