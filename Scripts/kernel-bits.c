// Runs every kernel of every table that this processor runs on the same drawn inputs and prints a hash of all bits that are
// in the buffers afterwards, one line for each kernel:
//   TABLE FUSED KERNEL CASES HASH
// Scripts/arm64.sh compares them, across tables and processors. With a kernel's name as its argument it runs that one alone and
// prints a line for each case as well.
//
// NaNs all count as one: processors choose sign and payload as they like. Each buffer has exactly the size it needs. It ends
// where a forbidden page begins, and marked bytes stand before it; who oversteps either ends the program with status 1.
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CKernels.h"

// What runs now, for messages and the hash.
static const pal_kernels *table;
static const char *kernel;
static long cases;
static uint64_t hash;
static int each_case;

static void fail(const char *what) {
  fprintf(stderr, "%s %s, case %ld: %s\n", table->name, kernel, cases, what);
  _exit(1);
}

static void overstepped(int number) {
  (void)number;
  fail("reads or writes outside its buffers");
}

// Draws: xorshift (Marsaglia 2003), integers only, so that every machine draws the same.

static uint32_t state;

static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static long below(long n) { return draw() % (uint32_t)n; }
static int maybe(void) { return draw() >> 31; }

enum { PLAIN, POSITIVE, LOGIT, WILD, KINDS };
enum { SPECIAL = 8 };

// One value in 32 is one of these.
static const float specials[KINDS][SPECIAL] = {
    [PLAIN] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-40f, -1e-40f, FLT_MIN, -FLT_MIN},
    [POSITIVE] = {0.0f, 0.0f, 1.0f, 2.0f, 1e-40f, 1e-30f, FLT_MIN, 1000.0f},
    [LOGIT] = {0.0f, -0.0f, 87.4f, -87.4f, 1000.0f, -1000.0f, 1e30f, -1e30f},
    [WILD] = {INFINITY, -INFINITY, NAN, 0.0f, FLT_MAX, -FLT_MAX, 1e-40f, -0.0f},
};

static float value(int kind) {
  const uint32_t bits = draw();
  if (bits % 32 == 0) return specials[kind][bits / 32 % SPECIAL];
  const float plain = (float)((int32_t)(bits >> 8) - (1 << 23)) * 0x1p-23f;  // in [−1, 1), exact
  return kind == PLAIN ? plain : kind == POSITIVE ? fabsf(plain) : plain * 16.0f;
}

// Buffers.

enum { SLOTS = 9, ROOM = 1 << 20, MARKS = 256, MARK = 0xa5 };

typedef struct {
  uint8_t *end, *start;
  long words;  // that the hash covers
} slot;

static slot slots[SLOTS];
static int used;
static int wild;  // whether this case's floats are

static void make_slots(void) {
  const long page = sysconf(_SC_PAGESIZE), whole = ROOM + page;
  uint8_t *all = mmap(0, SLOTS * whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) exit(1);
  for (int i = 0; i < SLOTS; i += 1) {
    slots[i].end = all + i * whole + ROOM;
    if (mprotect(slots[i].end, page, PROT_NONE) != 0) exit(1);
  }
}

static void *take(long bytes, long words) {
  slot *s = &slots[used];
  used += 1;
  s->start = s->end - bytes;
  s->words = words;
  memset(s->start - MARKS, MARK, MARKS);
  return s->start;
}

static float *floats(long n, int kind) {
  float *p = take(4 * n, n);
  for (long i = 0; i < n; i += 1) p[i] = value(wild ? WILD : kind);
  return p;
}

static double *doubles(long n, int kind) {
  double *p = take(8 * n, 0);
  for (long i = 0; i < n; i += 1) p[i] = (double)value(wild ? WILD : kind) + (double)value(PLAIN) * 0x1p-30;
  return p;
}

static float *perhaps(long n, int kind) { return maybe() ? floats(n, kind) : 0; }

