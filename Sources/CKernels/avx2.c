// The AVX2 table: 8 lanes, tails by vector mask.
#include "tables.h"

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)

#define LANES 8
#define FUSED 1
#define TILE_VECTORS 2
#define MOST_ROWS(vectors) ((vectors) == 1 ? 12 : 6)
#define TABLE pal_avx2
#define NAME "avx2"
#include "vectors.inc"

// Eight words from here − count are `count` times all ones, then zeros.
static const int32_t window[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

INLINE part part_of(long count) { return _mm256_loadu_si256((const __m256i *)(window + 8 - count)); }
INLINE vec load_part(const float *p, part some) { return _mm256_maskload_ps(p, some); }
INLINE void store_part(float *p, vec v, part some) { _mm256_maskstore_ps(p, some, v); }
INLINE quad load_quad_part(const float *p, long count) {
  return _mm_maskload_ps(p, _mm_loadu_si128((const __m128i *)(window + 8 - count)));
}

#include "kernels.inc"

#pragma clang attribute pop
#endif
