// The table every processor runs: 4 lanes, SSE2 on x86-64 (no fused multiply-add) and NEON on arm64.
// NEON gives the bits of AVX2 and AVX-512: Scripts/arm64.sh compares all kernels under QEMU. Its speed has not been measured.
#include "tables.h"

#define LANES 4
#if defined(__aarch64__)
#define FUSED 1
#define BY_LANE 1
#define TILE_VECTORS 3
#define MOST_ROWS(vectors) ((vectors) == 1 ? 16 : 8)
#define NAME "neon"
#else
#define FUSED 0
#define TILE_VECTORS 2
#define MOST_ROWS(vectors) ((vectors) == 1 ? 8 : 6)
#define NAME "baseline"
#endif
#define TABLE pal_baseline
#include "vectors.inc"

INLINE part part_of(long count) { return count; }

INLINE vec load_part(const float *p, part count) {
  vec v = 0;
  if (count > 0) v[0] = p[0];
  if (count > 1) v[1] = p[1];
  if (count > 2) v[2] = p[2];
  if (count > 3) v[3] = p[3];
  return v;
}

INLINE void store_part(float *p, vec v, part count) {
  if (count > 0) p[0] = v[0];
  if (count > 1) p[1] = v[1];
  if (count > 2) p[2] = v[2];
  if (count > 3) p[3] = v[3];
}

INLINE quad load_quad_part(const float *p, long count) { return load_part(p, count); }

#include "kernels.inc"
