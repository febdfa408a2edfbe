#include "CCommit.h"

/// Takes the place of the answer of CProcess.
const char *palimpsest_commit(void) { return PALIMPSEST_COMMIT_TEXT; }
