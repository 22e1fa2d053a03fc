#pragma once
#include <stdint.h>

// Restrictions of this process, which it can't lift again and its children inherit.

// seccomp(2): no thread of this process can open a socket except a local one (AF_UNIX), or connect any. Returns 0, or -1 and
// errno.
int csys_forbid_network(void);
// Whether an internet socket can be opened: 1 or 0.
int csys_can_open_socket(void);

// The version of Landlock that the kernel has; 0 without.
int csys_landlock_version(void);
// Creates an empty set of rules. Returns a descriptor, or -1 and errno.
int csys_landlock_new(void);
// Allows to read and execute what is at a path and below; with `writes`, also to change it. Returns 0, or -1 and errno.
int csys_landlock_allow(int rules, const char *path, int writes);
// Applies the rules to this thread and to those that it starts. Returns 0, or -1 and errno.
int csys_landlock_restrict(int rules);
