#pragma once

/// Tries something forbidden after the door is locked. Returns 0 when it was refused and 1 when it was possible; most
/// attempts don't return, because the kernel ends the process with SIGSYS.
int self_test(const char *attempt);
