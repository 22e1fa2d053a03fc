#include "csys_brotli.h"
#include "csys_zip.h"

#include <brotli/decode.h>

void *csys_unbrotli_new(void) { return BrotliDecoderCreateInstance(NULL, NULL, NULL); }

void csys_unbrotli_free(void *decoder) { BrotliDecoderDestroyInstance(decoder); }

int csys_unbrotli(void *decoder, const uint8_t *input, size_t input_count, size_t *read, uint8_t *output,
                  size_t output_count, size_t *written) {
  size_t in = input_count, out = output_count;
  BrotliDecoderResult result = BrotliDecoderDecompressStream(decoder, &in, &input, &out, &output, NULL);
  *read = input_count - in;
  *written = output_count - out;
  switch (result) {
  case BROTLI_DECODER_RESULT_SUCCESS: return CSYS_INFLATE_END;
  case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
  case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return CSYS_INFLATE_MORE;
  default: return CSYS_INFLATE_MALFORMED;
  }
}
