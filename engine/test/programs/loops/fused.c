// Loops that only sum up, of which the reverse pass runs an iteration forward
// and backward at a time; and others that look like them, and must not be run
// so.
#include "../check.h"

enum { N = 14 };

MARKERS(enzyme_width, enzyme_primal_return);

static int turns;
static double data[N];

NOINLINE static double plain(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0;
  for (int i = 0; i < count; ++i) {
    const double r = exp(-x[i % N]) * x[1] - sin(x[2] * data[i % N]);
    s += r * r;
  }
  return s;
}

/// Loops within, ways around, and two sums, one of them subtracted from.
NOINLINE static double ways(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 1, t = 0.5;
  for (int i = 0; i < count; ++i) {
    double y = x[i % N];
    for (int j = 0; j < i % 5; ++j) {
      y = sin(y * x[1] + data[j]);
      s += y * y;
    }
    if (data[i % N] > 0.5)
      t -= y * exp(y);
    else if (i % 3)
      s += 0.5 * y * x[3];
    t += y * y * y;
  }
  return 2 * s - 3 * t;
}

/// Of what a loop before has made, and numbers that are carried but not summed.
NOINLINE static double behind_another(const double *x, int n) {
  const int count = turns;
  double *made = (double *)malloc(sizeof(double) * (size_t)n), s = 0;
  double first = x[0];
  uint32_t r = 7;
  for (int i = 0; i < n; ++i) {
    first = sin(first) + x[i];
    made[i] = first * x[i];
  }
  for (int i = 0; i < count; ++i) {
    s += sin(made[r & 7]) * exp(first * x[i % N]);
    r = r * 1664525u + 1013904223u;
  }
  free(made);
  return s + first;
}

/// As often as numbers say, to be found out on the way.
NOINLINE static double uncounted(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0;
  for (int i = 0; i < count; ++i) {
    double y = x[i % N];
    while (y < 4)
      y = y * y + 0.3 + data[i % N];
    s += sin(y);
  }
  return s;
}

/// Two of them; what is done behind does not wait for them.
NOINLINE static double two(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0, t = 0;
  for (int i = 0; i < count; ++i)
    s += exp(x[i % N] * x[0]);
  for (int i = 1; i < count; ++i)
    t += sin(x[i % N] * x[1]) * exp(x[2]);
  return s * 0.25 - t + exp(x[3]);
}

/// Each iteration has arrays of its own.
NOINLINE static double scratch(const double *x, int n) {
  const int count = turns;
  double s = 0;
  for (int i = 0; i < count; ++i) {
    double r[N], sparse[N] = {0};
    for (int j = 0; j < n; ++j)
      r[j] = sin(x[j] * x[i % N]);
    for (int j = i % 4; j < n; j += 3)
      sparse[j] = exp(r[j]) * r[(j + i) % n];
    for (int j = 0; j < n; ++j)
      s += sparse[j] * r[j];
  }
  return s;
}

/// It has not: a place may be what an iteration before has made of it.
NOINLINE static double kept(const double *x, int n) {
  const int count = turns;
  double s = 0, r[N];
  for (int j = 0; j < n; ++j)
    r[j] = x[j];
  for (int i = 0; i < count; ++i) {
    for (int j = i % 4; j < n; j += 3)
      r[j] = sin(r[j] * x[i % N]);
    for (int j = 0; j < n; ++j)
      s += exp(r[j]) * r[(j + 1) % n];
  }
  return s;
}

//===----------------------------------------------------------------------===//
// What the sum is decides something.

NOINLINE static double root(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0.1;
  for (int i = 0; i < count; ++i)
    s += exp(sin(x[i % N]));
  return sqrt(s) + s * x[0];
}

NOINLINE static double branched(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0;
  int large = 0;
  for (int i = 0; i < count; ++i) {
    const double y = exp(sin(x[i % N]));
    large += y > 1.5;
    s += y * y;
  }
  if (large > 3)
    s = s * x[0];
  return s;
}

NOINLINE static double divided(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0;
  int large = 1;
  for (int i = 0; i < count; ++i) {
    const double y = exp(sin(x[i % N]));
    large += y > 1.5;
    s += y * y;
  }
  return s + 100 / large;
}

