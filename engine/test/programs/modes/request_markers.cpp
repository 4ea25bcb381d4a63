// Markers that say how a request is meant: by value and by address, before and
// between the arguments.
#include "../typed.h"

MARKERS(enzyme_strong_zero, enzyme_byref, enzyme_interleave, enzyme_dupv,
        enzyme_dupnoneed, enzyme_dupnoneedv, enzyme_noret, enzyme_dup_return,
        enzyme_active_return, enzyme_const_return, enzyme_primal_return,
        enzyme_width);

struct Two {
  double a, b;
};
struct TwoFloats {
  float a, b;
};
struct Augmented {
  void *tape;
  double value;
};

// An infinite factor of what has no derivative here.
static double infinite(const double *x, double big) {
  double product = x[0] * big, square = product * product;
  return x[1] * sqrt(x[2]) + 0 * square + x[1] * x[3];
}
static float singlef(float x, float y, float big) {
  return x * (y * big) + sinf(big * y) * x;
}
static double circle(double x, double r) {
  double s, c;
  sincos(x, &s, &c);
  return r * (s * c);
}

static void strong_zeros() {
  const double inf = strtod("inf", nullptr);
  double x[4] = {0, 3, 0, 5}, g[4] = {};
  __enzyme_autodiff<void>((void *)infinite, enzyme_strong_zero, enzyme_dup, x,
                          g, enzyme_const, 2.0);
  NEAR(g[0], 0, 0);
  NEAR(g[3], 3, 0);
  double y[2] = {0, 4}, d[2] = {};
  auto f = [](const double *p, double b) { return p[0] * (p[1] * b); };
  double (*fp)(const double *, double) = f;
  __enzyme_autodiff<void>((void *)fp, enzyme_strong_zero, enzyme_dup, y, d,
                          enzyme_const, inf);
  NEAR(d[1], 0, 0);
  // The adjoint of the second factor is 0, and it is not multiplied.
  NEAR(__enzyme_autodiff<TwoFloats>((void *)singlef, enzyme_out, 0.0f,
                                    enzyme_out, 2.0f, enzyme_strong_zero,
                                    enzyme_const, inf)
           .b,
       0, 0);
  // So is a tangent of 0.
  d[0] = d[1] = 0;
  NEAR(__enzyme_fwddiff<double>((void *)fp, enzyme_strong_zero, enzyme_dup, y,
                                d, enzyme_const, inf),
       0, 0);
  NEAR(__enzyme_autodiff<Two>((void *)circle, enzyme_strong_zero, enzyme_out,
                              inf, enzyme_out, 0.0)
           .a,
       0, 0);
  NEAR(__enzyme_fwddiff<double>((void *)circle, enzyme_strong_zero, enzyme_dup,
                                0.25, 1.0, enzyme_dup, 2.0, 0.0),
       2 * cos(0.5), 1e-15);
  double t0[2] = {0, 0}, t1[2] = {1, 0};
  Two two = __enzyme_fwddiff<Two>((void *)fp, enzyme_strong_zero, enzyme_width,
                                  2, enzyme_dup, y, t0, t1, enzyme_const, 3.0);
  NEAR(two.a, 0, 0);
  NEAR(two.b, 12, 0);
}

static double energy(double k, const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = k * x[i];
    s += y[i] * x[i];
  }
  return s;
}

/// The gradient of k x.x + w.(k x) with n = 2.
static void expect(const double *dx, double dk, double w0, double w1) {
  NEAR(dx[0], 2 * 3 * 5 + 3 * w0, 0);
  NEAR(dx[1], 2 * 3 * 7 + 3 * w1, 0);
  NEAR(dk, 25 + 49 + 5 * w0 + 7 * w1, 0);
}

