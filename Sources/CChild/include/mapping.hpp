#pragma once

#include <cstddef>
#include <cstdint>

#include "wire.hpp"

/// A read-only view of part of a file. If someone cuts the file short meanwhile, looking there ends this process
/// (SIGBUS) and no other, which is why it is done here.
class Mapping {
 public:
  Mapping(int descriptor, wire::Block block);
  ~Mapping();
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  /// Null when the block doesn't fit into this process' memory.
  const uint8_t *data() const { return pages_ ? pages_ + skipped_ : nullptr; }

 private:
  uint8_t *pages_ = nullptr;
  size_t skipped_ = 0;
  size_t count_ = 0;
};
