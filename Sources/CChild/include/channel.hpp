#pragma once

#include <memory>

#include "answer.hpp"
#include "wire.hpp"

/// The socket to the client, descriptor 0. Any error on it ends the process, because there is no one left to report it
/// to.
class Channel {
 public:
  /// Waits for a request. The next call closes its descriptors and overwrites its bytes.
  wire::Request receive();
  /// The bytes that followed the request: its blocks, one after another.
  const uint8_t *bytes() const { return bytes_.get(); }
  /// The descriptor of one of the request's blocks.
  int descriptor(size_t block) const { return descriptors_[block]; }
  void send(wire::Status status, const void *bytes, size_t count);

 private:
  static constexpr size_t most_bytes = wire::most_blocks * wire::longest_block;
  int descriptors_[wire::most_blocks] = {-1, -1, -1};
  std::unique_ptr<uint8_t[]> bytes_{new uint8_t[most_bytes]};
};
