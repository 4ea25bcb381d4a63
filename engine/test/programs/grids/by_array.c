// Arrays that a nest reads again and again, in an arena that everything else is
// in, too: a copy of each is kept before the nest, if it is not overwritten
// there, which only the running program knows.
#include "../check.h"

#define EACH(i, n) for (int i = 0; i < n; ++i)

/// A network in one arena: weights, then what the layers compute.
NOINLINE static void multiply(double *out, const double *in,
                              const double *weight, const double *bias,
                              int rows, int width) {
  EACH(r, rows) EACH(o, width) {
    double v = bias[o];
    EACH(i, width) v += in[r * width + i] * weight[o * width + i];
    out[r * width + o] = v;
  }
}
NOINLINE static void bend(double *x, int n) { EACH(i, n) x[i] = tanh(x[i]); }

static int rows = 3, width = 4, layers = 3, gap;
static double network(const double *x, int n) {
  double arena[400], *at = arena + n, sum = 0;
  EACH(i, 400) arena[i] = 0.2;
  EACH(i, n) arena[i] = x[i];
  EACH(l, layers) {
    // With a gap below zero the rows that are written overlap those read.
    double *out = at + rows * width + gap;
    multiply(out, at, arena + l, arena, rows, width);
    bend(out, rows * width);
    at = out;
  }
  EACH(i, rows * width) sum += at[i] * at[i] * (1 + i % 3);
  // All is overwritten in the end.
  memset(arena, 0, sizeof arena);
  return sum;
}

/// Two buffers that are swapped, read at three places.
static double heat(const double *x, int n) {
  double both[40] = {0}, *a = both, *b = both + 20, sum = 0;
  EACH(i, n) a[i] = x[i];
  EACH(t, 5) {
    for (int i = 1; i < n - 1; ++i)
      b[i] = a[i] + 0.2 * (a[i - 1] - 2 * a[i] + a[i + 1]) * (1 + 0.1 * a[i]);
    b[0] = a[0];
    b[n - 1] = a[n - 1];
    double *old = a;
    a = b;
    b = old;
  }
  EACH(i, n) sum += a[i] * a[i];
  return sum;
}

/// Rows from the last to the first, every other column, of a table that is
/// found by a list, which is overwritten as well.
static int step = 2, tall = 3;
static double strides(const double *x, int n) {
  double table[64], out[8] = {0}, sum = 0;
  int list[8];
  EACH(i, 64) table[i] = x[i % n] * (1 + 0.1 * (i % 7));
  EACH(i, 8) list[i] = (i * 3) % 8;
  EACH(t, tall)
  EACH(i, 4)
  EACH(j, 4)
  out[list[j]] += table[(3 - i) * 8 + (3 - j) * step] * out[i] + table[t];
  EACH(i, 64) table[i] = i;
  EACH(i, 8) list[i] = 0;
  EACH(i, 8) sum += out[i] * out[i];
  return sum;
}

/// Narrow numbers, and a nest in a function that is called in a loop.
NOINLINE static void product(float *c, const float *a, const float *b, int n,
                             int m) {
  EACH(i, n) EACH(j, n) {
    float s = c[i * n + j];
    EACH(k, m) s += a[i * m + k] * b[k * n + j];
    c[i * n + j] = s;
  }
}
static void narrow(const float *x, float *y, int n, int m, int times) {
  float *a = (float *)malloc(sizeof(float) * 3 * (n * m + n * n + 1));
  float *b = a + n * m, *c = b + n * m;
  EACH(i, n * n) c[i] = 0;
  EACH(t, times) {
    EACH(i, n * m) a[i] = x[i] * (t + 1), b[i] = x[i] * x[i];
    product(c, a, b, n, m);
  }
  EACH(i, n * n) y[i] = c[i];
  free(a);
}

static void of_narrow(int n, int m, int times) {
  float x[32], dx[32] = {0}, y[32], dy[32] = {0};
  EACH(i, 32) x[i] = 0.3f + 0.01f * (i * 7 % 11);
  EACH(i, n * n) dy[i] = 1 + i % 2;
  __enzyme_autodiff_void((void *)narrow, x, dx, y, dy, n, m, times);
  // c = sum over t of (t + 1) x[i m + k] x[k n + j]^2
  EACH(q, n * m) {
    double want = 0, often = times * (times + 1) / 2;
    EACH(i, n) EACH(j, n) EACH(k, m) {
      double g = 1 + (i * n + j) % 2;
      if (i * m + k == q)
        want += often * g * x[k * n + j] * x[k * n + j];
      if (k * n + j == q)
        want += often * g * x[i * m + k] * 2 * x[k * n + j];
    }
    NEAR(dx[q], want, 1e-4);
  }
}

static void check(double (*f)(const double *, int), const double *x, int n) {
  double g[32] = {0};
  if (f == network)
    __enzyme_autodiff((void *)network, x, g, n);
  else if (f == heat)
    __enzyme_autodiff((void *)heat, x, g, n);
  else
    __enzyme_autodiff((void *)strides, x, g, n);
  GRADIENT(f, x, g, n);
}

int main(void) {
  double x[32];
  EACH(i, 32) x[i] = 0.1 + 0.02 * ((i * 5) % 9) - 0.03 * (i % 4);
  EACH(g, 4) {
    gap = g == 3 ? 7 : -3 * g;
    check(network, x, 24);
    width = 1;
    gap = gap < 0 ? -1 : gap;
    check(network, x, 8);
    rows = 0;
    check(network, x, 8);
    rows = 3, width = 4;
  }
  check(heat, x, 18);
  check(heat, x, 4);
  check(heat, x, 3);
  EACH(s, 4) {
    step = s - 1;
    tall = s;
    if (step >= 0)
      check(strides, x, 9);
  }
  of_narrow(3, 4, 2);
  of_narrow(4, 1, 3);
  of_narrow(2, 0, 2);
  of_narrow(0, 3, 2);
  of_narrow(5, 5, 0);
  return finish();
}
