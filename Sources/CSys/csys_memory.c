#include "csys_memory.h"

#include <stdint.h>
#include <sys/mman.h>

int csys_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

void csys_large_pages(void *start, unsigned long count) {
  const uintptr_t size = 2 << 20;
  uintptr_t first = ((uintptr_t)start + size - 1) / size * size, end = ((uintptr_t)start + count) / size * size;
  if (start && first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}
