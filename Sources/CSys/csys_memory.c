#include "csys_memory.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

int csys_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

void csys_large_pages(void *start, unsigned long count) {
  const uintptr_t size = 2 << 20;
  uintptr_t first = ((uintptr_t)start + size - 1) / size * size, end = ((uintptr_t)start + count) / size * size;
  if (start && first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void csys_limit_heaps(int count) { mallopt(M_ARENA_MAX, count); }

void csys_return_memory(void) { malloc_trim(0); }

const void *csys_memmem(const void *bytes, size_t count, const void *pattern, size_t pattern_count) {
  return memmem(bytes, count, pattern, pattern_count);
}
