/// The commit a program is built from. A target of its own that only programs depend on: at a new commit nothing else is
/// compiled again.
#ifndef PALIMPSEST_COMMIT_H
#define PALIMPSEST_COMMIT_H

const char *palimpsest_commit(void);

#endif
