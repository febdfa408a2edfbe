/// What only C can do: work before `main`, and within a signal handler.
#ifndef PALIMPSEST_PROCESS_H
#define PALIMPSEST_PROCESS_H

#endif
