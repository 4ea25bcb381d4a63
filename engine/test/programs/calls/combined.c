// Called functions whose forward pass has no effect, since nobody needs what
// they store: both passes run when the reverse pass comes to them. With
// enzyme_dup they are run forward first, and their adjoints are the same.
// OPTIONS: -mllvm -retro-inline=0
#include "../check.h"

MARKERS(enzyme_dupnoneed);

enum { N = 12 };

// Recursion, in place; the numbers that it multiplies with are of its own.
static NOINLINE void halves(double *restrict x, const double *restrict c,
                            int n) {
  if (n < 2)
    return;
  halves(x, c, n / 2);
  halves(x + n / 2, c, n - n / 2);
  double w = 1;
  for (int i = 0; i < n / 2; ++i) {
    const double a = x[i], b = w * x[n / 2 + i];
    x[i] = a + b;
    x[n / 2 + i] = a - b;
    w = w * sin(c[i]) + 0.25;
  }
}

// A tape in each call, of which there are many, and an array of its own.
static NOINLINE void smooth(double *restrict x, const double *restrict c,
                            int n) {
  double own[N];
  for (int i = 0; i < n; ++i)
    own[i] = c[i] * c[n - 1 - i];
  for (int i = 0; i < n; ++i)
    own[i] = exp(own[i] - (i ? own[i - 1] : 0));
  for (int i = 0; i < n; ++i)
    x[i] = own[i] * x[i];
}
static void many(double *restrict x, const double *restrict c, int n) {
  for (int k = 0; k < 5; ++k)
    smooth(x + k, c + k, n - k);
}

// Large tapes: one call's does not stay when the next begins.
static NOINLINE void powers(double *restrict x, const double *restrict c,
                            int n) {
  double w = c[0];
  for (int k = 0; k < 3000; ++k) {
    w = 0.5 * sin(w) + c[k % n];
    x[k % n] = (x[k % n] + w * x[(k + 1) % n]) / (1 + w);
  }
}
static void large(double *restrict x, const double *restrict c, int n) {
  for (int k = 0; k < 4; ++k)
    powers(x + k, c, n - k);
}

// It calls another; a number is passed by value, and has an adjoint.
static NOINLINE void scaled(double *restrict x, double factor, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] + factor * factor;
}
static NOINLINE void twice(double *restrict x, double factor, int n) {
  scaled(x, sin(factor), n);
  scaled(x, factor, n / 2);
}
static void passed(double *restrict x, const double *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    twice(x, c[i], i);
}

// What it reads is changed when it has run: it has to run before that.
static NOINLINE void weights(double *restrict x, const double *restrict c,
                             int n) {
  for (int i = 0; i < n; ++i)
    x[i] += sin(c[i]);
}
static void changed(double *restrict x, double *restrict c, int n) {
  weights(x, c, n);
  for (int i = 0; i < n; ++i)
    c[i] = c[i] * c[i] + 1;
  weights(x, c, n);
}

// What it counts is seen outside.
static int Calls;
static NOINLINE void counted(double *restrict x, const double *restrict c,
                             int n) {
  ++Calls;
  for (int i = 0; i < n; ++i)
    x[i] += c[i] * c[i];
}
static NOINLINE void callsIt(double *restrict x, const double *restrict c,
                             int n) {
  counted(x, c, n);
}
static NOINLINE void marks(double *restrict x, const double *restrict c,
                           int n) {
  Calls = 7;
  for (int i = 0; i < n; ++i)
    x[i] += sin(c[i]);
}
static void counts(double *restrict x, const double *restrict c, int n) {
  callsIt(x, c, n);
  counted(x, c, Calls % 2 ? n / 2 : n);
  marks(x, c, Calls);
  counted(x, c, Calls);
}

// One of the arrays is needed: it is added to, written, cleared.
static NOINLINE void both(double *restrict x, double *restrict y,
                          const double *restrict c, int n) {
  for (int i = 0; i < n; ++i) {
    x[i] += c[i] * c[i];
    y[i] *= c[i];
  }
}
static NOINLINE void stores(double *restrict x, double *restrict y,
                            const double *restrict c, int n) {
  for (int i = 0; i < n; ++i) {
    x[i] += c[i];
    y[i] = c[i] * c[i];
  }
}
static NOINLINE void clears(double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 3;
  memset(y + n / 2, 0, (size_t)(n - n / 2) * sizeof *y);
}
static NOINLINE void copies(double *restrict x, double *restrict y,
                            const double *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    x[i] += c[i];
  memcpy(y, c, (size_t)(n / 2) * sizeof *y);
}
static void needed(double *restrict x, const double *restrict c, int n) {
  double y[N];
  stores(x, y, c, n);
  both(x, y, c, n);
  for (int i = 0; i < n; ++i)
    x[i] += y[i] * y[i];
  clears(x, y, n);
  for (int i = 0; i < n; ++i)
    x[i] += (y[i] + 1) * c[i];
  copies(x, y, c, n);
  for (int i = 0; i < n; ++i)
    x[i] += y[i] * y[i];
}