// Integers from `low` to high − 1.
static int32_t *integers(long n, long low, long high) {
  int32_t *p = take(4 * n, n);
  for (long i = 0; i < n; i += 1) p[i] = (int32_t)(low + below(high - low));
  return p;
}

static uint8_t *bytes(long n) {
  uint8_t *p = take(n, 0);
  for (long i = 0; i < n; i += 1) p[i] = (uint8_t)draw();
  return p;
}

static void mix(uint64_t word) {
  hash = (hash ^ word) * 0x100000001b3u;
  hash ^= hash >> 32;
}

static void mix_words(const slot *s) {
  const uint32_t *words = (const uint32_t *)s->start;
  for (long i = 0; i < s->words; i += 1) mix((words[i] & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : words[i]);
}

static void print_case(void) {
  printf("%s %s case %ld %016llx, buffers of", table->name, kernel, cases, (unsigned long long)hash);
  for (int i = 0; i < used; i += 1) printf(" %ld", (long)(slots[i].end - slots[i].start));
  printf(" bytes\n");
}

// Ends a case; `result` is what the kernel returned.
static void done(double result) {
  for (int i = 0; i < used; i += 1) {
    for (long j = 1; j <= MARKS; j += 1)
      if (slots[i].start[-j] != MARK) fail("writes before the start of a buffer");
    mix_words(&slots[i]);
  }
  uint64_t bits;
  memcpy(&bits, &result, sizeof bits);
  mix(isnan(result) ? 0 : bits);
  if (each_case) print_case();
  used = 0;
  cases += 1;
  wild = below(16) == 0;
}

// Shapes: every height up to 40 and 128, so that tiles of every number of rows come; widths with tails of every kind.

enum { HEIGHTS = 41, SHALLOW = 15 };  // SHALLOW: the depths up to 33
static long height(long i) { return i < 40 ? i + 1 : 128; }

static const long widths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 100};
static const long depths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 33, 64, 65, 100, 200, 201, 256, 403};
static const long large[][3] = {{5, 256, 784}, {33, 100, 784}, {128, 10, 256}, {16, 784, 33}, {10, 256, 128}, {128, 128, 32}};
#define COUNT(list) ((long)(sizeof list / sizeof *list))

typedef void (*product_case)(long tall, long wide, long deep);
typedef void (*matrix_case)(long rows, long columns);
typedef void (*flat_case)(long n);

// A depth for so many outputs: not the deepest where they are many.
static long draw_depth(long outputs) { return depths[below(outputs > 1000 ? SHALLOW : COUNT(depths))]; }

// Products of [tall × deep] and [deep × wide]: each height with each width at depths drawn, then some of a network's size.
static void products(product_case run) {
  for (long k = 0; k < 3; k += 1)
    for (long i = 0; i < HEIGHTS; i += 1)
      for (long j = 0; j < COUNT(widths); j += 1) run(height(i), widths[j], draw_depth(height(i) * widths[j]));
  for (long i = 0; i < COUNT(large); i += 1) run(large[i][0], large[i][1], large[i][2]);
}

static void matrices(matrix_case run) {
  for (long i = 0; i < HEIGHTS; i += 1)
    for (long j = 0; j < COUNT(widths); j += 1) run(height(i), widths[j]);
  for (long i = 0; i < 8; i += 1) run(3, 256), run(5, 784);
}

static void flats(flat_case run) {
  for (long i = 0; i < 64; i += 1)
    for (long n = 0; n <= 70; n += 1) run(n);
  for (long i = 0; i < 64; i += 1) run(100), run(256), run(784), run(71 + below(900));
}

// Layers.

static void affine(long rows, long outputs, long inputs) {
  const int activation = (int)below(3), accumulate = maybe();
  const float *x = floats(rows * inputs, PLAIN), *w = floats(inputs * outputs, PLAIN), *bias = perhaps(outputs, PLAIN);
  float *y = floats(rows * outputs, PLAIN);
  table->affine(x, w, bias, y, rows, inputs, outputs, activation, accumulate);
  done(0);
}

