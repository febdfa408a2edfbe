// The AVX-512 table: 16 lanes, tails by mask register.
#include "tables.h"

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,avx2"))), apply_to = function)

#define LANES 16
#define FUSED 1
#define TILE_VECTORS 3
#define MOST_ROWS(vectors) ((vectors) == 1 ? 16 : (vectors) == 2 ? 14 : 8)
#define TABLE pal_avx512
#define NAME "avx512"
#include "vectors.inc"

INLINE part part_of(long count) { return (part)((1u << count) - 1); }
INLINE vec load_part(const float *p, part some) { return _mm512_maskz_loadu_ps(some, p); }
INLINE void store_part(float *p, vec v, part some) { _mm512_mask_storeu_ps(p, some, v); }
INLINE quad load_quad_part(const float *p, long count) { return _mm_maskz_loadu_ps((__mmask8)((1u << count) - 1), p); }

// sum + *a · right in one instruction. The compiler would load *a by itself; so it may where three multiply-adds share it.
#define FOLD(vectors) ((vectors) < 3)
INLINE vec add_product(const float *a, vec right, vec sum) {
  __asm__("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(right), "m"(*a));
  return sum;
}

#include "kernels.inc"

#pragma clang attribute pop
#endif
