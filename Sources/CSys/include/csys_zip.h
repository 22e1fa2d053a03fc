#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// zlib's inflate of a gzip stream, or of a zip file's bare deflate, piece by piece, behind a handle that Swift can own.

typedef struct csys_inflater csys_inflater;

enum {
  CSYS_INFLATE_MORE = 0,      // call again: with more input, or with room for more output
  CSYS_INFLATE_END = 1,       // a member ended; what is left of the input follows it
  CSYS_INFLATE_MALFORMED = 2, // not gzip, or its check sum is wrong
  CSYS_INFLATE_NO_MEMORY = 3,
};

// NULL when there is no memory.
csys_inflater *csys_inflater_new(bool is_gzip);
void csys_inflater_free(csys_inflater *inflater);
// Makes ready for the next member. False when zlib refuses.
int csys_inflater_reset(csys_inflater *inflater);
// Reads from `input` and writes to `output`, never past either; says how much of each was used.
int csys_inflate(csys_inflater *inflater, const uint8_t *input, size_t input_count, size_t *read, uint8_t *output,
                 size_t output_count, size_t *written);