static void weight_gradient(long inputs, long outputs, long rows) {
  const int accumulate = maybe();
  const float *x = floats(rows * inputs, PLAIN), *d = floats(rows * outputs, PLAIN);
  float *gw = floats(inputs * outputs, PLAIN);
  table->weight_gradient(x, d, gw, rows, inputs, outputs, accumulate);
  done(0);
}

// The same with narrow and wide changed over.
static void turned_weight_gradient(long outputs, long inputs, long rows) { weight_gradient(inputs, outputs, rows); }

static void bias_gradient(long rows, long outputs) {
  const int accumulate = maybe();
  const float *d = floats(rows * outputs, PLAIN);
  float *gb = floats(outputs, PLAIN);
  table->bias_gradient(d, gb, rows, outputs, accumulate);
  done(0);
}

static void input_gradient(long rows, long inputs, long outputs) {
  const int activation = (int)below(3), accumulate = maybe();
  const float *d = floats(rows * outputs, PLAIN), *w = floats(inputs * outputs, PLAIN);
  const float *a = activation == PAL_LINEAR ? 0 : floats(rows * inputs, PLAIN);
  float *dx = floats(rows * inputs, PLAIN), *scratch = take(4 * pal_scratch_floats(inputs, outputs), 0);
  table->input_gradient(d, w, a, dx, rows, inputs, outputs, activation, accumulate, scratch);
  done(0);
}

static void activation_gradient(long n) {
  const int activation = (int)below(3);
  float *d = floats(n, PLAIN);
  const float *a = floats(n, PLAIN);
  table->activation_gradient(d, a, n, activation);
  done(0);
}

// Losses.

// The columns lo … hi − 1 of a loss: half the time all of them.
static void draw_columns(long columns, long *lo, long *hi) {
  *lo = 0, *hi = columns;
  if (maybe()) return;
  *lo = below(columns);
  *hi = *lo + 1 + below(columns - *lo);
}

static void softmax_cross_entropy(long rows, long columns) {
  long lo, hi;
  draw_columns(columns, &lo, &hi);
  const float *z = floats(rows * columns, LOGIT), *weights = floats(rows, POSITIVE);
  const int32_t *labels = integers(rows, lo, hi);
  float *d = perhaps(rows * columns, PLAIN), *losses = perhaps(rows, PLAIN);
  done(table->softmax_cross_entropy(z, labels, weights, d, losses, rows, columns, lo, hi));
}

static void sigmoid_cross_entropy(long rows) {
  const float *z = floats(rows, LOGIT), *weights = floats(rows, POSITIVE);
  const int32_t *labels = integers(rows, 0, 2);
  float *d = perhaps(rows, PLAIN), *losses = perhaps(rows, PLAIN);
  done(table->sigmoid_cross_entropy(z, labels, weights, d, losses, rows));
}

static void softmax(long rows, long columns) {
  long lo, hi;
  draw_columns(columns, &lo, &hi);
  float *z = floats(rows * columns, LOGIT), *p = perhaps(rows * columns, PLAIN);
  table->softmax(z, p ? p : z, rows, columns, lo, hi);
  done(0);
}

static void sigmoid(long n) {
  const float *z = floats(n, LOGIT);
  float *p = floats(n, PLAIN);
  table->sigmoid(z, p, n);
  done(0);
}

// Optimisers.

static float draw_decay(void) { return maybe() ? 0.01f : 0.0f; }

static void sgd(long n) {
  const float decay = draw_decay();
  float *g = floats(n, PLAIN);
  const float *theta = floats(n, PLAIN);
  table->sgd(g, theta, n, 0.1f, decay);
  done(0);
}

