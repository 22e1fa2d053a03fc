/// A child process that serves on a socket, and file descriptors sent to it. Every function returns -errno on failure.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Starts `program` without arguments, with an empty environment, default signals, and one end of a new stream socket
/// as descriptor 0. `*socket` gets the other end, which is closed on exec.
int32_t csys_spawn_on_socket(const char *program, int *socket);

/// Sends all of `bytes`, and `descriptors` (at most 4) with the first of them.
int csys_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

#pragma clang assume_nonnull end
