// Transforms of FFTW in derivatives. A transform is linear: its tangent is the
// same transform of the shadows, and its adjoint is the transposed one, taken
// from the shadow of the output, which is zero then, and added to that of the
// input. Compiled for each precision: REAL is double or float, FFTW(Name) a
// function of that library, OURS(Name) one of this file.
//
// FFTW's interface does not tell what a plan does, so that is read from the
// plan itself. All versions 3 keep the problem there that was given to the
// planner; where the library is another one, or does not keep what it was
// given, the program ends with a sentence.
//
// Input that a transform to real numbers or FFTW's planner destroys holds no
// numbers that a program can read: it stores others before it does, and these
// stores clear the adjoint.
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { Forward = -1, Estimate = 1u << 6 };
enum { MaxRank = 8 };

struct dimension { ///< fftw_iodim64
  ptrdiff_t n, in, out;
};

void *FFTW(malloc)(size_t bytes);
void FFTW(free)(void *memory);
int FFTW(alignment_of)(REAL *array);
void *FFTW(plan_guru64_dft)(int rank, const struct dimension *dims, int loops,
                            const struct dimension *loop, REAL *in, REAL *out,
                            int sign, unsigned flags);
void *FFTW(plan_guru64_dft_r2c)(int rank, const struct dimension *dims,
                                int loops, const struct dimension *loop,
                                REAL *in, REAL *out, unsigned flags);
void *FFTW(plan_guru64_dft_c2r)(int rank, const struct dimension *dims,
                                int loops, const struct dimension *loop,
                                REAL *in, REAL *out, unsigned flags);
void FFTW(execute_dft)(void *plan, REAL *in, REAL *out);
void FFTW(execute_dft_r2c)(void *plan, REAL *in, REAL *out);
void FFTW(execute_dft_c2r)(void *plan, REAL *in, REAL *out);
void FFTW(destroy_plan)(void *plan);
extern const char FFTW(version)[] __attribute__((weak));

__attribute__((noreturn, cold)) void
__retro_fail(const char *before, uint64_t number, const char *after);

static _Noreturn void stop(const char *why) { __retro_fail(why, 0, NULL); }

//===----------------------------------------------------------------------===//
// What a plan does

enum kind { Complex, ToComplex, ToReal };
enum side { In, Out };

/// Strides are in numbers. Of a transform between real and complex numbers the
/// last dimension has n real ones and n / 2 + 1 complex ones.
struct transform {
  enum kind kind;
  int sign; ///< of Complex
  int rank; ///< of one transform
  int all;  ///< dimensions: those of the loops over transforms come first
  struct dimension dims[2 * MaxRank];
  int inPlace;
};

/// FFTW's own, as far as they are read.
struct tensor {
  int rank;
  struct dimension dims[];
};
struct problem {
  const int *kind;
  const struct tensor *size, *loops;
  REAL *real, *imaginary; ///< of the input; of ToComplex and ToReal: of the
                          ///< real array, the first and the second number
  REAL *realOut, *imaginaryOut; ///< of the output; of the complex array
  int direction;                ///< of a transform with a real array
};
struct plan {
  void *steps;
  const struct problem *problem;
};
enum { OfComplex = 1, OfReal = 3, ToHalf = 0, FromHalf = 4 };

/// FFTW notes in the last bits that an array is not aligned.
static REAL *addressOf(REAL *noted) {
  return (REAL *)((uintptr_t)noted & ~(uintptr_t)(sizeof(REAL) - 1));
}

static void addDimensions(struct transform *t, const struct tensor *of) {
  for (int i = 0; i < of->rank; ++i)
    t->dims[t->all++] = of->dims[i];
}