static void momentum(long n) {
  const float decay = draw_decay();
  const int nesterov = maybe();
  float *g = floats(n, PLAIN), *v = floats(n, PLAIN);
  const float *theta = floats(n, PLAIN);
  table->momentum(g, v, theta, n, 0.1f, 0.9f, decay, nesterov);
  done(0);
}

static void adam(long n) {
  const float decay = draw_decay();
  float *g = floats(n, PLAIN), *m = floats(n, PLAIN), *v = floats(n, POSITIVE);
  const float *theta = floats(n, PLAIN);
  table->adam(g, m, v, theta, n, 0.01f, 3.2f, 0.9f, 0.999f, 1e-8f, decay);
  done(0);
}

static void adamw(long n) {
  const float shrink = draw_decay();
  float *g = floats(n, PLAIN), *m = floats(n, PLAIN), *v = floats(n, POSITIVE);
  const float *theta = floats(n, PLAIN);
  table->adamw(g, m, v, theta, n, 0.01f, 3.2f, 0.9f, 0.999f, 1e-8f, shrink);
  done(0);
}

enum { MOST_RANGES = 8 };

// Ranges in order, of whole blocks of 16 but for one that ends at n. Returns how many.
static long draw_ranges(long n, long *ranges) {
  long count = 0;
  for (long place = 16 * below(3); place < n && count < MOST_RANGES; place += 16 * below(3)) {
    ranges[2 * count] = place;
    place += 16 * (1 + below(4));
    if (place > n) place = n;
    ranges[2 * count + 1] = place;
    count += 1;
  }
  return count;
}

// An update of n parameters, of any rule, with a pull of some of them and a path or without. Its gradient is the caller's.
static pal_update draw_update(long n) {
  pal_update p = {.rule = (int)below(4), .nesterov = maybe(), .rate = 0.1f, .momentum = 0.9f, .beta2 = 0.999f, .root = 3.2f,
                  .epsilon = 1e-8f, .strength = 7.0f};
  const long choice = below(3);
  p.decay = draw_decay();
  p.pulled = choice == 0 ? 0 : choice == 1 ? n : below(n + 1);
  p.theta = floats(n, PLAIN);
  if (p.rule != PAL_SGD) p.first = floats(n, PLAIN);
  if (p.rule >= PAL_ADAM) p.second = floats(n, POSITIVE);
  if (p.pulled > 0) p.importance = floats(p.pulled, POSITIVE);
  if (p.pulled > 0) p.anchor = floats(p.pulled, PLAIN);
  p.path = perhaps(n, PLAIN);
  return p;
}

static void update(long n) {
  long ranges[2 * MOST_RANGES];
  const long count = draw_ranges(n, ranges);
  pal_update p = draw_update(n);
  p.gradient = floats(n, PLAIN);
  done(table->update(&p, n, ranges, count));
}

static void update_ranges(long n) {
  long ranges[2 * MOST_RANGES];
  const long count = draw_ranges(n, ranges);
  pal_update p = draw_update(n);
  p.gradient = floats(n, PLAIN);
  done(table->update_ranges(&p, ranges, count));
}

// The weights of a layer among other parameters.
static void learn_weights(long inputs, long outputs, long rows) {
  const long first = 16 * below(3), strip = inputs < 128 ? inputs : 128;
  const pal_update p = draw_update(first + inputs * outputs + below(20));
  const float *x = floats(rows * inputs, PLAIN), *d = floats(rows * outputs, PLAIN);
  done(table->learn_weights(&p, first, x, d, floats(strip * outputs, PLAIN), rows, inputs, outputs));
}

static void turned_learn_weights(long outputs, long inputs, long rows) { learn_weights(inputs, outputs, rows); }

// Vectors.

static void add(long n) {
  float *y = floats(n, PLAIN);
  const float *x = floats(n, PLAIN);
  table->add(y, x, n);
  done(0);
}

static void axpy(long n) {
  const float a = value(PLAIN);
  float *y = floats(n, PLAIN);
  const float *x = floats(n, PLAIN);
  table->axpy(y, x, n, a);
  done(0);
}

