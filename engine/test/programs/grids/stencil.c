// Stencils: loops that read neighbours in a grid of n x n, with indices clamped
// to the grid. The engine splits such loops where an index starts to clamp, and
// carries what it adds to neighbours from iteration to iteration; so the first
// and last iterations matter, and grids smaller than the stencil.
#include "../check.h"

extern int enzyme_dupnoneed;
enum { MOST = 33 * 33 };

// Clamped indices of the types that programs use.
static inline int above(int a, int least) { return a > least ? a : least; }
static inline int below(int a, int most) { return a < most ? a : most; }
static inline long long_above(long a, long least) {
  return a > least ? a : least;
}
static inline long long_below(long a, long most) { return a < most ? a : most; }
static inline unsigned down(unsigned a, unsigned by) {
  return a > by ? a - by : 0;
}
static inline unsigned up(unsigned a, unsigned most) {
  return a < most ? a : most;
}

/// Offsets -1..1 in both directions, for pointers with the qualifier Q.
#define NINE(name, Q)                                                          \
  static void name(const double *Q u, const double *Q v, double *Q w, int n) { \
    for (int i = 0; i < n; ++i)                                                \
      for (int j = 0; j < n; ++j) {                                            \
        const double *t = u + above(i - 1, 0) * n, *m = u + i * n;             \
        const double *b = u + below(i + 1, n - 1) * n;                         \
        int l = above(j - 1, 0), r = below(j + 1, n - 1);                      \
        w[i * n + j] = v[i * n + j] * (0.1 * t[l] + 0.2 * t[j] + 0.3 * t[r]) + \
                       0.5 * m[l] + m[j] + 0.7 * m[r] + 0.2 * b[l] +           \
                       0.9 * b[j] + 0.4 * b[r];                                \
      }                                                                        \
  }
NINE(nine, restrict)
NINE(nine_plain, )

/// Indices into the whole array, which are narrow sums; weights of both signs.
static void flat(const double *restrict u, const double *restrict v,
                 double *restrict w, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int t = above(i - 1, 0) * n, m = i * n, b = below(i + 1, n - 1) * n;
      int l = above(j - 1, 0), r = below(j + 1, n - 1);
      w[m + j] = v[m + j] * (0.1 * u[t + l] - 0.2 * u[t + j] + 0.3 * u[t + r] +
                             0.5 * u[m + l] - u[m + j] + 0.7 * u[m + r] +
                             0.2 * u[b + l] + 0.9 * u[b + j] - 0.4 * u[b + r]);
    }
}

/// Offsets -2..2 in both directions, in loops of their own.
#define TWENTY_FIVE(name, Q)                                                   \
  static void name(const double *Q u, const double *Q v, double *Q w, int n) { \
    for (int i = 0; i < n; ++i)                                                \
      for (int j = 0; j < n; ++j) {                                            \
        double s = 0;                                                          \
        for (int k = -2; k <= 2; ++k)                                          \
          for (int l = -2; l <= 2; ++l)                                        \
            s += (0.1 + 0.2 * k - 0.3 * l + 0.05 * k * l) *                    \
                 u[below(above(i + k, 0), n - 1) * n +                         \
                   below(above(j + l, 0), n - 1)];                             \
        w[i * n + j] = s * v[i * n + j];                                       \
      }                                                                        \
  }
TWENTY_FIVE(twenty_five, restrict)
TWENTY_FIVE(twenty_five_plain, )

/// Offsets -2..2 within a row; neighbours of both arrays.
static void row(const double *u, const double *v, double *restrict w, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double *a = u + i * n, *b = v + i * n;
      w[i * n + j] = a[above(j - 2, 0)] * 0.3 + a[above(j - 1, 0)] * 0.5 +
                     a[j] + a[below(j + 1, n - 1)] * 0.8 +
                     b[above(j - 1, 0)] * a[below(j + 2, n - 1)] +
                     b[below(j + 1, n - 1)] * b[j];
    }
}

/// The same with 64-bit indices.
static void row_long(const double *restrict u, const double *restrict v,
                     double *restrict w, int size) {
  long n = size;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      const double *a = u + i * n, *b = v + i * n;
      w[i * n + j] = a[long_above(j - 2, 0)] * 0.3 +
                     a[long_above(j - 1, 0)] * 0.5 + a[j] +
                     a[long_below(j + 1, n - 1)] * 0.8 +
                     b[long_above(j - 1, 0)] * a[long_below(j + 2, n - 1)] +
                     b[long_below(j + 1, n - 1)] * b[j];
    }
}

