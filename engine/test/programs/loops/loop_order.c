// Loops whose iterations are independent are reversed in the primal's order
// where they have recurrences or are stencils; those that look like it, but
// whose iterations meet in memory or in a variable, are not. Each is held
// against forward mode, in every direction.
#include "../check.h"

enum { N = 37, M = 2 * N + 4 };

/// A rotation that each iteration turns further: the recurrence of a transform.
NOINLINE static void rotate(double *restrict x, double *restrict y, int n) {
  double c = 1, s = 0;
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a * a + c * b;
    const double old = c;
    c = c * 0.8 - s * 0.6;
    s = s * 0.8 + old * 0.6;
  }
}

/// Butterflies in one array, whose halves are a constant distance apart.
NOINLINE static void butterflies(double *restrict x, double *restrict y,
                                 int n) {
  double w = 1;
  (void)n;
  for (int i = 0; i < N / 2; ++i) {
    const double t = w * x[i + N / 2];
    x[i + N / 2] = x[i] - t * y[i];
    x[i] = x[i] + t;
    w = w * -0.75 + 0.1;
  }
}

/// A random number of each iteration, from the one before; the first ones are
/// from an outer loop.
NOINLINE static void randomized(double *restrict x, double *restrict y, int n) {
  uint64_t seed = 12345;
  for (int k = 0; k < 3; ++k) {
    uint64_t r = seed;
    for (int i = 0; i < n; ++i) {
      r = r * 6364136223846793005u + 1442695040888963407u;
      y[i] += x[i] * x[i] * (double)(r >> 60) * (k + 1);
    }
    seed = r ^ 7;
  }
}

/// One that goes on from where the loop before it ended.
NOINLINE static void continued(double *restrict x, double *restrict y, int n) {
  float f = 1;
  for (int i = 0; i < n / 2; ++i, f = f * 1.5f - 0.4f)
    y[i] *= f * x[i];
  for (int i = n / 2; i < n; ++i, f = f * 0.5f + 0.1f)
    y[i] *= f * x[i];
}

/// A sum beside the recurrence.
NOINLINE static void summed(double *restrict x, double *restrict y, int n) {
  double sum = 0, w = 2;
  for (int i = 0; i < n; ++i) {
    sum += w * x[i] * y[i];
    w = w * -0.5 + 1;
  }
  y[n] = sum * sum;
}

NOINLINE static void stencil(double *restrict x, double *restrict y, int n) {
  for (int i = 1; i < n - 1; ++i)
    y[i] = x[i - 1] * x[i] + 2 * x[i + 1] * x[i + 1] - x[i];
}

/// In the iteration before x[i] was x[i + 1].
NOINLINE static void prefix(double *restrict x, double *restrict y, int n) {
  double w = 1;
  for (int i = 0; i < n; ++i) {
    x[i + 1] += w * x[i] * y[i];
    w = w * -0.5 + 1;
  }
}

/// The second half of one pair is the first of the next.
NOINLINE static void overlapping(double *restrict x, double *restrict y,
                                 int n) {
  double w = 1;
  for (int i = 0; i + 1 < n; i += 1) {
    x[2 * i] = w * y[i] * x[2 * i];
    x[2 * i + 2] += y[i];
    w = w * -0.5 + 1;
  }
}

/// Halves whose distance is known at run time only: they meet if n is odd.
NOINLINE static void halves(double *restrict x, double *restrict y, int n) {
  double w = 1;
  for (int i = 0; i < n; i += 2) {
    const double t = w * x[n + i];
    x[n + i] = x[i] * y[i] - t;
    x[i + 1] = x[i + 1] * x[i] + t;
    w = w * -0.5 + 1;
  }
}

/// One place for all, of which the last value stays.
NOINLINE static void same_place(double *restrict x, double *restrict y, int n) {
  double w = 1;
  for (int i = 0; i < n; ++i) {
    y[0] = w * x[i] * x[i];
    x[i] *= w;
    w = w * -0.5 + 1;
  }
}

