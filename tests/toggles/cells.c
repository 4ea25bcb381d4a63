// A program for each optimization, which applies to its gradient. cells.py
// compiles them as derivatives of every other kind.
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;
extern int enzyme_width, enzyme_pool;
void REQUEST(void *, ...);
void __enzyme_fwddiff_again(void *, ...);
double *__enzyme_todense(void *, void *, ...);
void *malloc(unsigned long);
void free(void *);
double sin(double), exp(double);

#define NAMED(f)                                                               \
  static void f(const double *restrict x, double *restrict y,                  \
                const int *restrict at, long n)
#define FUNCTION NAMED(f)
#define EACH(i) for (long i = 0; i < n; ++i)
#define STEP p = p * a + s * (b - 0.3 * p), s = s * b - p * (a + 0.2 * s)
#define FOUR STEP, STEP, STEP, STEP

#if defined(of_inlining)
__attribute__((noinline)) static double square(double x) { return x * x; }
FUNCTION { EACH(i) y[i] = square(x[i]); }
#elif defined(of_unroll)
FUNCTION {
  double s = 1;
  for (int i = 0; i < 4; ++i)
    s *= x[i];
  y[0] = s;
}
#elif defined(of_own_copy)
__attribute__((noinline)) FUNCTION { EACH(i) y[i] = x[i] * x[i]; }
void primal(const double *x, double *y, const int *at) { f(x, y, at, 1000); }
#elif defined(of_constants)
FUNCTION { EACH(i) y[i] = x[i] * x[i]; }
#define LENGTH 1000L
#elif defined(of_contract)
FUNCTION {
  double *d = malloc(sizeof(double) * n), sum = 0;
  for (long i = 0; i < at[0]; ++i) {
    for (long j = 0; j < n; ++j)
      d[j] = x[i * n + j] - x[j];
    for (long j = 0; j < n; ++j)
      sum += d[j] * d[j] * x[j];
  }
  free(d);
  y[0] = sum;
}
#elif defined(of_gather)
static void polar(const double *restrict x, double *restrict out) {
  out[0] = x[0] * sin(x[1]);
  out[1] = x[0] * x[1] * x[1];
}
void rows(const double *x, double *rows) {
  for (int r = 0; r < 2; ++r) {
    double out[2], seed[2] = {r == 0, r == 1};
    REQUEST((void *)polar, enzyme_dup, x, rows + 2 * r, enzyme_dup, out, seed);
  }
}
FUNCTION { y[0] = x[0]; }
#elif defined(of_preaccumulate)
FUNCTION {
  double angle = x[0], speed = x[1];
  EACH(i) {
    double old = angle;
    angle += 0.1 * speed;
    speed -= 0.1 * sin(old);
  }
  y[0] = angle * speed;
}
#elif defined(of_loop_checkpoints)
FUNCTION {
  double u = x[0], v = x[1];
  EACH(i) {
    double old = u;
    u = u + x[2] * sin(v);
    v = v - x[3] * old;
  }
  y[0] = u * v;
}
#elif defined(of_min_cut)
FUNCTION {
  EACH(i) {
    double v = y[i], w = v * v, z = w + 3;
    y[i] = sin(w * z) + x[i];
  }
}
#elif defined(of_recompute_cost)
#define LESS(u) (u) = (u) * c + 0.25
FUNCTION {
  double c = n * 0.1;
  double *in = (double *)x;
  EACH(i) {
    double v = in[i], u = v;
    in[i] = 0;
    LESS(u), LESS(u), LESS(u), LESS(u), LESS(u);
    LESS(u), LESS(u), LESS(u), LESS(u), LESS(u);
    y[i] = sin(u) + v * v;
  }
}
#elif defined(of_branch_choice)
FUNCTION {
  double s = 1;
  EACH(i) {
    if (i % 5 == 0)
      y[i] = s * x[i];
    else if (i % 3 == 0)
      s += x[i] * x[i];
    else
      y[i + 1] = s * s;
    s *= y[i];
  }
  y[0] = s;
}
#elif defined(of_fusion)
FUNCTION {
  EACH(i) {
    double s = 0;
    EACH(j) s += exp(x[i] * x[j]);
    y[i] = 0.5 * s;
  }
}
#elif defined(of_combine)
FUNCTION {
#pragma omp parallel for
  EACH(i) y[i] = sin(x[i]) * x[n - 1 - i];
}
#elif defined(of_inversion)
FUNCTION {
  unsigned long s = 1;
  EACH(i) {
    y[s >> 60] *= x[s >> 60];
    s = s * 6364136223846793005ul + 1442695040888963407ul;
  }
}
#elif defined(of_loop_order) || defined(of_two_versions)
FUNCTION {
  double w = 1;
  EACH(i) {
    y[i] = y[i] * w;
    w *= 0.9 + n * 1e-9;
  }
}
#elif defined(of_updates)
FUNCTION { EACH(i) y[i] = y[i] * y[i] * x[i]; }
#elif defined(of_late_stores)
static void f(const double *x, double *y, const int *at, long n) {
  double s = 0;
  EACH(i) s += x[at[i]] * x[at[i]] * x[at[i]];
  *y = s * s;
}
#elif defined(of_by_array)
FUNCTION {
  double s = 0;
  EACH(i) EACH(j) s += y[j] * x[i * n + j];
  EACH(i) y[i] = s * x[i];
}
#elif defined(of_neighbours)
#define ABOVE(a, b) ((a) > (b) ? (a) : (b))
#define BELOW(a, b) ((a) < (b) ? (a) : (b))
FUNCTION {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y[i * n + j] =
          0.2 * (x[ABOVE(i - 1, 0) * n + j] + x[BELOW(i + 1, n - 1) * n + j] +
                 x[i * n + ABOVE(j - 1, 0)] + x[i * n + BELOW(j + 1, n - 1)]) +
          sin(x[i * n + j]) * exp(x[i * n + j]);
}
#elif defined(of_clamped_loops)
FUNCTION { EACH(i) y[i] = sin(x[i < at[0] ? i : at[0]]); }
#elif defined(of_reload)
FUNCTION {
  double last = x[0], here = x[1];
  for (long i = 1; i < n - 1; ++i) {
    double next = x[i + 1];
    y[i] = last * next * sin(here);
    last = here;
    here = next;
  }
}
#elif defined(of_carry)
FUNCTION {
  for (long i = 1; i < n - 1; ++i)
    y[i] = 0.5 * (x[i - 1] + x[i + 1]) + x[i];
}
#elif defined(of_argument_ranges)
static void f(const double *x, double *y, const int *at, long n) {
  EACH(i) y[i] = x[i] * x[i] * x[i];
}
#elif defined(of_strips)
FUNCTION {
  EACH(i) {
    double a = x[at[2 * i]], b = x[at[2 * i + 1]], p = a * b, s = a - b;
    FOUR;
    y[i] = s * p;
  }
}
#elif defined(of_strip_parts)
#define LINEAR p = 0.9 * p + 0.1 * s, s = 1.1 * s - 0.2 * p
#define LINEAR4 LINEAR, LINEAR, LINEAR, LINEAR
#define LINEAR16 LINEAR4, LINEAR4, LINEAR4, LINEAR4
#define LINEAR64 LINEAR16, LINEAR16, LINEAR16, LINEAR16
FUNCTION {
  EACH(i) {
    double a = x[at[2 * i]], p = a, s = x[at[2 * i + 1]];
    LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64;
    LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64, LINEAR64;
    y[i] = p + s + 0.5 * a;
  }
}
#elif defined(of_strip_ranges)
static void f(const double *x, double *y, const int *at, long n) {
  EACH(i) {
    double a = x[at[2 * i]], b = x[at[2 * i + 1]], p = a * b, s = a - b;
    FOUR;
    y[i] = s * p;
  }
}
#elif defined(of_scatters)
FUNCTION {
  EACH(i) {
    const int k = at[i];
    double a = x[k], b = x[k + 1], p = a * b, s = a - b;
    FOUR;
    y[k] = s * p;
  }
}
#elif defined(of_outer_lanes)
FUNCTION {
  EACH(i)
  for (long j = 0; j < n; ++j) {
    double s = 0;
    for (long k = 0; k < n; ++k)
      s += x[i * n + k] * x[k * n + j];
    y[i * n + j] = s;
  }
}
#elif defined(of_row_checks)
FUNCTION {
  const double *left = x + at[0], *right = x + at[1];
  EACH(i)
  for (long j = 0; j < n; ++j)
    y[i * n + j] = left[i * n + j] * right[i * n + j];
}
#elif defined(of_omp_hoist)
__attribute__((noinline)) static double norm(const double *in, long n) {
  double s = 0;
  EACH(i) s += in[i] * in[i];
  return sin(s);
}
FUNCTION {
#pragma omp parallel for
  EACH(i) y[i] = x[i] / norm(x, n);
}
#elif defined(of_race_proofs)
FUNCTION {
#pragma omp parallel for
  EACH(i) y[i] = x[i] * x[i];
}
#elif defined(of_apart_if)
static void f(const double *x, double *restrict y, const int *at, long n) {
  const double *z = x + at[0];
#pragma omp parallel for
  EACH(i) y[i] = x[i] * z[i];
}
#elif defined(of_omp_combine)
FUNCTION {
#pragma omp parallel for
  EACH(i) y[i] = x[at[i]] * x[at[i]];
}
#elif defined(of_tape_merge) || defined(of_alias_scopes)
FUNCTION {
  double s = 1;
  EACH(i) {
    double v = y[i];
    y[i] = 0;
    s *= v + x[0];
  }
  y[0] = s;
}
#elif defined(of_tape_records)
FUNCTION {
  EACH(i) {
    double s = 0;
#define USE(k) (s += sin(y[20 * i + k]) * x[k], y[20 * i + k] = s)
#define SIX(k)                                                                 \
  USE(k), USE(k + 1), USE(k + 2), USE(k + 3), USE(k + 4), USE(k + 5)
    SIX(0), SIX(6), SIX(12), USE(18);
  }
}
#elif defined(of_tape_stack) || defined(of_stack_arrays)
FUNCTION {
  double s = 1;
#pragma clang loop unroll(disable)
  for (int i = 0; i < 100; ++i) {
    s = s * x[i] + sin(s);
    y[i] = s;
  }
}
#elif defined(of_tape_reuse) || defined(of_tape_pool) || defined(of_tape_inline)
FUNCTION {
  double s = 1;
  EACH(i) s = s * x[i] + sin(s);
  y[0] = s;
}
#elif defined(of_cache_licm)
FUNCTION {
  double s = 0;
  EACH(i) if (at[0]) s += y[i] * x[0] * y[i];
  y[0] = s;
}
#else
FUNCTION { EACH(i) y[i] = x[i] * x[i] * sin(x[i]); }
#endif

