#include "csys_digest.h"

#include <string.h>

// Two 64-by-64-bit products for each 32 bytes, as in wyhash.
static inline uint64_t mix(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t word(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
  return value;
}

void csys_sum128(const void *data, size_t count, uint64_t *first, uint64_t *second) {
  const uint8_t *bytes = data;
  uint64_t a = *first ^ 0xa0761d6478bd642fu ^ (uint64_t)count, b = *second ^ 0xe7037ed1a0b428dbu;
  while (count >= 32) {
    a = mix(word(bytes) ^ 0x8ebc6af09c88c6e3u, word(bytes + 8) ^ a);
    b = mix(word(bytes + 16) ^ 0x589965cc75374cc3u, word(bytes + 24) ^ b);
    bytes += 32;
    count -= 32;
  }
  uint8_t rest[32] = {0};
  memcpy(rest, bytes, count);
  a = mix(word(rest) ^ 0x1d8e4e27c47d124fu, word(rest + 8) ^ a);
  b = mix(word(rest + 16) ^ 0xeb44accab455d165u, word(rest + 24) ^ b);
  *first = a ^ mix(b ^ 0xa0761d6478bd642fu, 0x8ebc6af09c88c6e3u);
  *second = b ^ mix(a ^ 0xe7037ed1a0b428dbu, 0x589965cc75374cc3u);
}
