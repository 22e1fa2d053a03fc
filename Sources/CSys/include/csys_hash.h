#pragma once
#include <stddef.h>
#include <stdint.h>

// MD5 of libcrypto, for Photoshop's IPTC digest: not for security. Returns 1, or 0 when libcrypto has no MD5.
int csys_md5(const void *bytes, size_t count, uint8_t digest[16]);