static struct transform read(const struct plan *p) {
  const struct problem *q = p->problem;
  struct transform t = {.rank = q->size->rank};
  if (*q->kind != OfComplex && *q->kind != OfReal)
    stop("a transform of FFTW other than between complex numbers, or between "
         "real and complex ones, is in a derivative");
  if (q->size->rank < 0 || q->size->rank > MaxRank || q->loops->rank < 0 ||
      q->loops->rank > MaxRank)
    stop("a transform of FFTW with no or with too many dimensions is in a "
         "derivative");
  addDimensions(&t, q->loops);
  addDimensions(&t, q->size);
  REAL *a = addressOf(q->real), *b = addressOf(q->imaginary),
       *c = addressOf(q->realOut), *d = addressOf(q->imaginaryOut);
  t.inPlace = a == c;
  if (*q->kind == OfReal) {
    if (d - c != 1 || (q->direction != ToHalf && q->direction != FromHalf))
      stop("a transform of FFTW with real and imaginary parts in arrays of "
           "their own is in a derivative");
    t.kind = q->direction == ToHalf ? ToComplex : ToReal;
    if (t.rank) // FFTW has the stride from every second number to the next
      *(t.kind == ToComplex ? &t.dims[t.all - 1].in : &t.dims[t.all - 1].out) =
          b - a;
    return t;
  }
  if (d - c != b - a || (b - a != 1 && b - a != -1))
    stop("a transform of FFTW with real and imaginary parts in arrays of their "
         "own is in a derivative");
  t.sign = b - a == 1 ? Forward : -Forward;
  return t;
}

atomic_flag OURS(_lock) = ATOMIC_FLAG_INIT;
static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&OURS(_lock), memory_order_acquire))
    ;
}
static void unlock(void) {
  atomic_flag_clear_explicit(&OURS(_lock), memory_order_release);
}

static void *make(enum kind kind, int sign, int rank,
                  const struct dimension *dims, int loops,
                  const struct dimension *loop, REAL *in, REAL *out) {
  return kind == Complex ? FFTW(plan_guru64_dft)(rank, dims, loops, loop, in,
                                                 out, sign, Estimate)
         : kind == ToComplex
             ? FFTW(plan_guru64_dft_r2c)(rank, dims, loops, loop, in, out,
                                         Estimate)
             : FFTW(plan_guru64_dft_c2r)(rank, dims, loops, loop, in, out,
                                         Estimate);
}

/// Is what is read from a plan what the planner was given? Asked with the lock.
static int isRead(enum kind kind, int sign) {
  const struct dimension dims[] = {{4, kind == ToReal ? 4 : 6, 7}, {6, 1, 1}},
                         loop = {3, 24, 28};
  REAL *in = FFTW(malloc)(400 * sizeof *in),
       *out = FFTW(malloc)(400 * sizeof *out);
  void *plan = make(kind, sign, 2, dims, 1, &loop, in, out);
  int same = plan != NULL;
  if (same) {
    struct transform t = read(plan);
    same = t.kind == kind && t.sign == sign && t.rank == 2 && t.all == 3 &&
           !t.inPlace;
    const int wide[] = {kind == ToComplex ? 1 : 2, kind == ToReal ? 1 : 2};
    const struct dimension *given[] = {&loop, &dims[0], &dims[1]};
    for (int i = 0; same && i < 3; ++i)
      same = t.dims[i].n == given[i]->n &&
             t.dims[i].in == given[i]->in * wide[In] &&
             t.dims[i].out == given[i]->out * wide[Out];
    FFTW(destroy_plan)(plan);
  }
  FFTW(free)(in);
  FFTW(free)(out);
  return same;
}

static struct transform transformOf(const void *plan) {
  static atomic_int known;
  if (!atomic_load(&known)) {
    lock();
    if (!FFTW(version) || strncmp(FFTW(version), "fftw-3.", 7) != 0 ||
        !isRead(Complex, Forward) || !isRead(Complex, -Forward) ||
        !isRead(ToComplex, 0) || !isRead(ToReal, 0))
      stop(
          "a transform is in a derivative, and the library that runs it is not "
          "FFTW 3: what its plans do is not known");
    atomic_store(&known, 1);
    unlock();
  }
  return read(plan);
}

//===----------------------------------------------------------------------===//
// Arrays without gaps, in which transforms of shadows run

static int isReal(const struct transform *t, enum side s) {
  return t->kind == (s == In ? ToComplex : ToReal);
}

/// How many elements an array has in this dimension, on this side.
static ptrdiff_t extent(const struct transform *t, int dim, enum side s) {
  ptrdiff_t n = t->dims[dim].n;
  return t->kind != Complex && dim == t->all - 1 && t->rank && !isReal(t, s)
             ? n / 2 + 1
             : n;
}

