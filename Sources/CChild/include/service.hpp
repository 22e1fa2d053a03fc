#pragma once

#include "answer.hpp"
#include "channel.hpp"
#include "sandbox.hpp"
#include "wire.hpp"

/// A program that reads foreign bytes with C and C++ libraries for metatag, where a crash or a takeover costs one photo
/// and nothing else. Descriptor 0 is a socket to the client; see wire.hpp.
struct Service {
  /// What is printed before its errors.
  const char *name;
  Purpose purpose;
  /// Does everything that needs files, before they are out of reach.
  void (*warm_up)();
  /// What it can decode and encode, sets of `cpictures_coding`; null for nothing.
  uint32_t (*decoders)();
  uint32_t (*encoders)();
  /// Answers a request. Unless the result is `done`, `reason` says why.
  wire::Status (*answer)(const Channel &, const wire::Request &, Answer &, char (&reason)[256]);

  /// Locks the process in, and answers requests until there is no client. `main` of such a program.
  int run(int count, char **arguments) const;
};
