#include <stdlib.h>

#include "CKernels.h"

// The table named by PALIMPSEST_ISA where the processor runs it, else the best one.
const pal_kernels *pal_kernels_default(void) {
  const char *wanted = getenv("PALIMPSEST_ISA");
  const pal_kernels *table = wanted ? pal_kernels_named(wanted) : 0;
  return table ? table : pal_kernels_best();
}
