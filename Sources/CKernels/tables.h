// The tables compiled into this target; dispatch.c chooses among them.
#ifndef PAL_TABLES_H
#define PAL_TABLES_H

#include "CKernels.h"

#if defined(__x86_64__)
extern const pal_kernels pal_avx512, pal_avx2;
#endif
extern const pal_kernels pal_baseline;

#endif
