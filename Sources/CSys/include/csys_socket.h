/// A child process that serves on a socket, and descriptors sent to it. Every function returns -errno when it fails.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Starts `program` without arguments, with an empty environment, all signals at their defaults, and one end of a new
/// stream socket as its descriptor 0. The other end, closed on exec, becomes `*socket`.
int32_t csys_spawn_on_socket(const char *program, int *socket);

/// Sends all of `bytes`, and with the first of them `descriptors` (at most 4).
int csys_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

#pragma clang assume_nonnull end