static void places() {
  double x[2] = {5, 7}, dx[2] = {}, y[2], dy[2] = {1, 10};
  // All shadows behind the arguments.
  double dk = __enzyme_autodiff<double>(
      (void *)energy, enzyme_out, 3.0, enzyme_dup, x, enzyme_dupnoneed, y,
      enzyme_const, 2, enzyme_interleave, dx, dy);
  expect(dx, dk, 1, 10);
  double tx[2] = {1, 0}, ty[2] = {};
  NEAR(__enzyme_fwddiff<double>((void *)energy, enzyme_dup, 3.0, enzyme_dup, x,
                                enzyme_dup, y, enzyme_const, 2,
                                enzyme_interleave, 10.0, tx, ty),
       10 * 74 + 2 * 3 * 5, 0);
  NEAR(ty[1], 70, 0);
  // With the seed and the tape behind them.
  dx[0] = dx[1] = dy[0] = dy[1] = 0;
  auto a = __enzyme_augmentfwd<Augmented>(
      (void *)energy, enzyme_out, 3.0, enzyme_dup, x, enzyme_dup, y,
      enzyme_const, 2, enzyme_interleave, dx, dy);
  NEAR(a.value, 3 * 74, 0);
  dk = __enzyme_reverse<double>((void *)energy, enzyme_out, 3.0, enzyme_dup, x,
                                enzyme_dup, y, enzyme_const, 2,
                                enzyme_interleave, dx, dy, 1.0, a.tape);
  expect(dx, dk, 0, 0);
  // By their addresses.
  double k = 3, *px = x, *py = y, *pdx = dx, *pdy = dy;
  int n = 2;
  dx[0] = dx[1] = 0, dy[0] = 1, dy[1] = 10;
  dk = __enzyme_autodiff<double>((void *)energy, enzyme_out, enzyme_byref, 8,
                                 &k, enzyme_byref, 8, enzyme_dup, &px, &pdx,
                                 enzyme_dup, enzyme_byref, 8, &py, &pdy,
                                 enzyme_byref, 4, enzyme_const, &n);
  expect(dx, dk, 1, 10);
  double tk = 10;
  ty[0] = ty[1] = 0;
  NEAR(__enzyme_fwddiff<double>((void *)energy, enzyme_byref, 8, enzyme_dup, &k,
                                &tk, enzyme_dup, x, tx, enzyme_dup, y, ty,
                                enzyme_const, 2),
       10 * 74 + 2 * 3 * 5, 0);
  // Shadows of several directions in one block.
  double block[4] = {}, out[4] = {1, 10, 0, 0};
  Two dks = __enzyme_autodiff<Two>(
      (void *)energy, enzyme_width, 2, enzyme_out, 3.0, enzyme_dupv, 16, x,
      block, enzyme_dupnoneedv, 16, y, out, enzyme_const, 2);
  expect(block, dks.a, 1, 10);
  expect(block + 2, dks.b, 0, 0);
}

static double square(double x) { return x * x; }
struct Many {
  double of[4];
};
static Many many(double x) { return {{x, x * x, 3, x * x * x}}; }
static double *choose(double *a, double *b, int second) {
  a[0] = a[0] * b[0];
  return second ? b : a;
}

/// What is said of the result; by value and by address, in several places.
static void results() {
  NEAR(__enzyme_autodiff<double>((void *)square, enzyme_active_return,
                                 enzyme_out, 3.0),
       6, 0);
  NEAR(__enzyme_autodiff<double>((void *)square, enzyme_out, 3.0,
                                 enzyme_active_return),
       6, 0);
  NEAR(__enzyme_autodiff<double>((void *)square, &enzyme_active_return,
                                 &enzyme_out, 3.0),
       6, 0);
  NEAR(__enzyme_autodiff<double>((void *)square, enzyme_const_return,
                                 enzyme_out, 3.0),
       0, 0);
  Two both = __enzyme_autodiff<Two>((void *)square, enzyme_primal_return,
                                    enzyme_const_return, enzyme_out, 3.0);
  NEAR(both.a, 9, 0);
  NEAR(both.b, 0, 0);
  NEAR(__enzyme_fwddiff<double>((void *)square, enzyme_dup_return, enzyme_dup,
                                3.0, 2.0),
       12, 0);
  NEAR(__enzyme_fwddiff<double>((void *)square, enzyme_noret, &enzyme_dup, 3.0,
                                2.0),
       12, 0);
  both = __enzyme_fwddiff<Two>((void *)square, enzyme_dup, 3.0, 2.0,
                               enzyme_primal_return);
  NEAR(both.a, 9, 0);
  NEAR(both.b, 12, 0);
  // A result that is constant has no tangent.
  NEAR(__enzyme_fwddiff<double>((void *)square, enzyme_primal_return,
                                enzyme_const_return, enzyme_dup, 3.0, 2.0),
       9, 0);
  Many all = __enzyme_fwddiff<Many>((void *)many, enzyme_primal_return,
                                    enzyme_const_return, enzyme_dup, 2.0, 1.0);
  NEAR(all.of[0] + all.of[1] + all.of[3], 14, 0);
  all = __enzyme_fwddiff<Many>((void *)many, enzyme_dup, 2.0, 1.0);
  NEAR(all.of[3], 12, 0);
  double a = 2, da = 1, b = 3, db = 10;
  double *shadow =
      __enzyme_fwddiff<double *>((void *)choose, enzyme_dup_return, enzyme_dup,
                                 &a, &da, enzyme_dup, &b, &db, enzyme_const, 1);
  NEAR(shadow == &db, 1, 0);
  NEAR(da, 3 + 2 * 10, 0);
  a = 2, da = 1, db = 0;
  __enzyme_autodiff<void>((void *)choose, enzyme_const_return, enzyme_dup, &a,
                          &da, enzyme_dup, &b, &db, enzyme_const, 0);
  NEAR(da, 3, 0);
  NEAR(db, 2, 0);
}

int main() {
  strong_zeros();
  places();
  results();
  return finish();
}
