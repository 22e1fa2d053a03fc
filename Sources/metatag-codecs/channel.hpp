#pragma once

#include "answer.hpp"
#include "wire.hpp"

/// The socket to the client, descriptor 0. Whatever breaks on it ends the process: there is nobody left to tell.
class Channel {
 public:
  /// Waits for a request. Its descriptors are closed when the next one is received.
  wire::Request receive();
  /// The descriptor of one of the request's blocks.
  int descriptor(size_t block) const { return descriptors_[block]; }
  void send(wire::Status status, const void *bytes, size_t count);

 private:
  int descriptors_[wire::most_blocks] = {-1, -1, -1};
};
