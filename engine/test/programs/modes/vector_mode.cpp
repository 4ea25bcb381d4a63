// Vector mode: the tangents and the adjoints of several directions at once are
// those of one direction at a time.
#include "../check.h"

MARKERS(enzyme_width, enzyme_dupv, enzyme_primal_return);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_autodiff(A...);

template <int N> struct Lanes {
  double v[N];
};
struct Two {
  float v[2];
};
struct PrimalAndLanes {
  double value, v[2];
};

static double scratch[3];

/// A callee with a result, a global, and memory of its own.
NOINLINE static double mix(double a, const double *b, int n) {
  double *w = (double *)malloc(sizeof(double) * (size_t)n);
  double s = a;
  for (int i = 0; i < n; ++i) {
    w[i] = sin(b[i]) * s;
    scratch[i % 3] = w[i] * 0.5;
    s += w[i] * w[i] + scratch[(i + 1) % 3];
  }
  free(w);
  return s;
}

/// Loops of unknown length, a branch, in-place updates, a callee in a loop.
static double run(double *x, int n, double t) {
  scratch[0] = scratch[1] = scratch[2] = t;
  double s = t;
  for (int i = 0; s < 6 && i < 4 * n; ++i) {
    if (x[i % n] > 0)
      x[i % n] = x[i % n] * x[(i + 1) % n] + 0.3 * t;
    else
      x[i % n] = exp(x[i % n]) - s * 0.1;
    s += 0.05 + 0.02 * mix(x[i % n], x, n);
  }
  return s * x[0];
}

/// The same in float, and through a pointer to a pointer.
static float single(float **rows, int n) {
  float s = 1;
  for (int i = 0; i < n; ++i)
    s = s * rows[i % 2][i] + sqrtf(rows[0][i]);
  return s;
}

static const double X[4] = {0.7, -0.4, 1.1, 0.2};
static const double V[3][5] = {
    {1, 0, 0.5, -1, 0.3}, {0.2, -2, 0, 1, 0}, {-0.7, 0.1, 3, 0.4, 1}};

static void forward() {
  double x[4], d[3][4], one[3], dx[3][4];
  for (int k = 0; k < 3; ++k) {
    memcpy(x, X, sizeof x);
    memcpy(dx[k], V[k], sizeof dx[k]);
    one[k] =
        __enzyme_fwddiff<double>((void *)run, enzyme_dup, x, dx[k],
                                 enzyme_const, 4, enzyme_dup, 0.6, V[k][4]);
  }
  memcpy(x, X, sizeof x);
  for (int k = 0; k < 3; ++k)
    memcpy(d[k], V[k], sizeof d[k]);
  auto r = __enzyme_fwddiff<Lanes<3>>(
      (void *)run, enzyme_width, 3, enzyme_dup, x, d[0], d[1], d[2],
      enzyme_const, 4, enzyme_dup, 0.6, V[0][4], V[1][4], V[2][4]);
  for (int k = 0; k < 3; ++k) {
    NEAR(r.v[k], one[k], 1e-13);
    for (int i = 0; i < 4; ++i)
      NEAR(d[k][i], dx[k][i], 1e-13);
  }
  // The shadows in one block, with the primal's value.
  double block[2][4];
  memcpy(block[0], V[0], sizeof block[0]);
  memcpy(block[1], V[2], sizeof block[1]);
  memcpy(x, X, sizeof x);
  auto p = __enzyme_fwddiff<PrimalAndLanes>(
      (void *)run, enzyme_primal_return, enzyme_width, 2, enzyme_dupv,
      sizeof block[0], x, block, enzyme_const, 4, enzyme_dup, 0.6, V[0][4],
      V[2][4]);
  memcpy(x, X, sizeof x);
  NEAR(p.value, run(x, 4, 0.6), 1e-14);
  NEAR(p.v[0], one[0], 1e-13);
  NEAR(p.v[1], one[2], 1e-13);
}

static void reverse() {
  double x[4], one[3][4], dt[3], d[3][4];
  for (int k = 0; k < 3; ++k) {
    memcpy(x, X, sizeof x);
    memcpy(one[k], V[k], sizeof one[k]);
    dt[k] = __enzyme_autodiff<double>((void *)run, enzyme_dup, x, one[k],
                                      enzyme_const, 4, enzyme_out, 0.6);
  }
  memcpy(x, X, sizeof x);
  for (int k = 0; k < 3; ++k)
    memcpy(d[k], V[k], sizeof d[k]);
  auto r = __enzyme_autodiff<Lanes<3>>((void *)run, enzyme_width, 3, enzyme_dup,
                                       x, d[0], d[1], d[2], enzyme_const, 4,
                                       enzyme_out, 0.6);
  for (int k = 0; k < 3; ++k) {
    NEAR(r.v[k], dt[k], 1e-13);
    for (int i = 0; i < 4; ++i)
      NEAR(d[k][i], one[k][i], 1e-13);
  }
  // The dot-product test between the modes.
  memcpy(x, X, sizeof x);
  double t[4], zero[4] = {};
  memcpy(t, V[0], sizeof t);
  double jv = __enzyme_fwddiff<double>((void *)run, enzyme_dup, x, t,
                                       enzyme_const, 4, enzyme_dup, 0.6, 0.3);
  memcpy(x, X, sizeof x);
  double g = __enzyme_autodiff<double>((void *)run, enzyme_dup, x, zero,
                                       enzyme_const, 4, enzyme_out, 0.6);
  NEAR(dot(zero, V[0], 4) + g * 0.3, jv, 1e-12);
}

static void pointers() {
  float a[4] = {0.5f, 1.5f, 0.8f, 1.2f}, b[4] = {1.1f, 0.6f, -0.4f, 0.9f};
  float *rows[2] = {a, b};
  float da[2][4] = {{1, 0, 0.5f, 0}, {0, 2, 0, -1}},
        db[2][4] = {{0, 1, 0, 0}, {0.5f, 0, 1, 1}};
  float *d0[2] = {da[0], db[0]}, *d1[2] = {da[1], db[1]};
  Two r = __enzyme_fwddiff<Two>((void *)single, enzyme_width, 2, enzyme_dup,
                                rows, d0, d1, enzyme_const, 4);
  float one0 = __enzyme_fwddiff<float>((void *)single, enzyme_dup, rows, d0,
                                       enzyme_const, 4);
  float one1 = __enzyme_fwddiff<float>((void *)single, enzyme_dup, rows, d1,
                                       enzyme_const, 4);
  NEAR(r.v[0], one0, 1e-6);
  NEAR(r.v[1], one1, 1e-6);
  float ga[2][4] = {}, gb[2][4] = {};
  float *g0[2] = {ga[0], gb[0]}, *g1[2] = {ga[1], gb[1]};
  __enzyme_autodiff<void>((void *)single, enzyme_width, 2, enzyme_dup, rows, g0,
                          g1, enzyme_const, 4);
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += ga[0][i] * da[0][i] + gb[0][i] * db[0][i];
    NEAR(ga[1][i], ga[0][i], 0);
    NEAR(gb[1][i], gb[0][i], 0);
  }
  NEAR(sum, one0, 1e-5);
}

int main() {
  forward();
  reverse();
  pointers();
  return finish();
}