/// Numbers of the elements of all transforms.
static size_t numbers(const struct transform *t, enum side s) {
  size_t n = isReal(t, s) ? 1 : 2;
  for (int i = 0; i < t->all; ++i)
    n *= (size_t)extent(t, i, s);
  return n;
}

enum move { Take, TakeAndClear, Store, Add };

static void moveFrom(const struct transform *t, enum side s, enum move what,
                     int dim, REAL *array, REAL **packed) {
  if (dim < t->all) {
    ptrdiff_t n = extent(t, dim, s),
              stride = s == In ? t->dims[dim].in : t->dims[dim].out;
    for (ptrdiff_t i = 0; i < n; ++i)
      moveFrom(t, s, what, dim + 1, array + i * stride, packed);
    return;
  }
  for (int i = 0; i < (isReal(t, s) ? 1 : 2); ++i, ++*packed)
    switch (what) {
    case TakeAndClear:
      **packed = array[i];
      array[i] = 0;
      break;
    case Take:
      **packed = array[i];
      break;
    case Store:
      array[i] = **packed;
      break;
    case Add:
      array[i] += **packed;
      break;
    }
}

/// Moves all elements between one side's array and one without gaps.
static void move(const struct transform *t, enum side s, enum move what,
                 REAL *array, REAL *packed) {
  moveFrom(t, s, what, 0, array, &packed);
}

/// A plan for arrays without gaps, for all that do the same.
struct packed {
  enum kind kind;
  int sign, rank;
  ptrdiff_t loops, n[MaxRank];
  void *plan;
  struct packed *next;
};
struct packed *OURS(_packed);

static void *packedPlan(enum kind kind, int sign, const struct transform *t,
                        REAL *in, REAL *out) {
  struct packed key = {.kind = kind, .sign = sign, .rank = t->rank, .loops = 1};
  for (int i = 0; i < t->all - t->rank; ++i)
    key.loops *= t->dims[i].n;
  for (int i = 0; i < t->rank; ++i)
    key.n[i] = t->dims[t->all - t->rank + i].n;
  lock();
  struct packed *p = OURS(_packed);
  while (p && (p->kind != kind || p->sign != sign || p->rank != key.rank ||
               p->loops != key.loops || memcmp(p->n, key.n, sizeof key.n)))
    p = p->next;
  if (!p) {
    struct dimension dims[MaxRank], loop = {key.loops, 1, 1};
    for (int i = t->rank - 1; i >= 0; --i) {
      const ptrdiff_t half = i == t->rank - 1 ? key.n[i] / 2 + 1 : key.n[i];
      dims[i] = (struct dimension){key.n[i], loop.in, loop.out};
      loop.in *= kind == ToReal ? half : key.n[i];
      loop.out *= kind == ToComplex ? half : key.n[i];
    }
    p = malloc(sizeof *p);
    *p = key;
    p->plan = make(kind, sign, t->rank, dims, 1, &loop, in, out);
    p->next = OURS(_packed);
    OURS(_packed) = p;
  }
  unlock();
  if (!p->plan)
    stop("FFTW makes no plan for the derivative of a transform");
  return p->plan;
}

static void run(enum kind kind, void *plan, REAL *in, REAL *out) {
  if (kind == Complex)
    FFTW(execute_dft)(plan, in, out);
  else if (kind == ToComplex)
    FFTW(execute_dft_r2c)(plan, in, out);
  else
    FFTW(execute_dft_c2r)(plan, in, out);
}

//===----------------------------------------------------------------------===//
// Adjoint and tangent

/// The place of the element whose frequencies are opposite, in all dimensions
/// but the last.
static ptrdiff_t oppositeOf(const struct transform *t, ptrdiff_t of) {
  ptrdiff_t result = 0, scale = 1;
  for (int i = t->all - 2; i >= t->all - t->rank; --i) {
    const ptrdiff_t n = t->dims[i].n, k = of % n;
    result += (n - k) % n * scale;
    scale *= n;
    of /= n;
  }
  return result;
}