// Different elements of what the caller has on its stack.
static NOINLINE void from(double *restrict x, const double *restrict own,
                          int n) {
  for (int i = 0; i < n; ++i)
    x[i] += own[i] * own[i];
}
static void locals(double *restrict x, const double *restrict c, int n) {
  double own[N];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i)
      own[i] = c[i] * (k + 1);
    from(x, own, n);
  }
}

typedef void Function(double *restrict, const double *restrict, int);

static void fill(double *x, double *seed, double *c, double *d) {
  for (int i = 0; i < N; ++i) {
    x[i] = sin(3.0 * i + 1);
    seed[i] = cos(2.0 * i + 1);
    c[i] = 1.25 + 0.5 * sin(7.0 * i);
    d[i] = 0.5 - i;
  }
}

// The same adjoints to the last bit, of the array and of what it is computed
// with; and those of differences.
#define COMPARE(f)                                                             \
  do {                                                                         \
    double x[N], s[N], c[N], d[N], y[N], t[N], e[N], g[N];                     \
    fill(x, s, c, d), fill(y, t, e, g);                                        \
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, s, enzyme_dup, c, d,      \
                           enzyme_const, N);                                   \
    __enzyme_autodiff_void((void *)f, enzyme_dupnoneed, y, t, enzyme_dup, e,   \
                           g, enzyme_const, N);                                \
    for (int i = 0; i < N; ++i) {                                              \
      NEAR(t[i], s[i], 0);                                                     \
      NEAR(g[i], d[i], 0);                                                     \
      NEAR(e[i], c[i], 0);                                                     \
    }                                                                          \
    differences((Function *)f, t, g);                                          \
    fill(y, t, e, g);                                                          \
    __enzyme_autodiff_void((void *)f, enzyme_dupnoneed, y, t, enzyme_const, e, \
                           enzyme_const, N);                                   \
    for (int i = 0; i < N; ++i)                                                \
      NEAR(t[i], s[i], 0);                                                     \
  } while (0)

static double weighed(Function *f, int which, double by) {
  double x[N], s[N], c[N], d[N], sum = 0;
  fill(x, s, c, d);
  (which < N ? x : c)[which % N] += by;
  f(x, c, N);
  for (int i = 0; i < N; ++i)
    sum += x[i] * s[i];
  return sum;
}

static void differences(Function *f, const double *t, const double *g) {
  double x[N], s[N], c[N], d[N];
  fill(x, s, c, d);
  for (int i = 0; i < 2 * N; ++i) {
    const double h = 1e-6;
    const double by = (weighed(f, i, h) - weighed(f, i, -h)) / (2 * h);
    if (i < N)
      NEAR(1 + t[i] - by, 1, 1e-6);
    else
      NEAR(1 + g[i - N] - d[i - N] - by, 1, 1e-6);
  }
}

// c is changed, and its seeds count: only the two are compared.
static void compareChanged(void) {
  double x[N], s[N], c[N], d[N], y[N], t[N], e[N], g[N];
  fill(x, s, c, d), fill(y, t, e, g);
  __enzyme_autodiff_void((void *)changed, enzyme_dup, x, s, enzyme_dup, c, d,
                         enzyme_const, N);
  __enzyme_autodiff_void((void *)changed, enzyme_dupnoneed, y, t, enzyme_dup, e,
                         g, enzyme_const, N);
  double x0[N], s0[N], c0[N], d0[N];
  fill(x0, s0, c0, d0);
  for (int i = 0; i < N; ++i) {
    NEAR(t[i], s[i], 0);
    NEAR(e[i], c[i], 0);
    NEAR(g[i], d[i], 0);
    const double c1 = c0[i] * c0[i] + 1;
    NEAR(g[i], s0[i] * cos(c0[i]) + 2 * c0[i] * (d0[i] + s0[i] * cos(c1)),
         1e-13);
  }
}

static void compareCounts(void) {
  double x[N], s[N], c[N], d[N];
  fill(x, s, c, d);
  Calls = 0;
  __enzyme_autodiff_void((void *)counts, enzyme_dupnoneed, x, s, enzyme_dup, c,
                         d, enzyme_const, N);
  NEAR(Calls, 8, 0);
  double x0[N], s0[N], c0[N], d0[N];
  fill(x0, s0, c0, d0);
  for (int i = 0; i < N; ++i)
    NEAR(d[i],
         d0[i] + s0[i] * (2 * c0[i] * (1 + (i < N / 2) + (i < 7)) +
                          (i < 2 ? cos(c0[i]) : 0)),
         1e-13);
}

int main(void) {
  COMPARE(halves);
  COMPARE(many);
  COMPARE(large);
  COMPARE(passed);
  COMPARE(needed);
  COMPARE(locals);
  compareChanged();
  compareCounts();
  return finish();
}
