package engine

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>

// XLA takes and frees tens of megabytes at every update. By default glibc maps and unmaps them, so the kernel zeroes the
// same pages again and again; and each of XLA's threads keeps freed memory to itself.
static void keep_freed_memory(void) {
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_ARENA_MAX, 2);
}
#else
static void keep_freed_memory(void) {}
#endif
*/
import "C"

// keepFreedMemory has the C library keep memory that XLA frees for what XLA takes next, where it is glibc. Measured on training the
// default models: up to an eighth less time an update, and a third less memory at the peak.
func keepFreedMemory() { C.keep_freed_memory() }