static void scale(long n) {
  const float a = value(PLAIN);
  float *y = floats(n, PLAIN);
  table->scale(y, n, a);
  done(0);
}

static void dot(long n) {
  const float *x = floats(n, PLAIN), *y = floats(n, PLAIN);
  done(table->dot(x, y, n));
}

static void squared_distance(long n) {
  const float *x = floats(n, PLAIN), *y = floats(n, PLAIN);
  done(table->squared_distance(x, y, n));
}

static void quadratic_penalty(long n) {
  float *g = floats(n, PLAIN);
  const float *theta = floats(n, PLAIN), *importance = floats(n, POSITIVE), *anchor = floats(n, PLAIN);
  done(table->quadratic_penalty(g, theta, importance, anchor, n, 7.0f));
}

static void path_integral(long n) {
  float *path = floats(n, PLAIN);
  const float *g = floats(n, PLAIN), *u = floats(n, PLAIN);
  table->path_integral(path, g, u, n);
  done(0);
}

// Rows.

static void gate(long rows, long columns) {
  const int accumulate = maybe();
  const float *x = floats(rows * columns, PLAIN), *a = floats(columns, PLAIN);
  float *y = floats(rows * columns, PLAIN);
  table->gate(x, a, y, rows, columns, accumulate);
  done(0);
}

static void gate_gradient(long rows, long columns) {
  const int accumulate = maybe();
  const float *x = floats(rows * columns, PLAIN), *d = floats(rows * columns, PLAIN);
  float *ga = floats(columns, PLAIN);
  table->gate_gradient(x, d, ga, rows, columns, accumulate);
  done(0);
}

static void square_rows(long rows, long columns) {
  const float *x = floats(rows * columns, PLAIN), *factors = perhaps(rows, PLAIN);
  float *y = floats(rows * columns, PLAIN);
  table->square_rows(x, factors, y, rows, columns);
  done(0);
}

enum { MOST_WIDER = 20 };

// A gather's source: as many columns as the result or, with an order, more or fewer.
static long source_columns(long columns, int ordered) { return ordered ? 1 + below(columns + MOST_WIDER) : columns; }

static void gather_bytes(long rows, long columns) {
  const int ordered = maybe();
  const long stride = source_columns(columns, ordered);
  const uint8_t *source = bytes(rows * stride);
  const int32_t *index = maybe() ? integers(rows, 0, rows) : 0, *order = ordered ? integers(columns, -1, stride) : 0;
  float *y = floats(rows * columns, PLAIN);
  table->gather_bytes(source, index, order, y, rows, columns, stride, 1 / 255.0f, -0.1307f);
  done(0);
}

static void gather_floats(long rows, long columns) {
  const int ordered = maybe();
  const long stride = source_columns(columns, ordered);
  const float *source = floats(rows * stride, PLAIN);
  const int32_t *index = maybe() ? integers(rows, 0, rows) : 0, *order = ordered ? integers(columns, -1, stride) : 0;
  float *y = floats(rows * columns, PLAIN);
  table->gather_floats(source, index, order, y, rows, columns, stride);
  done(0);
}

// Doubles: their bits go into the hash one by one.

static void mix_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  mix(isnan(x) ? 0 : bits);
}

static void logistic(long n) {
  const double factor = maybe() ? 50 : 1;
  double *x = doubles(n, LOGIT);
  for (long i = 0; i < n; i += 1) x[i] *= factor;
  table->logistic(x, n);
  for (long i = 0; i < n; i += 1) mix_double(x[i]);
  done(0);
}

static void mix_scores(const pal_scores *scores) {
  mix((uint64_t)scores->right);
  mix_double(scores->loss);
  mix_double(scores->expected);
}

static void score_logits(long rows) {
  pal_scores scores = {3, 0.1, 0.2};
  const float *z = floats(rows, LOGIT), *truth = perhaps(rows, POSITIVE);
  table->score_logits(z, integers(rows, 0, 2), truth, rows, &scores);
  mix_scores(&scores);
  done(0);
}

