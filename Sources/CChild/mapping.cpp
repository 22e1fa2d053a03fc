#include "mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

Mapping::Mapping(int descriptor, wire::Block block) {
  constexpr uint64_t page = 65536;  // a multiple of every page size on Linux
  skipped_ = block.offset % page;
  if (block.count == 0 || block.count > SIZE_MAX - skipped_ || block.offset > INT64_MAX) return;
  count_ = block.count + skipped_;
  // exiv2's MemIo writes through its const input if asked to write: read-only pages turn that into a crash.
  void *pages = mmap(
      nullptr, count_, PROT_READ, MAP_PRIVATE, descriptor, static_cast<off_t>(block.offset - skipped_));
  if (pages != MAP_FAILED) pages_ = static_cast<uint8_t *>(pages);
}

Mapping::~Mapping() {
  if (pages_) munmap(pages_, count_);
}
