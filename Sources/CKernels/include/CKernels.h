// The arithmetic of Palimpsest: one table of kernels for each instruction set, picked once at run time.
//
// Matrices are row-major and dense (leading dimension = column count) unless said; weights are stored [inputs × outputs].
// Every output element is one chain of fused multiply-adds in index order, and every reduction uses 16 partial sums whatever
// the lane count, so all tables with FMA (AVX-512, AVX2, NEON) give the same bits. The baseline x86-64 table (SSE2) has no FMA
// and may differ in the last bits.
#ifndef CKERNELS_H
#define CKERNELS_H

#include <stdint.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

enum { PAL_SGD = 0, PAL_MOMENTUM = 1, PAL_ADAM = 2, PAL_ADAMW = 3 };

// What a step does behind its backward pass. State and gradient are as long as theta, importance and anchor maybe shorter.
typedef struct pal_update {
  float *theta;
  const float *gradient;            // of the data loss
  float *first, *second;            // the optimiser's state: none for SGD, velocity, moments
  const float *importance, *anchor;  // the first `pulled` parameters are pulled
  long pulled;
  float *path;  // path −= gradient ∘ update; null: not kept
  int rule, nesterov;
  float rate;      // Adam: rate / (1 − β1^t)
  float momentum;  // Adam: β1
  float beta2, root, epsilon, decay, strength;
  float shrink;  // AdamW: rate · decay
} pal_update;

// What answers are worth, summed over rows.
typedef struct pal_scores {
  int64_t right;    // answers equal to the label
  double loss;      // Σ −ln p(label)
  double expected;  // Σ p*(answer), where p* is known
} pal_scores;

enum { PAL_LINEAR = 0, PAL_RELU = 1, PAL_TANH = 2 };

