// Arguments that are read and overwritten: a solver in place, a transform in
// place, and shadows that come in with a seed of their own.
#include "../check.h"

enum { N = 8 };

/// Thomas' algorithm: solves a tridiagonal system, destroying d and b.
static void solve(double *d, double *b, const double *off, int n) {
  for (int i = 1; i < n; ++i) {
    double m = off[i - 1] / d[i - 1];
    d[i] -= m * off[i - 1];
    b[i] -= m * b[i - 1];
  }
  b[n - 1] /= d[n - 1];
  for (int i = n - 2; i >= 0; --i)
    b[i] = (b[i] - off[i] * b[i + 1]) / d[i];
}

/// x holds the diagonal, the right side, and the off-diagonal.
static double solved(const double *x, int n) {
  double d[N], b[N], sum = 0;
  memcpy(d, x, sizeof d);
  memcpy(b, x + N, sizeof b);
  solve(d, b, x + 2 * N, n / 3);
  for (int i = 0; i < N; ++i)
    sum += (i + 1) * b[i];
  return sum;
}

/// The fast Walsh-Hadamard transform, in place, with a squared carrier.
static void transform(double *u, int n) {
  for (int half = 1; half < n; half *= 2)
    for (int i = 0; i < n; i += 2 * half)
      for (int j = i; j < i + half; ++j) {
        double a = u[j], b = u[j + half];
        u[j] = a + b;
        u[j + half] = a - b;
      }
  for (int i = 0; i < n; ++i)
    u[i] *= u[i];
}

int main(void) {
  double x[3 * N], g[3 * N] = {0};
  for (int i = 0; i < 3 * N; ++i)
    x[i] = (i < N ? 4 : 0.5) + 0.4 * sin(2. * i);
  double d[N], b[N];
  memcpy(d, x, sizeof d);
  memcpy(b, x + N, sizeof b);
  for (int i = 0; i < N; ++i)
    g[N + i] = i + 1;
  __enzyme_autodiff_void((void *)solve, d, g, b, g + N, x + 2 * N, g + 2 * N,
                         N);
  // The last off-diagonal entry is outside the matrix.
  GRADIENT(solved, x, g, 3 * N);
  NEAR(g[3 * N - 1], 0, 0);

  // y = (H u)^2: J'w = 2 H (w * H u), J v = 2 (H u) * (H v).
  double u[N], shadow[N], h[N], w[N], wh[N],
      v[N] = {1, -2, 0.5, 3, 0, 1, 1, -1};
  for (int i = 0; i < N; ++i) {
    h[i] = wh[i] = 0;
    w[i] = shadow[i] = 1 - 0.3 * i;
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      h[i] += (__builtin_popcount(i & j) % 2 ? -1 : 1) * x[j];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      wh[i] += (__builtin_popcount(i & j) % 2 ? -2 : 2) * w[j] * h[j];
  memcpy(u, x, sizeof u);
  __enzyme_autodiff_void((void *)transform, u, shadow, N);
  for (int i = 0; i < N; ++i) {
    NEAR(shadow[i], wh[i], 1e-13);
    NEAR(u[i], h[i] * h[i], 1e-13);
  }
  double tangent[N];
  memcpy(u, x, sizeof u);
  memcpy(tangent, v, sizeof v);
  __enzyme_fwddiff_void((void *)transform, u, tangent, N);
  NEAR(dot(tangent, w, N), dot(v, wh, N), 1e-13);
  return finish();
}
