#pragma once
#include <stddef.h>
#include <stdint.h>

// memfd_create(2) with MFD_CLOEXEC: a file in memory; -1 and errno on failure.
int csys_memfd(const char *name);

// Asks for large pages, which need fewer lookups. The system may refuse.
void csys_large_pages(void *start, unsigned long count);

// Lets all threads allocate from so many heaps. With one for each thread, what is freed in one isn't used by the others.
void csys_limit_heaps(int count);

// Gives memory that was freed back to the system.
void csys_return_memory(void);

// Prefetches an address into the cache. Any address is allowed.
static inline void csys_prefetch(const void *address) { __builtin_prefetch(address); }

// memmem(3), which Swift's Glibc module lacks.
const void *csys_memmem(const void *bytes, size_t count, const void *pattern, size_t pattern_count);
