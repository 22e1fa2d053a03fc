#include "csys_memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

int csys_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

void csys_large_pages(void *start, unsigned long count) {
  const uintptr_t size = 2 << 20;
  uintptr_t first = ((uintptr_t)start + size - 1) / size * size, end = ((uintptr_t)start + count) / size * size;
  if (start && first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

const void *csys_memmem(const void *bytes, size_t count, const void *pattern, size_t pattern_count) {
  return memmem(bytes, count, pattern, pattern_count);
}

size_t csys_close_sets(const uint32_t *sets, size_t count, uint32_t set, int edits, uint32_t *found) {
  enum { width = 16 };
  size_t filled = 0;
  size_t at = 0;
  for (; at + width <= count; at += width) {
    // Without branches, so that the compiler compares several sets at once.
    uint32_t rests[width];
    uint32_t close = 0;
    for (int lane = 0; lane < width; lane++) {
      uint32_t more = sets[at + lane] & ~set;
      uint32_t fewer = set & ~sets[at + lane];
      more &= more - 1;
      fewer &= fewer - 1;
      if (edits > 1) {
        more &= more - 1;
        fewer &= fewer - 1;
      }
      rests[lane] = more | fewer;
      close |= rests[lane] == 0;
    }
    if (!close) continue;
    for (int lane = 0; lane < width; lane++) {
      if (rests[lane] == 0) found[filled++] = (uint32_t)(at + lane);
    }
  }
  for (; at < count; at++) {
    uint32_t more = sets[at] & ~set;
    uint32_t fewer = set & ~sets[at];
    for (int edit = 0; edit < edits; edit++) {
      more &= more - 1;
      fewer &= fewer - 1;
    }
    if ((more | fewer) == 0) found[filled++] = (uint32_t)at;
  }
  return filled;
}
