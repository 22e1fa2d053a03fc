#include "fuzzer.h"

// libFuzzer's entry point, in libclang_rt.fuzzer_no_main.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));

int fuzzer_run(int argc, char **argv, int (*test)(const uint8_t *bytes, size_t count)) {
  return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(&argc, &argv, test) : -1;
}
