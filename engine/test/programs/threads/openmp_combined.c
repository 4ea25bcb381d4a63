// FLAGS: -fopenmp
// Parallel regions whose threads run both passes at once, and regions that must
// not: something after them, or in them, would show it.
#include "../check.h"

#include <omp.h>

MARKERS(enzyme_primal_return, enzyme_width);

enum { N = 30, W = 5 };
typedef struct {
  double dx[N], dp[W], y[N], c;
} Result;

//===-- The region is the last thing that happens -------------------------===//

static void last(const double *restrict x, const double *restrict p, double c,
                 double *restrict y, int n) {
#pragma omp parallel for firstprivate(c)
  for (int i = 0; i < n; ++i) {
    double t[W], s = 0;
    for (int k = 0; k < W; ++k)
      t[k] = sin(p[k] * x[i]) + c * x[i];
    for (int k = 0; k < W; ++k)
      s += t[k] * t[(k + 1) % W];
    y[i] = s * x[(i + 7) % n];
  }
}

/// Shares that are given out one by one, and arrays that may be one.
static void given(const double *x, const double *p, double c, double *y,
                  int n) {
#pragma omp parallel for schedule(dynamic, 2)
  for (int i = 0; i < n; ++i)
    y[i] = exp(0.1 * x[i]) * p[i % W] + c * x[n - 1 - i];
}

/// What a loop leaves the next one of the same thread reads.
static void two_loops(const double *restrict x, const double *restrict p,
                      double c, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i] * c;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; ++i)
      y[i] = sin(y[i]) * p[i % W];
  }
}

static double own;
#pragma omp threadprivate(own)
/// A variable of each thread.
static void of_thread(const double *restrict x, const double *restrict p,
                      double c, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    own = x[i] * p[i % W];
    y[i] = own * own * c;
  }
}

/// Only if there is anything to do; by as many threads as it likes.
static void guarded(const double *restrict x, const double *restrict p,
                    double c, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 0;
  if (x[0] > 0 && n > 3) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), all = omp_get_num_threads();
      for (int i = me; i < n; i += all)
        y[i] = x[i] * x[i] * x[i] * p[i % W] + c;
    }
  }
}

/// A second name of an array.
static void renamed(const double *restrict x, const double *restrict p,
                    double c, double *restrict y, int n) {
  double *z = y + n / (N + 1);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i] * c;
    z[i] = sin(z[i]) * p[i % W];
    y[i] = y[i] * y[i];
  }
}

/// Sums of sums, by whoever has one.
static void bins(const double *restrict x, const double *restrict p, double c,
                 double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = p[i % W];
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    y[i % 7] += sin(x[i]) * p[i % W] * c;
  }
}

//===-- It is not ---------------------------------------------------------===//

static void read_later(const double *restrict x, const double *restrict p,
                       double c, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * p[i % W] * c;
  y[0] = y[0] * y[n - 1];
}

static void written_later(double *restrict x, const double *restrict p,
                          double c, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * p[i % W] * c;
  for (int i = 0; i < n; ++i)
    x[i] = 2 * x[i];
}

static void in_loop(const double *restrict x, const double *restrict p,
                    double c, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
  for (int t = 0; t < n / 10; ++t) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      y[i] = sin(y[i]) * p[t] * c;
  }
}

/// The second of these may, the first may not.
static void in_a_row(const double *restrict x, const double *restrict p,
                     double c, double *restrict y, int n) {
  double *t = (double *)malloc(sizeof(double) * (size_t)n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i] * c;
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = t[(i + 3) % n] * t[i] * p[i % W];
  free(t);
}

/// Threads read what others have written before a barrier.
static void waiting(const double *restrict x, const double *restrict p,
                    double c, double *restrict y, int n) {
  double t[N];
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      t[i] = x[i] * x[i] * c;
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = t[n - 1 - i] * t[i] * p[i % W];
  }
}

/// In the order in which they come, a sum that is read.
static void locked(const double *restrict x, const double *restrict p, double c,
                   double *restrict y, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    s += x[i] * x[i];
    y[i] = p[i % W] * x[i] * c;
  }
  y[0] *= s;
}

