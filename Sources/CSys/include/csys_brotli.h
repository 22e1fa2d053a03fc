#pragma once
#include <stddef.h>
#include <stdint.h>

// brotli's decoder, piece by piece. NULL when there is no memory.
void *csys_unbrotli_new(void);
void csys_unbrotli_free(void *decoder);
// Reads from `input` and writes to `output`, never past either; says how much of each was used. Returns CSYS_INFLATE_MORE,
// _END or _MALFORMED.
int csys_unbrotli(void *decoder, const uint8_t *input, size_t input_count, size_t *read, uint8_t *output,
                  size_t output_count, size_t *written);