/// The same with unsigned indices.
static void row_unsigned(const double *restrict u, const double *restrict v,
                         double *restrict w, int size) {
  unsigned n = (unsigned)size;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j) {
      const double *a = u + i * n, *b = v + i * n;
      w[i * n + j] = a[down(j, 2)] * 0.3 + a[down(j, 1)] * 0.5 + a[j] +
                     a[up(j + 1, n - 1)] * 0.8 +
                     b[down(j, 1)] * a[up(j + 2, n - 1)] +
                     b[up(j + 1, n - 1)] * b[j];
    }
}

/// Counters of mixed widths.
static void row_mixed(const double *restrict u, const double *restrict v,
                      double *restrict w, int n) {
  for (short i = 0; i < n; ++i)
    for (size_t j = 0; j < (size_t)n; ++j) {
      const double *a = u + i * n, *b = v + i * n;
      w[(size_t)(i * n) + j] = a[below((int)j + 1, n - 1)] * b[j] +
                               b[up((unsigned)j + 2, (unsigned)n - 1)] *
                                   a[long_below((long)j + 3, n - 1)] -
                               a[above((int)j - 1, 0)];
    }
}

/// Against the order of memory, both loops.
static void descending(const double *restrict u, const double *restrict v,
                       double *restrict w, int n) {
  for (int i = n - 1; i >= 0; --i)
    for (int j = n - 1; j >= 0; --j) {
      const double *a = u + i * n;
      w[i * n + j] = a[above(j - 2, 0)] + 0.5 * a[above(j - 1, 0)] + a[j] +
                     0.4 * a[below(j + 1, n - 1)] * v[i * n + j] +
                     0.2 * a[below(j + 2, n - 1)];
    }
}

/// A grid that is read from its end: n - 1 - j goes down while j goes up.
static void mirrored(const double *restrict u, const double *restrict v,
                     double *restrict w, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double *a = u + i * n;
      int m = n - 1 - j;
      w[i * n + j] = a[m] + 0.3 * a[above(m - 1, 0)] * v[i * n + j] -
                     0.6 * a[below(m + 1, n - 1)] + a[below(j + 1, n - 1)];
    }
}

/// Only forward, min(j + k, n - 1), and each place more than once.
static void forward(const double *u, const double *v, double *restrict w,
                    int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double *a = u + i * n, *b = v + i * n;
      w[i * n + j] = a[j] * a[below(j + 1, n - 1)] +
                     a[below(j + 1, n - 1)] * a[below(j + 2, n - 1)] +
                     0.5 * a[below(j + 3, n - 1)] * b[below(j + 3, n - 1)] -
                     0.3 * b[below(j + 1, n - 1)];
    }
}

/// Without clamps inside, in steps of 1 and 2; the edges stay as they are.
static void inside(const double *restrict u, const double *restrict v,
                   double *restrict w, int n) {
  for (int k = 0; k < n * n; ++k)
    w[k] = u[k] * v[k];
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j) {
      const double *a = u + i * n + j;
      w[i * n + j] = a[-n] + 0.3 * a[-1] + 2 * a[0] +
                     0.4 * a[1] * v[i * n + j] + a[n] * a[n];
    }
  for (int i = 0; i < n; ++i)
    for (int j = 2; j < n - 2; j += 2) {
      const double *a = u + i * n + j;
      w[i * n + j] += 0.3 * a[-2] + 0.2 * a[-1] + a[0] + 0.7 * a[1] +
                      0.4 * a[2] * v[i * n + j];
    }
}

/// Places that are added to in every second and third iteration, upwards and
/// downwards, and two arrays whose sums are under way at once.
static void strides(const double *restrict u, const double *restrict v,
                    double *restrict w, int n) {
  int size = n * n;
  for (int k = 0; k < size; ++k)
    w[k] = 1;
  for (int k = 4; k < size - 4; k += 2)
    w[k] += 0.3 * u[k - 4] + 0.2 * u[k - 2] * v[k] + 0.7 * u[k] +
            0.1 * v[k + 1] + 0.6 * v[k - 1] + 0.8 * u[k + 3] + 0.9 * u[k + 1];
  for (int k = size - 4; k >= 3; k -= 3)
    w[k] += 0.3 * u[k - 3] + 0.2 * u[k] + 0.7 * u[k + 3] + 0.4 * v[k - 2] +
            0.5 * v[k + 1];
  for (long k = 4; k < size - 4; ++k)
    w[k] += 0.3 * u[k - 4] + 0.2 * u[k - 3] + 0.7 * u[k - 2] * v[k] +
            0.1 * u[k - 1] + 0.6 * u[k] + 0.8 * u[k + 1] + 0.9 * u[k + 2] +
            0.35 * u[k + 3] + 0.45 * u[k + 4] + 0.15 * v[k + 1] * v[k - 1];
}

