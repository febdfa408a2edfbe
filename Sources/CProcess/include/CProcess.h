/// What only C can do: work before `main`, and within a signal handler.
#ifndef PALIMPSEST_PROCESS_H
#define PALIMPSEST_PROCESS_H

/// From now on a death by a fault (a trap, a wrong address, an abort) leaves a word: two digits, the signal's number,
/// where the faulting thread said, else where the process said. The signal then does what it would have done.
void palimpsest_watch_faults(void);

/// Where a fault of this thread is written, with a stack of its own for that: a thread may die for want of stack.
void palimpsest_leave_word(int descriptor, long long offset);

/// Before the thread ends.
void palimpsest_leave_no_word(void);

/// The commit the program was built from; empty where that is not known.
const char *palimpsest_commit(void);

/// The number by which the linker names this very program (or library): other code has another one. It lies in the program;
/// null and 0 bytes where the linker gave none.
const unsigned char *palimpsest_build(int *length);

/// Where the faults of all other threads are written; descriptor −1: nowhere.
void palimpsest_leave_word_of_others(int descriptor, long long offset);

#endif