/// Prepares adjoints g of the complex numbers of a ToComplex for the transform
/// to real numbers, which counts those twice that stand for their conjugates as
/// well, and takes the others to be equal to the conjugates of their opposites.
static void halve(const struct transform *t, REAL *g) {
  const ptrdiff_t n = t->rank ? t->dims[t->all - 1].n : 1, half = n / 2 + 1;
  ptrdiff_t rows = 1, loops = 1;
  for (int i = 0; i < t->all - 1 || i < t->all - t->rank; ++i)
    *(i < t->all - t->rank ? &loops : &rows) *= t->dims[i].n;
  for (ptrdiff_t l = 0; l < loops; ++l, g += 2 * rows * half)
    for (ptrdiff_t k = 0; k < half; ++k)
      for (ptrdiff_t r = 0; r < rows; ++r) {
        REAL *at = g + 2 * (r * half + k);
        if (k > 0 && 2 * k != n) {
          at[0] /= 2;
          at[1] /= 2;
          continue;
        }
        const ptrdiff_t o = oppositeOf(t, r);
        REAL *opposite = g + 2 * (o * half + k);
        if (o < r)
          continue;
        at[0] = opposite[0] = (at[0] + opposite[0]) / 2;
        at[1] = (at[1] - opposite[1]) / 2;
        opposite[1] = -at[1];
      }
}

/// Counts twice what stands for its conjugate as well.
static void twice(const struct transform *t, REAL *g) {
  const ptrdiff_t n = t->rank ? t->dims[t->all - 1].n : 1, half = n / 2 + 1;
  const size_t all = numbers(t, In);
  for (size_t i = 0; i < all; ++i) {
    const ptrdiff_t k = (ptrdiff_t)(i / 2) % half;
    if (k > 0 && 2 * k != n)
      g[i] *= 2;
  }
}

static REAL *room(size_t n) {
  REAL *p = FFTW(malloc)(n * sizeof *p);
  if (!p)
    stop("out of memory in the derivative of a transform");
  return p;
}

/// A shadow that is null is of memory that is not differentiated.
static void adjoint(const struct transform *t, REAL *in, REAL *out) {
  if (!out || !numbers(t, In))
    return;
  REAL *from = room(numbers(t, Out)), *to = room(numbers(t, In));
  move(t, Out, TakeAndClear, out, from);
  if (in) {
    const enum kind kind = t->kind == Complex     ? Complex
                           : t->kind == ToComplex ? ToReal
                                                  : ToComplex;
    if (kind == ToReal)
      halve(t, from);
    run(kind, packedPlan(kind, -t->sign, t, from, to), from, to);
    if (kind == ToComplex)
      twice(t, to);
    move(t, In, Add, in, to);
  }
  FFTW(free)(from);
  FFTW(free)(to);
}

static int alike(REAL *a, REAL *b) {
  return FFTW(alignment_of)(a) == FFTW(alignment_of)(b);
}

static void tangent(void *plan, REAL *in, REAL *out, REAL *planIn,
                    REAL *planOut) {
  if (!out)
    return;
  const struct transform t = transformOf(plan);
  if (in && (in == out) == t.inPlace && alike(in, planIn) &&
      alike(out, planOut))
    return run(t.kind, plan, in, out);
  REAL *from = room(numbers(&t, In)), *to = room(numbers(&t, Out));
  if (in) {
    move(&t, In, Take, in, from);
    run(t.kind, packedPlan(t.kind, t.sign, &t, from, to), from, to);
  } else {
    memset(to, 0, numbers(&t, Out) * sizeof *to);
  }
  move(&t, Out, Store, out, to);
  FFTW(free)(from);
  FFTW(free)(to);
}

/// Where the plan's own arrays begin.
static REAL *arrayOf(const void *plan, enum side s) {
  const struct problem *q = ((const struct plan *)plan)->problem;
  const struct transform t = transformOf(plan);
  REAL *first = addressOf(q->real), *second = addressOf(q->realOut);
  if (t.kind == Complex && t.sign != Forward)
    --first, --second;
  return (s == In) == (t.kind != ToReal) ? first : second;
}

//===----------------------------------------------------------------------===//
// What derivatives call. Each is given the operands, then their shadows; that
// of memory without one is the memory itself.

/// The shadow of a plan: its arrays' shadows.
struct arrays {
  REAL *in, *out;
};
struct tape {
  struct transform of;
  struct arrays shadows;
};