static double out[2];

NOINLINE static double stored(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0;
  for (int i = 0; i < count; ++i)
    s += exp(sin(x[i % N]));
  out[0] = s;
  return 2 * s;
}

/// The next iteration reads it, or what follows the last one.
NOINLINE static double carried(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0, y = x[0];
  for (int i = 0; i < count; ++i) {
    y = sin(y) * exp(x[i % N]);
    s += y * y;
  }
  return s;
}

NOINLINE static double last(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0, y = 0;
  for (int i = 0; i < count; ++i) {
    y = sin(x[i % N]) * exp(x[i % N]);
    s += y * y;
  }
  return s + y;
}

NOINLINE static double itself(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0.2;
  for (int i = 0; i < count; ++i)
    s += 0.1 * sin(s) * exp(x[i % N]);
  return s;
}

NOINLINE static double doubled(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0.2;
  for (int i = 0; i < count; ++i) {
    const double y = exp(sin(x[i % N]));
    s = i % 4 == 3 ? y : s + y * y;
  }
  return s;
}

NOINLINE static double begun_anew(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0.2;
  for (int i = 0; i < count; ++i)
    if (i % 4 == 2)
      s = exp(sin(x[i % N]));
    else
      s += sin(exp(x[i % N]) * data[i % N]);
  return s;
}

NOINLINE static double twice(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0.2;
  for (int i = 0; i < count; ++i) {
    const double t = s + exp(sin(x[i % N]));
    s = t + s;
  }
  return s;
}

NOINLINE static double midway(const double *x, UNUSED int n) {
  const int count = turns;
  double s = 0.2, t = 0;
  for (int i = 0; i < count; ++i) {
    t = s + exp(sin(x[i % N]));
    s = t + sin(x[(i + 1) % N] * x[0]);
  }
  return s + 3 * t;
}

/// What the iterations read is overwritten behind the loop.
NOINLINE static double overwritten(const double *x, int n) {
  const int count = turns;
  double *y = (double *)malloc(sizeof(double) * (size_t)n), s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = sin(x[i]);
  for (int i = 0; i < count; ++i)
    s += exp(y[i % N]) * y[(i + 1) % N];
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * y[i];
  for (int i = 0; i < n; ++i)
    s += y[i];
  free(y);
  return s;
}

/// Or written by the loop.
NOINLINE static double written(const double *x, UNUSED int n) {
  const int count = turns;
  double y[N], s = 0;
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  for (int i = 0; i < count; ++i) {
    y[i % N] = exp(sin(y[(i + 3) % N]));
    s += y[i % N] * y[(i + 1) % N];
  }
  return s;
}

//===----------------------------------------------------------------------===//
// Each result has a place of its own, or not.

NOINLINE static void own_places(const double *restrict x,
                                double *restrict results, UNUSED int n) {
  const int count = turns / 2;
  for (int i = 0; i < count; ++i) {
    double y = x[i];
    for (int j = 0; j < 3; ++j)
      y = sin(y * x[j + 1]) + data[j];
    results[2 * i + 1] = y * exp(y);
    if (i % 3)
      results[2 * i] = exp(-y);
  }
}

NOINLINE static void one_place(const double *restrict x,
                               double *restrict results, UNUSED int n) {
  const int count = turns;
  for (int i = 0; i < count; ++i)
    results[2] = exp(sin(x[i]));
}

NOINLINE static void neighbours(const double *restrict x,
                                double *restrict results, UNUSED int n) {
  const int count = turns;
  for (int i = 0; i + 1 < count; ++i) {
    const double y = exp(sin(x[i]));
    results[i + 1] = y;
    results[i] = y * y;
  }
}

NOINLINE static void read_again(const double *restrict x,
                                double *restrict results, UNUSED int n) {
  const int count = turns;
  for (int i = 1; i < count; ++i)
    results[i] = exp(sin(x[i] * results[i - 1]));
}

NOINLINE static void read_behind(const double *restrict x,
                                 double *restrict results, UNUSED int n) {
  const int count = turns;
  for (int i = 0; i < count; ++i)
    results[i] = exp(sin(x[i]));
  results[0] = results[1] * results[2];
}

