#pragma once

// memfd_create(2) with MFD_CLOEXEC: a file in memory, -1 and errno when it can't be had.
int csys_memfd(const char *name);
