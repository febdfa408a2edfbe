// Which table this processor runs.
#include <string.h>

#include "tables.h"

static const pal_kernels *const tables[] = {
#if defined(__x86_64__)
    &pal_avx512, &pal_avx2,
#endif
    &pal_baseline,
};

enum { COUNT = sizeof tables / sizeof *tables };

static int runs(const pal_kernels *table) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (table == &pal_avx2) return avx2;
  if (table == &pal_avx512)
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
  return 1;
}

const pal_kernels *pal_kernels_best(void) {
  for (long i = 0; i < COUNT; i += 1)
    if (runs(tables[i])) return tables[i];
  return &pal_baseline;
}

const pal_kernels *pal_kernels_named(const char *name) {
  for (long i = 0; name && i < COUNT; i += 1)
    if (strcmp(tables[i]->name, name) == 0) return runs(tables[i]) ? tables[i] : 0;
  return 0;
}

const char *pal_kernels_name(long index) { return index >= 0 && index < COUNT ? tables[index]->name : 0; }

// One panel of the transposed weights, at most 48 columns wide and padded to 16, and room to start on a cache line.
long pal_scratch_floats(long inputs, long outputs) { return (inputs < 48 ? (inputs + 15) / 16 * 16 : 48) * outputs + 16; }