static void *shadowOfPlan(REAL *in, REAL *out, REAL *inShadow,
                          REAL *outShadow) {
  struct arrays *p = malloc(sizeof *p);
  *p = (struct arrays){inShadow == in ? NULL : inShadow,
                       outShadow == out ? NULL : outShadow};
  return p;
}

static void *tapeOf(void *plan, REAL *in, REAL *out) {
  struct tape *t = malloc(sizeof *t);
  *t = (struct tape){transformOf(plan), {in, out}};
  return t;
}

void *OURS(_plan_forward)(REAL *in, REAL *out, REAL *inShadow,
                          REAL *outShadow) {
  return shadowOfPlan(in, out, inShadow, outShadow);
}
void *OURS(_plan_tangent)(REAL *in, REAL *out, REAL *inShadow,
                          REAL *outShadow) {
  return shadowOfPlan(in, out, inShadow, outShadow);
}
void *OURS(_plan_forward_tangent)(REAL *in, REAL *out, REAL *inShadow,
                                  REAL *outShadow, REAL *inTangent,
                                  REAL *outTangent, REAL *inShadowTangent,
                                  REAL *outShadowTangent) {
  (void)inTangent, (void)outTangent;
  return shadowOfPlan(inShadow, outShadow,
                      inShadow == in ? inShadow : inShadowTangent,
                      outShadow == out ? outShadow : outShadowTangent);
}

void OURS(_destroy_forward)(void *plan, struct arrays *shadow) {
  (void)plan;
  free(shadow);
}
void OURS(_destroy_tangent)(void *plan, struct arrays *shadow) {
  (void)plan;
  free(shadow);
}
void OURS(_destroy_forward_tangent)(void *plan, struct arrays *shadow,
                                    struct arrays *planTangent,
                                    struct arrays *shadowTangent) {
  (void)plan, (void)shadow, (void)planTangent;
  free(shadowTangent);
}

static void reverse(struct tape *t) {
  adjoint(&t->of, t->shadows.in, t->shadows.out);
  free(t);
}

void *OURS(_execute_forward)(void *plan, struct arrays *shadow) {
  return tapeOf(plan, shadow->in, shadow->out);
}
void OURS(_execute_reverse)(void *tape) { reverse(tape); }
void OURS(_execute_tangent)(void *plan, struct arrays *shadow) {
  tangent(plan, shadow->in, shadow->out, arrayOf(plan, In), arrayOf(plan, Out));
}
void *OURS(_execute_forward_tangent)(void *plan, struct arrays *shadow,
                                     struct arrays *planTangent,
                                     struct arrays *shadowTangent) {
  (void)shadow, (void)planTangent;
  return tapeOf(plan, shadowTangent->in, shadowTangent->out);
}
void OURS(_execute_reverse_tangent)(void *tape, void *tangent) {
  (void)tape;
  reverse(tangent);
}

void *OURS(_arrays_forward)(REAL *in, REAL *out, void *plan, REAL *inShadow,
                            REAL *outShadow) {
  return tapeOf(plan, inShadow == in ? NULL : inShadow,
                outShadow == out ? NULL : outShadow);
}
void OURS(_arrays_reverse)(void *tape) { reverse(tape); }
void OURS(_arrays_tangent)(REAL *in, REAL *out, void *plan, REAL *inShadow,
                           REAL *outShadow) {
  tangent(plan, inShadow == in ? NULL : inShadow,
          outShadow == out ? NULL : outShadow, in, out);
}
void *OURS(_arrays_forward_tangent)(REAL *in, REAL *out, void *plan,
                                    REAL *inShadow, REAL *outShadow,
                                    REAL *inTangent, REAL *outTangent,
                                    REAL *inShadowTangent,
                                    REAL *outShadowTangent) {
  (void)inTangent, (void)outTangent;
  return tapeOf(
      plan,
      inShadow == in || inShadowTangent == inShadow ? NULL : inShadowTangent,
      outShadow == out || outShadowTangent == outShadow ? NULL
                                                        : outShadowTangent);
}
void OURS(_arrays_reverse_tangent)(void *tape, void *tangent) {
  (void)tape;
  reverse(tangent);
}
