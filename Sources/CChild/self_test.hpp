#pragma once

/// Tries a forbidden action inside the sandbox. Returns 0 if it was refused and 1 if it was possible; most attempts
/// don't return, because the kernel ends the process with SIGSYS.
int self_test(const char *attempt);