/// Down the columns: the step is the size of a row.
static void columns(const double *restrict u, const double *restrict v,
                    double *restrict w, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      w[i * n + j] = u[above(i - 2, 0) * n + j] + 0.5 * u[i * n + j] -
                     u[above(i - 1, 0) * n + j] * v[i * n + j] +
                     0.4 * u[below(i + 1, n - 1) * n + j];
}

/// Bounds within the row, at its begin, and beyond what the loop reaches; the
/// loop starts and ends anywhere.
static void bounds(const double *restrict u, const double *restrict v,
                   double *restrict w, int n) {
  for (int k = 0; k < n * n; ++k)
    w[k] = v[k];
  for (int i = 0; i < n; ++i) {
    const double *a = u + i * n;
    for (int j = i; j < n; ++j)
      w[i * n + j] += a[below(j + 1, i)] + a[below(j, n / 2)] * v[i * n + j] +
                      a[below(j - i, n)] - a[below(j - 1, 0) + 1];
    for (int j = 0; j < n - i; ++j)
      w[i * n + j] *= a[below(j + i, n - 1)] + a[below(j + 1, n - 1)];
  }
}

/// Sums and indices that live through the loop and after it.
static void running(const double *restrict u, const double *restrict v,
                    double *restrict w, int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0.5, last = 1;
    int place = 0, at = 0;
    for (int j = 0; j < n; ++j) {
      double r = u[i * n + below(j + 1, n - 1)];
      s = 0.9 * s + r * last;
      last = r + v[i * n + place];
      at = place;
      place = below(j + 2, n - 1);
      w[i * n + j] = s * u[i * n + j];
    }
    w[i * n] += s * last + u[i * n + place] + v[i * n + at];
  }
}

/// The output is what the next iterations read.
static void sweep(const double *u, const double *v, double *w, int n) {
  for (int k = 0; k < n * n; ++k)
    w[k] = u[k];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      w[i * n + j] = 0.3 * w[i * n + above(j - 1, 0)] * v[i * n + j] +
                     0.2 * w[i * n + j] + 0.4 * w[i * n + below(j + 1, n - 1)] +
                     0.1 * w[i * n + below(j + 2, n - 1)];
}

/// Conditions in the loop, and a bound that it ends at early.
static void conditions(const double *u, const double *v, double *restrict w,
                       int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int r = j + 1 < n ? j + 1 : n - 1, l = j > 0 ? j - 1 : 0;
      double d = u[i * n + r] - u[i * n + l];
      w[i * n + j] =
          (i + j) % 3 ? d * v[i * n + r] : u[i * n + j] + v[i * n + l];
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n && j < 5; ++j)
      w[i * n + j] += u[i * n + below(j + 1, n - 1)] * 0.5 -
                      0.25 * u[i * n + below(j + 2, n - 1)];
}

/// A byte as an index, which starts again at 0 while j goes on.
static void wrapping(const double *u, const double *v, double *restrict w,
                     int n) {
  int size = n * n;
  for (int j = 0; j < size; ++j)
    w[j] = v[j];
  if (size < 256)
    return;
  for (int j = 0; j < 100; ++j) {
    unsigned char k = (unsigned char)(j + 230);
    signed char c = (signed char)(j + 100);
    w[j] = u[k] * v[below(j + 1, 60)] + 0.5 * u[below(j + 1, 99)] - u[c + 128];
  }
  unsigned char k = 200;
  for (long j = 0; j < 300; ++j, ++k)
    w[j + 200] +=
        u[k] * v[long_below(j + 1, 299)] + 0.5 * u[long_below(j + 2, 299)];
}

typedef void Step(const double *u, const double *v, double *w, int n);
typedef void Gradient(double *u, double *du, double *v, double *dv, double *w,
                      double *dw, int n);
