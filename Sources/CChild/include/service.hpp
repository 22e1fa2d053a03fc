#pragma once

#include "answer.hpp"
#include "channel.hpp"
#include "sandbox.hpp"
#include "wire.hpp"

/// A program that reads untrusted data with C and C++ libraries, so that a crash or an exploit affects one photo only.
/// Descriptor 0 is a socket to the client; see wire.hpp.
struct Service {
  /// The prefix of its error messages.
  const char *name;
  Purpose purpose;
  /// Does everything that needs files, before they become inaccessible.
  void (*warm_up)();
  /// The codings it can decode and encode, as sets of `cpictures_coding`; null for none.
  uint32_t (*decoders)();
  uint32_t (*encoders)();
  /// Answers a request. Unless the result is `done`, `reason` explains it.
  wire::Status (*answer)(const Channel &, const wire::Request &, Answer &, char (&reason)[256]);

  /// Locks the process in, and answers requests until the client is gone. The `main` of such a program.
  int run(int count, char **arguments) const;
};