typedef struct pal_kernels {
  const char *name;  // "avx512", "avx2", "neon", "baseline"
  long lanes;        // floats in a vector: 16, 8, 4
  int fused;         // 1 where multiply-add is one rounding

  // y[rows × outputs] = activation(x[rows × inputs] · w[inputs × outputs] + bias + (accumulate ? y : 0)); bias may be null.
  void (*affine)(const float *x, const float *w, const float *bias, float *y, long rows, long inputs, long outputs,
                 int activation, int accumulate);
  // gw[inputs × outputs] = (accumulate ? gw : 0) + xᵀ · d, summed over rows in order.
  void (*weight_gradient)(const float *x, const float *d, float *gw, long rows, long inputs, long outputs, int accumulate);
  // gb[outputs] = (accumulate ? gb : 0) + column sums of d.
  void (*bias_gradient)(const float *d, float *gb, long rows, long outputs, int accumulate);
  // dx[rows × inputs] = ((accumulate ? dx : 0) + d[rows × outputs] · wᵀ) ∘ activation'(a), with a[rows × inputs] the activated
  // values (null when activation is linear). scratch: pal_scratch_floats(inputs, outputs) floats.
  void (*input_gradient)(const float *d, const float *w, const float *a, float *dx, long rows, long inputs, long outputs,
                         int activation, int accumulate, float *scratch);
  // d[n] = d ∘ activation'(a)
  void (*activation_gradient)(float *d, const float *a, long n, int activation);

  // Softmax cross-entropy over the columns [lo, hi) of z[rows × columns]; labels count from column 0 and lie in [lo, hi).
  // d = weight_i · (softmax(z)_i − onehot_i) in [lo, hi), 0 elsewhere. Returns Σ weight_i · ℓ_i. d may be null (value only);
  // losses[rows], when not null, receives each row's unweighted ℓ_i. d may not alias z.
  double (*softmax_cross_entropy)(const float *z, const int32_t *labels, const float *weights, float *d, float *losses,
                                  long rows, long columns, long lo, long hi);
  // The same for one logit a row: ℓ = log(1 + e^z) − y·z, label y in {0, 1}; d = weight · (σ(z) − y).
  double (*sigmoid_cross_entropy)(const float *z, const int32_t *labels, const float *weights, float *d, float *losses,
                                  long rows);
  // p = softmax of z over the columns [lo, hi), 0 elsewhere. p may alias z.
  void (*softmax)(const float *z, float *p, long rows, long columns, long lo, long hi);
  void (*sigmoid)(const float *z, float *p, long n);

  // Optimisers: the gradient goes in, the update u (θ ← θ + u) comes out. g' = g + decay · θ first (decay may be 0).
  void (*sgd)(float *g, const float *theta, long n, float rate, float decay);
  // v ← momentum · v + g';  u = −rate · (nesterov ? g' + momentum · v : v)
  void (*momentum)(float *g, float *v, const float *theta, long n, float rate, float momentum, float decay, int nesterov);
  // m ← β1 m + (1−β1) g';  v ← β2 v + (1−β2) g'²;  u = −step · m / (√v · root + epsilon)
  // with step = rate / (1 − β1^t) and root = 1 / √(1 − β2^t), both from the caller.
  void (*adam)(float *g, float *m, float *v, const float *theta, long n, float step, float root, float beta1, float beta2,
               float epsilon, float decay);
  // The same of g as it is, less shrink · theta, with shrink = rate · decay.
  void (*adamw)(float *g, float *m, float *v, const float *theta, long n, float step, float root, float beta1, float beta2,
                float epsilon, float shrink);

  // theta += u in the ranges trained[2r] … trained[2r + 1] − 1 and nowhere else, with u the update of the gradient
  // gradient + strength · importance ∘ (theta − anchor). The optimiser's state moves everywhere. Ranges are in order and start
  // and end at multiples of 16 or at n. Returns Σ importance · (theta − anchor)²: 16 partial sums, in float over 1024 elements
  // and in double over all of those.
  double (*update)(const pal_update *p, long n, const long *trained, long ranges);
  // The same in so many ranges alone: elsewhere nothing moves, the optimiser's state included.
  double (*update_ranges)(const pal_update *p, const long *ranges, long count);
  // The same for the weights of a layer that start at theta + first: their gradient xᵀ · d is taken strip by strip, each strip
  // followed by its update. strip: floats for as many inputs as a strip has, at most 128, times outputs; overwritten.
  double (*learn_weights)(const pal_update *p, long first, const float *x, const float *d, float *strip, long rows, long inputs,
                          long outputs);

  void (*add)(float *y, const float *x, long n);                     // y += x
  void (*axpy)(float *y, const float *x, long n, float a);           // y += a · x
  void (*scale)(float *y, long n, float a);                          // y *= a
  double (*dot)(const float *x, const float *y, long n);             // Σ x·y, 16 partial sums in double
  double (*squared_distance)(const float *x, const float *y, long n);  // Σ (x − y)², 16 partial sums in double
  // g += strength · importance ∘ (theta − anchor); returns Σ importance · (theta − anchor)², summed as by update.
  double (*quadratic_penalty)(float *g, const float *theta, const float *importance, const float *anchor, long n,
                              float strength);
  void (*path_integral)(float *path, const float *g, const float *u, long n);  // path −= g ∘ u
  // y[rows × columns] = (accumulate ? y : 0) + each row of x ∘ a[columns].
  void (*gate)(const float *x, const float *a, float *y, long rows, long columns, int accumulate);
  // ga[columns] = (accumulate ? ga : 0) + Σ_rows x ∘ d, summed over rows in order.
  void (*gate_gradient)(const float *x, const float *d, float *ga, long rows, long columns, int accumulate);
  // y = x ∘ x, then (factors not null) times the row's factor.
  void (*square_rows)(const float *x, const float *factors, float *y, long rows, long columns);
  // y[rows × columns] = offset + scale · bytes[row index, column order]; index and order may be null (identity);
  // an order of −1 gives a 0 pixel (before scale and offset). The source has source_columns columns.
  void (*gather_bytes)(const uint8_t *source, const int32_t *index, const int32_t *order, float *y, long rows, long columns,
                       long source_columns, float scale, float offset);
  void (*gather_floats)(const float *source, const int32_t *index, const int32_t *order, float *y, long rows, long columns,
                        long source_columns);
  void (*logistic)(double *x, long n);  // x = 1 / (1 + e^−x) in double, with the bits of PalimpsestCore's Elementary
  // Adds what the answers to rows are worth to *sums, row after row in double: the bits of a loop over rows with PalimpsestCore's
  // Elementary, in every table. truth[rows], the probability of label 1, may be null.
  // One logit a row: the answer is z > 0, label y in {0, 1}, loss log(1 + e^z) − y·z.
  void (*score_logits)(const float *z, const int32_t *labels, const float *truth, long rows, pal_scores *sums);
  // The columns [lo, hi) of z[rows × columns]: the answer is the first of the largest, labels count from column 0 and lie in
  // [lo, hi), loss −log softmax(z)[label].
  void (*score_softmax)(const float *z, const int32_t *labels, const float *truth, long rows, long columns, long lo, long hi,
                        pal_scores *sums);
  // sums[units × others] = x[rows × units]ᵀ · y[rows × others] in double, each sum in the order of rows.
  void (*cross_products)(const float *x, const float *y, double *sums, long rows, long units, long others);
  // Sixteen resamples of n values, n < 2³¹: counts[value × 16 + r] is how often r drew a value, sorted[n] the values in order of
  // size, order[n] where each of those is counted. sums[r] = Σ of r's n draws in order of size but for `cut` at each end.
  void (*middle_sums)(const double *sorted, const int32_t *order, const uint8_t *counts, long n, long cut, double *sums);
  // Runs `iterations` rounds of independent FMA chains and returns the floating-point operations done: the machine's peak.
  double (*peak_loop)(long iterations);
} pal_kernels;

// The best table this processor runs, or the one named; null when that name is unknown or the processor can't run it.
const pal_kernels *pal_kernels_best(void);
const pal_kernels *pal_kernels_named(const char *name);
// The table named by the environment variable PALIMPSEST_ISA where the processor runs it, else the best one.
const pal_kernels *pal_kernels_default(void);
// The names of all tables compiled in, best first; index past the end gives null.
const char *pal_kernels_name(long index);
// Floats of scratch that input_gradient needs.
long pal_scratch_floats(long inputs, long outputs);

// Bytes that the process has allocated and not freed; -1 where the C library does not say.
static inline int64_t pal_allocated_bytes(void) {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
#endif
#endif
  return -1;
}

#endif