#define CASES(X)                                                               \
  X(nine)                                                                      \
  X(flat)                                                                      \
  X(nine_plain)                                                                \
  X(twenty_five)                                                               \
  X(twenty_five_plain)                                                         \
  X(row)                                                                       \
  X(row_long)                                                                  \
  X(row_unsigned)                                                              \
  X(row_mixed)                                                                 \
  X(descending)                                                                \
  X(mirrored)                                                                  \
  X(forward)                                                                   \
  X(inside)                                                                    \
  X(strides)                                                                   \
  X(columns)                                                                   \
  X(bounds)                                                                    \
  X(running)                                                                   \
  X(sweep)                                                                     \
  X(conditions)                                                                \
  X(wrapping)
#define GRADIENTS(step)                                                        \
  static void step##_gradient(double *u, double *du, double *v, double *dv,    \
                              double *w, double *dw, int n) {                  \
    __enzyme_autodiff_void((void *)step, u, du, v, dv, w, dw, n);              \
  }                                                                            \
  static void step##_unneeded(double *u, double *du, double *v, double *dv,    \
                              double *w, double *dw, int n) {                  \
    __enzyme_autodiff_void((void *)step, u, du, v, dv, enzyme_dupnoneed, w,    \
                           dw, n);                                             \
  }
CASES(GRADIENTS)

static const struct {
  const char *name;
  Step *step;
  Gradient *gradient, *unneeded;
} cases[] = {
#define ROW(step) {#step, step, step##_gradient, step##_unneeded},
    CASES(ROW)};

static double seed(int k) { return 1 + 0.3 * sin(1.7 * k + 0.4); }

// What `weighted` weighs.
static Step *step_now;
static int n_now;

/// The output, weighted with the seed; x is u, and v if there is room for it.
static double weighted(const double *x, int count) {
  static double w[MOST];
  int size = n_now * n_now;
  step_now(x, count > size ? x + size : x, w, n_now);
  double sum = 0;
  for (int k = 0; k < size; ++k)
    sum += seed(k) * w[k];
  return sum;
}

/// One case and size: all entries of the gradient, or some directions if there
/// are many entries.
static void one(size_t c, int n, int same, int unneeded) {
  static double x[2 * MOST], g[2 * MOST], w[MOST], dw[MOST], want[MOST],
      v[2 * MOST];
  int size = n * n, count = same ? size : 2 * size, second = same ? 0 : size;
  int before = failures;
  step_now = cases[c].step;
  n_now = n;
  for (int k = 0; k < count; ++k) {
    x[k] = 0.8 + 0.4 * sin(3.1 * k);
    g[k] = 2; // Gradients are added.
  }
  for (int k = 0; k < size; ++k)
    dw[k] = seed(k);
  step_now(x, x + second, want, n);
  (unneeded ? cases[c].unneeded : cases[c].gradient)(x, g, x + second,
                                                     g + second, w, dw, n);
  for (int k = 0; k < size; ++k) {
    NEAR(dw[k], 0, 0); // The output was overwritten.
    if (!unneeded)
      NEAR(w[k], want[k], 1e-13);
  }
  for (int k = 0; k < count; ++k)
    g[k] -= 2;
  if (count <= 100) {
    GRADIENT(weighted, x, g, count);
  } else {
    // Alone: the corners, the edges, and what lies beside them.
    const int alone[] = {0,        1,        2,       n - 3,     n - 2,
                         n - 1,    n,        n + 1,   2 * n - 1, size / 2,
                         size - n, size - 2, size - 1};
    for (int a = 0; a < 13; ++a)
      for (int k = alone[a]; k < count; k += size) {
        v[k] = 1;
        NEAR(g[k], slope(weighted, x, v, count), 1e-7);
        v[k] = 0;
      }
    for (int d = 1; d <= 3; ++d) {
      for (int k = 0; k < count; ++k)
        v[k] = sin(d * 0.77 * k * k);
      NEAR(dot(g, v, count), slope(weighted, x, v, count), 1e-6);
    }
    memset(v, 0, sizeof v);
  }
  if (failures > before)
    printf("  in %s, n = %d%s%s\n", cases[c].name, n, same ? ", u = v" : "",
           unneeded ? ", w unneeded" : "");
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 33};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
    for (int s = 0; s < 7; ++s)
      for (int unneeded = 0; unneeded < 2; ++unneeded) {
        one(c, sizes[s], 0, unneeded);
        // What is read through two pointers, and added to through two.
        one(c, sizes[s], 1, unneeded);
      }
  return finish();
}
