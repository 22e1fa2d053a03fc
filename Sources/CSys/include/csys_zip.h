#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// zlib's inflate of gzip or raw deflate, in pieces, behind a handle that Swift can own.

typedef struct csys_inflater csys_inflater;

enum {
  CSYS_INFLATE_MORE = 0,  // call again with more input or more output space
  CSYS_INFLATE_END = 1,  // a member ended; the rest of the input follows it
  CSYS_INFLATE_MALFORMED = 2,  // not gzip, or a wrong checksum
  CSYS_INFLATE_NO_MEMORY = 3,
};

// Returns NULL if out of memory.
csys_inflater *csys_inflater_new(bool is_gzip);
void csys_inflater_free(csys_inflater *inflater);
// Prepares for the next member. Returns false on failure.
int csys_inflater_reset(csys_inflater *inflater);
// Reads from `input` and writes to `output`, within their bounds, and returns how much of each was used.
int csys_inflate(csys_inflater *inflater, const uint8_t *input, size_t input_count, size_t *read, uint8_t *output,
                 size_t output_count, size_t *written);
