#pragma once
#include <stddef.h>
#include <stdint.h>

// Creates a brotli decoder that works in pieces. NULL if out of memory.
void *csys_unbrotli_new(void);
void csys_unbrotli_free(void *decoder);
// Reads from `input` and writes to `output`, within their bounds, and returns how much of each was used. Returns
// CSYS_INFLATE_MORE, _END or _MALFORMED.
int csys_unbrotli(void *decoder, const uint8_t *input, size_t input_count, size_t *read, uint8_t *output,
                  size_t output_count, size_t *written);
