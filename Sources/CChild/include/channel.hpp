#pragma once

#include <memory>

#include "answer.hpp"
#include "wire.hpp"

/// The socket to the client, descriptor 0. Whatever breaks on it ends the process: there is nobody left to tell.
class Channel {
 public:
  /// Waits for a request. Its descriptors are closed when the next one is received, its bytes overwritten.
  wire::Request receive();
  /// What followed the request: its blocks, one after the other.
  const uint8_t *bytes() const { return bytes_.get(); }
  /// The descriptor of one of the request's blocks.
  int descriptor(size_t block) const { return descriptors_[block]; }
  void send(wire::Status status, const void *bytes, size_t count);

 private:
  static constexpr size_t most_bytes = wire::most_blocks * wire::longest_block;
  int descriptors_[wire::most_blocks] = {-1, -1, -1};
  std::unique_ptr<uint8_t[]> bytes_{new uint8_t[most_bytes]};
};
