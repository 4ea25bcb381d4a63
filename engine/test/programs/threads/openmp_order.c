// FLAGS: -fopenmp
// What is ordered by locks, critical and ordered regions and atomic operations
// is undone in the opposite order, whichever order it was.
#include "../check.h"

#include <omp.h>

enum { N = 24 };
static int order[2 * N], steps;

/// s = s x_i + i in the order in which the threads come, in each step by
/// another kind of lock.
static double sequence(const double *x, int n, omp_lock_t *lock) {
  double s = 1;
  steps = 0;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i) {
#pragma omp critical(first)
    {
      order[steps++] = i;
      s = s * x[i] + i;
    }
  }
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; ++i) {
    omp_set_lock(lock);
    order[steps++] = i;
    s = s * x[i] + i;
    omp_unset_lock(lock);
  }
  return s;
}

/// The adjoint of the sequence that was run.
static void expected(const double *x, double *g) {
  double before[2 * N], s = 1, adjoint = 1;
  for (int k = 0; k < steps; ++k) {
    before[k] = s;
    s = s * x[order[k]] + order[k];
  }
  memset(g, 0, sizeof(double) * N);
  for (int k = steps - 1; k >= 0; --k) {
    g[order[k]] += adjoint * before[k];
    adjoint *= x[order[k]];
  }
}

/// The order is that of the loop, though the threads have every other one.
static double ordered(const double *x, int n) {
  double s = 1;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < n; ++i) {
    double t = x[i] * x[i];
#pragma omp ordered
    s = s * t + 0.1 * i;
  }
  return s;
}

/// Products, running sums, reads and writes, all atomic.
static double atomics(const double *x, int n) {
  double p = 1, s = 0, seen = 0, last = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double old;
#pragma omp atomic
    p *= x[i];
#pragma omp atomic capture
    {
      old = s;
      s += x[i];
    }
    // The sum over i of old x_i is that over all pairs, in whatever order.
#pragma omp atomic
    seen += old * x[i];
  }
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp atomic write
      last = s;
    }
    double mine;
#pragma omp atomic read
    mine = last;
#pragma omp master
    seen += mine * mine;
  }
  return p + seen;
}

/// A lock of one's own inside the order that all share.
static double nested(const double *x, int n) {
  double s = 1, t = 1;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical(outer)
    {
      s *= x[i];
#pragma omp critical(inner)
      t *= s > 0 ? x[i] : 1;
    }
  }
  return s * t;
}

static double nested_as_one(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s *= x[i] * x[i];
  return s;
}

int main(void) {
  double x[N], g[N];
  for (int i = 0; i < N; ++i)
    x[i] = 1 + 0.1 * sin(3.0 * i);
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (int threads = 1; threads <= 4; ++threads)
    for (int again = 0; again < 10; ++again) {
      omp_set_num_threads(threads);
      double dx[N] = {0};
      __enzyme_autodiff((void *)sequence, enzyme_dup, x, dx, enzyme_const, N,
                        enzyme_const, &lock);
      expected(x, g);
      NEAR(steps, 2 * N, 0);
      for (int i = 0; i < N; ++i)
        NEAR(dx[i], g[i], 1e-12);
      double (*const f[])(const double *, int) = {ordered, atomics,
                                                  nested_as_one};
      for (int k = 0; k < 3; ++k) {
        memset(dx, 0, sizeof dx);
        if (k == 0)
          __enzyme_autodiff((void *)ordered, enzyme_dup, x, dx, enzyme_const,
                            N);
        else if (k == 1)
          __enzyme_autodiff((void *)atomics, enzyme_dup, x, dx, enzyme_const,
                            N);
        else
          __enzyme_autodiff((void *)nested, enzyme_dup, x, dx, enzyme_const, N);
        for (int i = 0; i < N; ++i) {
          double e[N] = {0};
          e[i] = 1;
          omp_set_num_threads(1);
          NEAR(dx[i], slope(f[k], x, e, N), 1e-8);
          omp_set_num_threads(threads);
        }
      }
      double t =
          __enzyme_fwddiff((void *)atomics, enzyme_dup, x, x, enzyme_const, N);
      omp_set_num_threads(1);
      NEAR(t, slope(atomics, x, x, N), 1e-8);
    }
  return finish();
}
