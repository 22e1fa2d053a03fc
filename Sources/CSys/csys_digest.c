#include "csys_digest.h"

#include <openssl/evp.h>

void *csys_sha256_begin(void) {
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  if (hash && EVP_DigestInit_ex(hash, EVP_sha256(), NULL) != 1) {
    EVP_MD_CTX_free(hash);
    return NULL;
  }
  return hash;
}

void csys_sha256_update(void *hash, const void *bytes, size_t count) { EVP_DigestUpdate(hash, bytes, count); }

void csys_sha256_end(void *hash, uint8_t *digest) {
  EVP_DigestFinal_ex(hash, digest, NULL);
  EVP_MD_CTX_free(hash);
}

int csys_md5(const void *bytes, size_t count, uint8_t digest[16]) {
  return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}