static void score_softmax(long rows, long columns) {
  long lo, hi;
  pal_scores scores = {3, 0.1, 0.2};
  draw_columns(columns, &lo, &hi);
  const float *z = floats(rows * columns, LOGIT), *truth = perhaps(rows, POSITIVE);
  table->score_softmax(z, integers(rows, lo, hi), truth, rows, columns, lo, hi, &scores);
  mix_scores(&scores);
  done(0);
}

static void cross_products(long units, long others, long rows) {
  const float *x = floats(rows * units, PLAIN), *y = floats(rows * others, PLAIN);
  double *sums = doubles(units * others, PLAIN);
  table->cross_products(x, y, sums, rows, units, others);
  for (long i = 0; i < units * others; i += 1) mix_double(sums[i]);
  done(0);
}

// The kernel asks neither for values in order of size nor for places that are all different.
static void middle_sums(long n) {
  const double *sorted = doubles(n, PLAIN);
  const uint8_t *counts = bytes(16 * n);
  const int32_t *order = integers(n, 0, n);
  double *sums = doubles(16, PLAIN);
  table->middle_sums(sorted, order, counts, n, n / 4, sums);
  for (long i = 0; i < 16; i += 1) mix_double(sums[i]);
  done(0);
}

// Every kernel of the table, each with its cases: products, matrices or flat ones.
typedef struct {
  const char *name;
  product_case product, turned;
  matrix_case matrix;
  flat_case flat;
} check;

#define FLAT(name) {#name, .flat = name}
#define MATRIX(name) {#name, .matrix = name}
static const check checks[] = {
    {"affine", .product = affine},
    {"weight_gradient", .product = weight_gradient, .turned = turned_weight_gradient},
    MATRIX(bias_gradient),
    {"input_gradient", .product = input_gradient},
    FLAT(activation_gradient), MATRIX(softmax_cross_entropy), FLAT(sigmoid_cross_entropy), MATRIX(softmax), FLAT(sigmoid),
    FLAT(sgd), FLAT(momentum), FLAT(adam), FLAT(adamw), FLAT(update), FLAT(update_ranges),
    {"learn_weights", .product = learn_weights, .turned = turned_learn_weights},
    FLAT(add), FLAT(axpy), FLAT(scale), FLAT(dot),
    FLAT(squared_distance), FLAT(quadratic_penalty), FLAT(path_integral), MATRIX(gate),
    MATRIX(gate_gradient), MATRIX(square_rows), MATRIX(gather_bytes), MATRIX(gather_floats),
    FLAT(logistic), FLAT(score_logits), MATRIX(score_softmax), {"cross_products", .product = cross_products},
    FLAT(middle_sums),
};

_Static_assert(offsetof(pal_kernels, peak_loop) - offsetof(pal_kernels, affine) == COUNT(checks) * sizeof(void (*)(void)),
               "a kernel has no check here");

static void run(const check *c) {
  kernel = c->name;
  cases = 0, hash = 0, wild = 0, state = 2463534242u;
  if (c->product) products(c->product);
  if (c->turned) products(c->turned);
  if (c->matrix) matrices(c->matrix);
  if (c->flat) flats(c->flat);
  printf("%s %d %s %ld %016llx\n", table->name, table->fused, c->name, cases, (unsigned long long)hash);
}

int main(int count, char **words) {
  each_case = count > 1;
  make_slots();
  signal(SIGSEGV, overstepped);
  signal(SIGBUS, overstepped);
  for (long i = 0; pal_kernels_name(i); i += 1) {
    table = pal_kernels_named(pal_kernels_name(i));
    for (long j = 0; table && j < COUNT(checks); j += 1)
      if (count < 2 || strcmp(words[1], checks[j].name) == 0) run(&checks[j]);
  }
}
