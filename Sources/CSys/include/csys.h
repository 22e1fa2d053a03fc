#pragma once

#include "csys_brotli.h"
#include "csys_confine.h"
#include "csys_digest.h"
#include "csys_file.h"
#include "csys_memory.h"
#include "csys_socket.h"
#include "csys_zip.h"
#include "csys_zlib.h"
