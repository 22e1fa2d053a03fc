#include "csys_zip.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct csys_inflater {
  z_stream stream;
};

csys_inflater *csys_inflater_new(bool is_gzip) {
  csys_inflater *inflater = calloc(1, sizeof *inflater);
  // 15 window bits. Add 16 for gzip with header and checksum; negative for raw deflate.
  if (inflater && inflateInit2(&inflater->stream, is_gzip ? 15 + 16 : -15) != Z_OK) {
    free(inflater);
    return NULL;
  }
  return inflater;
}

void csys_inflater_free(csys_inflater *inflater) {
  if (inflater) inflateEnd(&inflater->stream);
  free(inflater);
}

int csys_inflater_reset(csys_inflater *inflater) { return inflateReset(&inflater->stream) == Z_OK; }

int csys_inflate(csys_inflater *inflater, const uint8_t *input, size_t input_count, size_t *read, uint8_t *output,
                 size_t output_count, size_t *written) {
  z_stream *stream = &inflater->stream;
  uInt in = input_count > UINT_MAX ? UINT_MAX : (uInt)input_count;
  uInt out = output_count > UINT_MAX ? UINT_MAX : (uInt)output_count;
  stream->next_in = (Bytef *)input;
  stream->avail_in = in;
  stream->next_out = output;
  stream->avail_out = out;
  int code = inflate(stream, Z_NO_FLUSH);
  *read = in - stream->avail_in;
  *written = out - stream->avail_out;
  switch (code) {
  case Z_OK:
  case Z_BUF_ERROR: return CSYS_INFLATE_MORE;
  case Z_STREAM_END: return CSYS_INFLATE_END;
  case Z_MEM_ERROR: return CSYS_INFLATE_NO_MEMORY;
  default: return CSYS_INFLATE_MALFORMED;
  }
}
