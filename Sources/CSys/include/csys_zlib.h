#pragma once

// zlib's one-call functions, declared as zlib.h declares them. That header itself would bring the system's types along
// and make this module their owner, which Swift's member import visibility then insists on.

typedef unsigned int uInt;
typedef unsigned long uLong;
static const int Z_OK = 0;
int uncompress(unsigned char *to, uLong *to_count, const unsigned char *from, uLong from_count);
uLong crc32(uLong sum, const unsigned char *bytes, uInt count);
uLong compressBound(uLong count);
int compress2(unsigned char *to, uLong *to_count, const unsigned char *from, uLong from_count, int level);
