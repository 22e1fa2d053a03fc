#pragma once

/// What the process is for. For pictures it may make threads, take more memory, and write to the second descriptor that
/// it is sent.
enum class Purpose { metadata, pictures };

/// Gives up every right this process does not need, for good: files, sockets, other processes, new programs. What
/// stays open is descriptor 0 (the client), 1 and 2 (nowhere).
/// Returns null, or why it could not be done; then nothing foreign may be read.
const char *lock_in(Purpose purpose);

/// Lets the process end when what it does now takes more than `seconds` of processor time.
void allow_processor_time(int seconds);