/// A sum that all threads go on with.
static void normalized(const double *restrict x, const double *restrict p,
                       double c, double *restrict y, int n) {
  double s = 0;
  int count = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s, count)
    for (int i = 0; i < n; ++i) {
      s += x[i] * x[i];
      count += i % 2;
    }
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = p[i % W] * x[i] * c / s + 0.01 * count;
  }
}

/// Teams of a size that the program says.
static void sized(const double *restrict x, const double *restrict p, double c,
                  double *restrict y, int n) {
#pragma omp parallel num_threads(3)
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < n; i += all)
      y[i] = x[i] * x[i] * p[i % W] * c * (all == 3);
  }
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < n; i += all)
      y[i] = y[i] * y[i] * (all == 2);
  }
}

//===-- Numbers -----------------------------------------------------------===//

/// What is wanted of these is the derivative alone.
static double sum(const double *restrict x, const double *restrict p, double c,
                  int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += sin(x[i] * p[i % W]) * c * x[n - 1 - i];
  return 3 * s;
}

/// The value is a factor.
static double root(const double *restrict x, const double *restrict p, double c,
                   int n) {
  double s = 0, t = c;
  int many = 0;
#pragma omp parallel for reduction(+ : s, many) reduction(- : t)
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i] * p[i % W];
    t -= 0.01 * x[i];
    many += i % 3;
  }
  return sqrt(s) * t + many * x[1];
}

/// Order matters to these.
static double most(const double *restrict x, const double *restrict p, double c,
                   int n) {
  double m = 0, t = 1;
#pragma omp parallel for reduction(max : m) reduction(* : t)
  for (int i = 0; i < n; ++i) {
    m = fmax(m, x[i] * p[i % W] * c);
    t *= x[i];
  }
  return m + t;
}

//===----------------------------------------------------------------------===//

static double weight(int i) { return 1 + 0.3 * (i % 4); }

/// Of a point: x, p and c in a row.
#define PROGRAM(F)                                                             \
  static double F##_at(const double *at, int n) {                              \
    double x[N], y[N], sum = 0;                                                \
    memcpy(x, at, sizeof x);                                                   \
    F(x, at + N, at[N + W], y, N);                                             \
    for (int i = 0; i < N; ++i)                                                \
      sum += weight(i) * y[i] + (x[i] - at[i]);                                \
    (void)n;                                                                   \
    return sum;                                                                \
  }                                                                            \
  static Result F##_gradient(const double *at) {                               \
    Result r = {0};                                                            \
    double x[N], dy[N];                                                        \
    memcpy(x, at, sizeof x);                                                   \
    for (int i = 0; i < N; ++i)                                                \
      dy[i] = weight(i), r.dx[i] = 1;                                          \
    r.c = __enzyme_autodiff((void *)F, enzyme_dup, x, r.dx, enzyme_dup,        \
                            at + N, r.dp, enzyme_out, at[N + W], enzyme_dup,   \
                            r.y, dy, enzyme_const, N);                         \
    for (int i = 0; i < N; ++i)                                                \
      r.dx[i] -= 1;                                                            \
    return r;                                                                  \
  }
#define PROGRAMS(X)                                                            \
  X(last)                                                                      \
  X(given)                                                                     \
  X(two_loops)                                                                 \
  X(of_thread)                                                                 \
  X(guarded)                                                                   \
  X(renamed)                                                                   \
  X(bins)                                                                      \
  X(read_later)                                                                \
  X(written_later)                                                             \
  X(in_loop)                                                                   \
  X(in_a_row)                                                                  \
  X(waiting)                                                                   \
  X(locked)                                                                    \
  X(normalized)                                                                \
  X(sized)
PROGRAMS(PROGRAM)

static const struct {
  const char *name;
  double (*at)(const double *, int);
  Result (*gradient)(const double *);
} programs[] = {
#define ROW(F) {#F, F##_at, F##_gradient},
    PROGRAMS(ROW)};

typedef struct {
  double value, c;
} Valued;
Valued __enzyme_autodiff_valued(void *, ...);