/// What the last iteration has is used after the loop.
NOINLINE static void last_value(double *restrict x, double *restrict y, int n) {
  double w = 1, last = 0;
  for (int i = 0; i < n; ++i) {
    last = w * x[i] * x[i];
    y[i] += last;
    w = w * -0.5 + 1;
  }
  y[n] = last * x[0];
}

/// An active recurrence.
NOINLINE static void chain(double *restrict x, double *restrict y, int n) {
  double w = 1, z = y[0];
  for (int i = 0; i < n; ++i) {
    z = w * z * x[i] + x[i];
    y[i] = z;
    w = w * -0.5 + 1;
  }
}

/// A sum that the iterations look at.
NOINLINE static void watched(double *restrict x, double *restrict y, int n) {
  double sum = 0, w = 2;
  for (int i = 0; i < n; ++i) {
    sum += w * x[i] * y[i];
    y[i] = sum * x[i];
    w = w * -0.5 + 1;
  }
}

/// Iterations that leave in the middle.
NOINLINE static void left(double *restrict x, double *restrict y, int n) {
  double w = 1;
  for (int i = 0;; ++i) {
    y[i] += w * x[i] * x[i];
    if (i >= n - 1)
      break;
    x[i] *= w + y[i];
    w = w * -0.5 + 1;
  }
}

/// Memory that may be the same.
NOINLINE static void aliased(double *x, double *y, int n) {
  double w = 1;
  for (int i = 0; i < n; ++i) {
    y[i] = w * x[i] * x[i];
    w = w * -0.5 + 1;
  }
}
NOINLINE static void shifted(double *restrict x, double *restrict y, int n) {
  aliased(x, x + 3, n);
  (void)y;
}

static void start(double *x, double *y) {
  for (int i = 0; i < M; ++i) {
    x[i] = 0.3 + 0.02 * (i * 7 % 11);
    y[i] = 0.9 - 0.03 * (i * 5 % 13);
  }
}

/// The seed of output k: of x, then of y.
static double seed(int k) { return k < M ? 1 + 0.1 * k : 2 - 0.05 * (k - M); }

#define CHECK(f, n)                                                            \
  do {                                                                         \
    double z[2 * M], dz[2 * M];                                                \
    start(z, z + M);                                                           \
    for (int k = 0; k < 2 * M; ++k)                                            \
      dz[k] = seed(k);                                                         \
    __enzyme_autodiff_void((void *)f, enzyme_dup, z, dz, enzyme_dup, z + M,    \
                           dz + M, enzyme_const, n);                           \
    for (int k = 0; k < 2 * M; ++k) {                                          \
      double y[2 * M], t[2 * M] = {0}, want = 0;                               \
      start(y, y + M);                                                         \
      t[k] = 1;                                                                \
      __enzyme_fwddiff_void((void *)f, enzyme_dup, y, t, enzyme_dup, y + M,    \
                            t + M, enzyme_const, n);                           \
      for (int i = 0; i < 2 * M; ++i)                                          \
        want += t[i] * seed(i);                                                \
      near_at(__LINE__, #f, dz[k], want, 1e-11);                               \
    }                                                                          \
  } while (0)

int main(void) {
  for (int n = N - 1; n <= N; ++n) {
    CHECK(rotate, n);
    CHECK(butterflies, n);
    CHECK(randomized, n);
    CHECK(continued, n);
    CHECK(summed, n);
    CHECK(stencil, n);
    CHECK(prefix, n);
    CHECK(overlapping, n);
    CHECK(halves, n);
    CHECK(same_place, n);
    CHECK(last_value, n);
    CHECK(chain, n);
    CHECK(watched, n);
    CHECK(left, n);
    CHECK(shifted, n);
  }
  CHECK(rotate, 1);
  CHECK(stencil, 3);
  CHECK(continued, 1);
  return finish();
}
