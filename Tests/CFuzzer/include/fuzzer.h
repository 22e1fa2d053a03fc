#pragma once
#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer with these arguments, which calls `test` with changed bytes until it is done; returns its exit status. Returns -1
// if the program is linked without libFuzzer. `test` returns 0, or -1 for bytes that aren't to be changed further.
int fuzzer_run(int argc, char **argv, int (*test)(const uint8_t *bytes, size_t count));
