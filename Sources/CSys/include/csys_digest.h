#pragma once
#include <stddef.h>
#include <stdint.h>

// Digests by libcrypto.

// Starts a SHA-256. NULL if unavailable.
void *csys_sha256_begin(void);
void csys_sha256_update(void *hash, const void *bytes, size_t count);
// Writes the 32 bytes and frees the hash.
void csys_sha256_end(void *hash, uint8_t *digest);

// Updates a 128-bit checksum, in two halves. Fast, not for security. The result depends on how the bytes are divided
// into calls. Words are read in the machine's byte order, which is little-endian wherever Swift runs.
void csys_sum128(const void *bytes, size_t count, uint64_t *first, uint64_t *second);

// MD5, for Photoshop's IPTC digest, not for security. Returns 1, or 0 if libcrypto has no MD5.
int csys_md5(const void *bytes, size_t count, uint8_t digest[16]);
