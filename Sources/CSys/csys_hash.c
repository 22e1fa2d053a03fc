#include "csys_hash.h"

#include <openssl/evp.h>

int csys_md5(const void *bytes, size_t count, uint8_t digest[16]) {
  return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}
