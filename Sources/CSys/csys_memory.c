#include "csys_memory.h"

#include <sys/mman.h>

int csys_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
