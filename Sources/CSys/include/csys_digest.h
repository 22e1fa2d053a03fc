#pragma once
#include <stddef.h>
#include <stdint.h>

// libcrypto's digests.

// SHA-256 in steps. Null when it can't be had.
void *csys_sha256_begin(void);
void csys_sha256_update(void *hash, const void *bytes, size_t count);
// Writes 32 bytes and frees the hash.
void csys_sha256_end(void *hash, uint8_t *digest);

// Goes on with a check sum of 128 bits, in two halves: fast, and not for security. The parts in which bytes come count.
// Words are read in the machine's order, which is little-endian wherever Swift runs.
void csys_sum128(const void *bytes, size_t count, uint64_t *first, uint64_t *second);

// MD5, for Photoshop's IPTC digest: not for security. Returns 1, or 0 when libcrypto has no MD5.
int csys_md5(const void *bytes, size_t count, uint8_t digest[16]);
