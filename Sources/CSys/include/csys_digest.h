#pragma once
#include <stddef.h>
#include <stdint.h>

// SHA-256 of libcrypto, in steps. Null when there is no memory.
void *csys_sha256_begin(void);
void csys_sha256_update(void *hash, const void *bytes, size_t count);
// Writes 32 bytes and frees the hash.
void csys_sha256_end(void *hash, uint8_t *digest);
