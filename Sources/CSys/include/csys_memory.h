#pragma once
#include <stddef.h>

// memfd_create(2) with MFD_CLOEXEC: a file in memory, -1 and errno when it can't be had.
int csys_memfd(const char *name);

// Asks the system for large pages where `count` bytes at `start` fill some: fewer of them are looked up. It may have none.
void csys_large_pages(void *start, unsigned long count);

// Asks the processor to have what stands there at hand soon. Any address will do.
static inline void csys_prefetch(const void *address) { __builtin_prefetch(address); }

// memmem(3), which Swift's Glibc module doesn't have.
const void *csys_memmem(const void *bytes, size_t count, const void *pattern, size_t pattern_count);