NOINLINE static void overwritten_behind(const double *restrict x,
                                        double *restrict results,
                                        UNUSED int n) {
  const int count = turns;
  for (int i = 0; i < count; ++i)
    results[i] = exp(sin(x[i]));
  results[1] = x[0] * x[1];
}

/// Equal pointers: the data are overwritten as they are read.
NOINLINE static void in_place(double *x, double *results, UNUSED int n) {
  const int count = turns;
  for (int i = 0; i + 1 < count; ++i)
    results[i] = exp(sin(x[i] * x[i + 1]));
}

typedef void (*many)(const double *, double *, int);
static many which;
static const double weights[N] = {1,  -2, 3,   0.5, 1.5, -1, 0.7,
                                  -3, 2,  0.2, -1,  1,   2,  0.3};

static double weighted(const double *x, int n) {
  double results[N], same[N];
  for (int i = 0; i < N; ++i)
    results[i] = 0.1 * i, same[i] = x[i];
  if (which == (many)in_place) {
    in_place(same, same, n);
    return dot(weights, same, N);
  }
  which(x, results, n);
  return dot(weights, results, N);
}

#define CHECK_MANY(f)                                                          \
  for (turns = 0; turns <= N; turns += 1 + turns / 3) {                        \
    double g[N] = {0}, results[N], want[N], seeds[N];                          \
    for (int i = 0; i < N; ++i)                                                \
      results[i] = want[i] = 0.1 * i, seeds[i] = weights[i];                   \
    which = f;                                                                 \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, results, seeds, \
                      N);                                                      \
    GRADIENT(weighted, x, g, N);                                               \
    f(x, want, N);                                                             \
    for (int i = 0; i < N; ++i)                                                \
      NEAR(results[i], want[i], 1e-15);                                        \
  }

#define CHECK(f)                                                               \
  for (turns = 0; turns <= N; turns += 1 + turns / 3) {                        \
    double g[N] = {0};                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, N);                         \
    GRADIENT(f, x, g, N);                                                      \
  }

int main(void) {
  double x[N];
  for (int i = 0; i < N; ++i) {
    x[i] = 0.4 + 0.37 * ((7 * i) % N) / N;
    data[i] = 0.2 + 0.6 * ((5 * i) % N) / N;
  }
  CHECK(plain)
  CHECK(ways)
  CHECK(behind_another)
  CHECK(uncounted)
  CHECK(two)
  CHECK(scratch)
  CHECK(kept)
  CHECK(root)
  CHECK(branched)
  CHECK(divided)
  CHECK(stored)
  CHECK(carried)
  CHECK(last)
  CHECK(itself)
  CHECK(doubled)
  CHECK(begun_anew)
  CHECK(twice)
  CHECK(midway)
  CHECK(overwritten)
  CHECK(written)
  CHECK_MANY(own_places)
  CHECK_MANY(one_place)
  CHECK_MANY(neighbours)
  CHECK_MANY(read_again)
  CHECK_MANY(read_behind)
  CHECK_MANY(overwritten_behind)
  which = (many)in_place;
  for (turns = 0; turns <= N; turns += 5) {
    double same[N], g[N];
    for (int i = 0; i < N; ++i)
      same[i] = x[i], g[i] = weights[i];
    __enzyme_autodiff((void *)in_place, enzyme_dup, same, g, enzyme_dup, same,
                      g, N);
    GRADIENT(weighted, x, g, N);
  }
  // What is stored is there when the gradient is.
  double g[N] = {0}, one[N] = {0}, other[N] = {0};
  const double want = stored(x, N) / 2;
  out[0] = 0;
  __enzyme_autodiff((void *)stored, enzyme_dup, x, g, N);
  NEAR(out[0], want, 1e-15);
  NEAR(__enzyme_autodiff((void *)ways, enzyme_primal_return, enzyme_dup, x, g,
                         N),
       ways(x, N), 1e-15);
  __enzyme_autodiff((void *)ways, enzyme_width, 2, enzyme_dup, x, one, other,
                    N);
  GRADIENT(ways, x, one, N);
  GRADIENT(ways, x, other, N);
  return finish();
}
