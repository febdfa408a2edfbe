#include "CProcess.h"

/// The answer of programs that know of no commit. The target CCommit has another, which the linker prefers.
__attribute__((weak)) const char *palimpsest_commit(void) { return ""; }
