#pragma once

#include <cstddef>
#include <cstdint>

#include "wire.hpp"

/// A read-only view of part of a file. If the file is truncated meanwhile, reading ends this process (SIGBUS) and no
/// other, which is why files are mapped here.
class Mapping {
 public:
  Mapping(int descriptor, wire::Block block);
  ~Mapping();
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  /// Null if the block doesn't fit into memory.
  const uint8_t *data() const { return pages_ ? pages_ + skipped_ : nullptr; }

 private:
  uint8_t *pages_ = nullptr;
  size_t skipped_ = 0;
  size_t count_ = 0;
};
