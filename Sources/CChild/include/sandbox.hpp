#pragma once

/// The purpose of the process. For pictures, it may create threads, use more memory, and write to the second descriptor
/// that it receives.
enum class Purpose { metadata, pictures };

/// Permanently drops every right that this process doesn't need: files, sockets, other processes, new programs.
/// Descriptors 0 (the client), 1 and 2 (/dev/null) stay open. Returns null, or a reason why it failed; then no
/// untrusted data may be read.
const char *lock_in(Purpose purpose);

/// Limits the processor time of the current work to `seconds`; the process ends if it takes longer.
void allow_processor_time(int seconds);
