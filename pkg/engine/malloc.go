package engine

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>

// XLA takes and frees a hundred megabytes at every update. By default glibc maps and unmaps them, so the kernel zeroes the same pages again
// and again. Only the main arena can be kept from it altogether: of any other, what is larger than its heaps (64 MB) is mapped all the same, and a heap
// that has become free is unmapped. With one arena, though, the threads of XLA's compiler wait for each other in malloc, a third of their time. So there are two.
// This runs when the program is loaded, before the first thread can have an arena of its own.
__attribute__((constructor)) static void keep_freed_memory(void) {
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_ARENA_MAX, 2);
}
#endif
*/
import "C"