#define NUMBER(F)                                                              \
  static double F##_at(const double *at, int n) {                              \
    (void)n;                                                                   \
    return F(at, at + N, at[N + W], N);                                        \
  }                                                                            \
  static void check_##F(const double *at, int threads) {                       \
    double d[2][N + W + 1] = {{0}}, e[N + W + 1] = {0};                        \
    d[0][N + W] =                                                              \
        __enzyme_autodiff((void *)F, enzyme_dup, at, d[0], enzyme_dup, at + N, \
                          d[0] + N, enzyme_out, at[N + W], enzyme_const, N);   \
    const Valued v = __enzyme_autodiff_valued(                                 \
        (void *)F, enzyme_primal_return, enzyme_dup, at, d[1], enzyme_dup,     \
        at + N, d[1] + N, enzyme_out, at[N + W], enzyme_const, N);             \
    d[1][N + W] = v.c;                                                         \
    omp_set_num_threads(1);                                                    \
    NEAR(v.value, F##_at(at, 0), 1e-13);                                       \
    for (int i = 0; i <= N + W; ++i) {                                         \
      e[i] = 1;                                                                \
      NEAR(d[0][i], slope(F##_at, at, e, N + W + 1), 1e-8);                    \
      NEAR(d[1][i], d[0][i], 1e-12);                                           \
      e[i] = 0;                                                                \
    }                                                                          \
    omp_set_num_threads(threads);                                              \
  }
NUMBER(sum)
NUMBER(root)
NUMBER(most)

/// Two directions at once.
static void both_lanes(const double *at) {
  double dx[2][N] = {{0}}, dp[2][W] = {{0}}, dy[2][N], y[N];
  for (int i = 0; i < N; ++i)
    dy[0][i] = weight(i), dy[1][i] = -2 * weight(i);
  __enzyme_autodiff_void((void *)last, enzyme_width, 2, enzyme_dup, at, dx[0],
                         dx[1], enzyme_dup, at + N, dp[0], dp[1], enzyme_const,
                         at[N + W], enzyme_dup, y, dy[0], dy[1], enzyme_const,
                         N);
  const Result one = last_gradient(at);
  for (int i = 0; i < N; ++i) {
    NEAR(dx[0][i], one.dx[i], 1e-13);
    NEAR(dx[1][i], -2 * one.dx[i], 1e-13);
  }
  for (int i = 0; i < W; ++i)
    NEAR(dp[1][i], -2 * one.dp[i], 1e-13);
}

/// One array under two names that are only read.
static double two_names(const double *at, int n) {
  double y[N], sum = 0;
  last(at, at, 0.3, y, n);
  for (int i = 0; i < n; ++i)
    sum += weight(i) * y[i];
  return sum;
}

int main(void) {
  double at[N + W + 1];
  for (int i = 0; i <= N + W; ++i)
    at[i] = 0.9 + 0.2 * sin(3.0 * i);
  for (int threads = 1; threads <= 4; ++threads) {
    omp_set_num_threads(threads);
    check_sum(at, threads);
    check_root(at, threads);
    check_most(at, threads);
    for (unsigned k = 0; k < sizeof programs / sizeof *programs; ++k) {
      omp_set_num_threads(threads);
      Result r = programs[k].gradient(at);
      double y[N + W + 1] = {0};
      for (int i = 0; i <= N + W; ++i) {
        y[i] = 1;
        const double g = i < N ? r.dx[i] : i < N + W ? r.dp[i - N] : r.c;
        const int before = failures;
        NEAR(g, slope(programs[k].at, at, y, N + W + 1), 1e-8);
        if (failures > before)
          printf("  in %s with %d threads, %d\n", programs[k].name, threads, i);
        y[i] = 0;
      }
      double sum = 0;
      for (int i = 0; i < N; ++i)
        sum += weight(i) * r.y[i];
      if (programs[k].at != written_later_at)
        NEAR(sum, programs[k].at(at, N), 1e-12);
    }
  }
  both_lanes(at);
  double dx[N] = {0}, dy[N], y[N], e[N] = {0};
  for (int i = 0; i < N; ++i)
    dy[i] = weight(i);
  __enzyme_autodiff_void((void *)last, enzyme_dup, at, dx, enzyme_dup, at, dx,
                         enzyme_const, 0.3, enzyme_dup, y, dy, enzyme_const, N);
  for (int i = 0; i < N; ++i) {
    e[i] = 1;
    NEAR(dx[i], slope(two_names, at, e, N), 1e-8);
    e[i] = 0;
  }
  return finish();
}