#ifndef LENGTH
#define LENGTH n
#endif
void request(double *x, double *dx, double *more, double *y, double *dy,
             double *rest, int *at, long n, void *memory, long bytes) {
  REQUEST((void *)f,
#ifdef Pool
          enzyme_pool, memory, bytes,
#endif
#ifdef Lanes
          enzyme_width, 2, enzyme_dup, x, dx, more, enzyme_dup, y, dy, rest,
#else
          enzyme_dup, x, dx, enzyme_dup, y, dy,
#endif
          enzyme_const, at, enzyme_const, LENGTH);
}

#ifdef Again
void again(double *x, double *tx, double *y, double *ty, int *at, long n) {
  __enzyme_fwddiff_again((void *)request, enzyme_dup, x, tx, enzyme_dup, x, tx,
                         enzyme_const, (void *)0, enzyme_dup, y, ty, enzyme_dup,
                         y, ty, enzyme_const, (void *)0, enzyme_const, at,
                         enzyme_const, n, enzyme_const, (void *)0, enzyme_const,
                         0L);
}
#endif

#ifdef Sparse
double unit(long offset, long i) { return offset / 8 == i; }
void never(double v, long offset, long i) { __builtin_trap(); }
double nothing(long offset, long i) { return 0; }
void put(long row, long column, double v);
void keep(double v, long offset, long i) {
  if (v != 0)
    put(offset / 8, i, v);
}
void squares(const double *x, double *y, long n) { EACH(i) y[i] = x[i] * x[i]; }
void column(const double *x, double *y, long n, long i) {
  __enzyme_fwddiff_again(
      (void *)squares, enzyme_dup, x,
      __enzyme_todense((void *)unit, (void *)never, i), enzyme_dupnoneed, y,
      __enzyme_todense((void *)nothing, (void *)keep, i), enzyme_const, n);
}
#endif
