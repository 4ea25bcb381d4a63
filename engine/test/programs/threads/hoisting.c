// FLAGS: -fopenmp
// OPTIONS: -fsanitize-coverage=trace-pc
// What every thread of a team would compute alike is computed once, before the
// team is there: the gradient of a normalization takes a number of steps that
// grows with n, not with its square. Counted in blocks that are run.
#include "../check.h"

#include <stdatomic.h>

#define QUIET __attribute__((no_sanitize("coverage")))

static atomic_long blocks;
QUIET void __sanitizer_cov_trace_pc(void) { ++blocks; }

__attribute__((noinline)) static double norm(const double *in, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i)
    sum += in[i] * in[i];
  return sqrt(sum);
}

static void called(double *restrict out, const double *restrict in, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

/// The same, with the loop of the norm in that of the team.
static void inlined(double *restrict out, const double *restrict in, long n) {
#pragma omp parallel for schedule(dynamic)
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long k = 0; k < n; ++k)
      sum += in[k] * in[k];
    out[i] = in[i] / sqrt(sum);
  }
}

/// The same in chunks, which the threads take in turn.
static void chunked(double *restrict out, const double *restrict in, long n) {
#pragma omp parallel for schedule(static, 4)
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

/// The norm of what the threads write is another one in each iteration.
static void written(double *restrict out, const double *restrict in, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = 0;
#pragma omp parallel for num_threads(1)
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / (1 + norm(out, n));
}

/// Memory that may be the same is not read too early.
static void aliased(double *out, const double *in, long n) {
#pragma omp parallel for num_threads(1)
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / (1 + norm(in, n));
}

/// The norm is asked for in no iteration: there is nothing to read.
static void never(double *restrict out, const double *restrict in, long n) {
  const double *nothing = n > 1000000 ? in : 0;
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    out[i] = in[i] * (i > 1000000 ? norm(nothing, n) : 2);
}

/// What a lock protects may change.
static void locked(double *restrict out, const double *restrict in, long n) {
  double sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
#pragma omp critical
  {
    sum += in[i];
    out[i] = in[i] * in[0];
  }
  out[0] += sum * sum;
}

typedef void Function(double *, const double *, long);

enum { N = 100 };
static double in[4 * N], out[4 * N], din[4 * N], dout[4 * N];

QUIET static void prepare(long n) {
  for (long i = 0; i < n; ++i) {
    in[i] = 1 + (double)(i % 7) / 8;
    dout[i] = (double)(i % 5) - 1;
    din[i] = 0;
  }
}

/// The fewest of several runs: threads that wait for each other count, too.
QUIET static long steps(void (*run)(long), long n) {
  long fewest = 0;
  for (int i = 0; i < 5; ++i) {
    prepare(n);
    long before = blocks;
    run(n);
    if (i == 0 || blocks - before < fewest)
      fewest = blocks - before;
  }
  return fewest;
}

#define REVERSE(F)                                                             \
  static void gradient_##F(long n) {                                           \
    __enzyme_autodiff_void((void *)F, out, dout, in, din, n);                  \
  }
REVERSE(called)
REVERSE(inlined)
REVERSE(chunked)
REVERSE(written)
REVERSE(never)
REVERSE(locked)

static void gradient_aliased(long n) {
  __enzyme_autodiff_void((void *)aliased, in, din, in, din, n);
}

/// The weighted sum of what f gives, where in[k] is moved by h.
static double moved(Function *f, long k, double h, int alias) {
  prepare(N);
  in[k] += h;
  double *to = alias ? in : out, sum = 0;
  f(to, in, N);
  for (long i = 0; i < N; ++i)
    sum += ((double)(i % 5) - 1) * to[i];
  return sum;
}

static void compare(Function *f, void (*gradient)(long), int alias) {
  for (long k = 0; k < 3; ++k) {
    double h = 1e-3, want = 0, weight[3] = {45. / 60, -9. / 60, 1. / 60};
    for (int s = 1; s <= 3; ++s)
      want += weight[s - 1] *
              (moved(f, k, s * h, alias) - moved(f, k, -s * h, alias)) / h;
    prepare(N);
    if (alias)
      memcpy(din, dout, sizeof din);
    gradient(N);
    NEAR(din[k], want, 1e-8);
  }
}

int main(void) {
  compare(called, gradient_called, 0);
  compare(inlined, gradient_inlined, 0);
  compare(chunked, gradient_chunked, 0);
  compare(written, gradient_written, 0);
  compare(never, gradient_never, 0);
  compare(locked, gradient_locked, 0);
  compare(aliased, gradient_aliased, 1);
#if defined __OPTIMIZE__ && !__has_feature(address_sanitizer)
  // Of the order of n: four times n takes less than eight times the steps.
  NEAR(steps(gradient_called, 4 * N) < 8 * steps(gradient_called, N), 1, 0);
  NEAR(steps(gradient_inlined, 4 * N) < 8 * steps(gradient_inlined, N), 1, 0);
  NEAR(steps(gradient_chunked, 4 * N) < 8 * steps(gradient_chunked, N), 1, 0);
  // And of the square, where the norm changes.
  NEAR(steps(gradient_written, 4 * N) > 8 * steps(gradient_written, N), 1, 0);
#endif
  return finish();
}
