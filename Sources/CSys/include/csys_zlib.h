#pragma once

// zlib's one-call functions, declared as in zlib.h. Including zlib.h would make this module the owner of the system's
// types, and Swift's member import visibility would then require it.

typedef unsigned int uInt;
typedef unsigned long uLong;
static const int Z_OK = 0;
int uncompress(unsigned char *to, uLong *to_count, const unsigned char *from, uLong from_count);
uLong crc32(uLong sum, const unsigned char *bytes, uInt count);
uLong compressBound(uLong count);
int compress2(unsigned char *to, uLong *to_count, const unsigned char *from, uLong from_count, int level);
