// zlib as it is: Swift calls `uncompress` and `crc32` directly.
#pragma once
#include <zlib.h>
