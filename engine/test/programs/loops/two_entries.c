// Loops that are entered in two places, by one branch from outside and by one
// from inside, with values that differ by the way in.
#include "../check.h"

static double f(const double *x, int n, int k) {
  double s = x[0], t = 0;
  int left = n;
  if (k == 2) {
    t = x[1];
    goto second;
  }
first:
  s += 0.3 * sin(x[0] * s + t);
  t = 0.5 * t + x[2];
  goto test;
second:
  s *= 0.4 + x[1] * t;
test:
  if (left == 0)
    return s + t;
  left--;
  t += 0.1 * s;
  if (s > 2 * k)
    goto second;
  goto first;
}

static double first_way(const double *x, int n) { return f(x, n, 1); }
static double second_way(const double *x, int n) { return f(x, n, 2); }

static void gradient(const double *x, double *g, int n, int k) {
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, n,
                         enzyme_const, k);
}

/// The gradient of this has such a loop: a count of iterations that comes from
/// two exits of the loop before.
static double steps(double *x, double *y, double a, int n) {
  for (int i = 2; i >= 0; i--)
    y[0] = n != 2 ? x[n] : a;
  for (int k = 0; k < n; k++)
    for (int i = 2; i >= 1; i--)
      x[i] = 0.3 * x[i - 1] * x[i + 1];
  return y[0];
}

static double stepped(const double *x, int n) {
  double at[4], y[1] = {0};
  memcpy(at, x, sizeof at);
  (void)n;
  return steps(at, y, x[0], 2) + at[1] + 2 * at[2];
}

static void gradient_of_steps(const double *x, double *g, int n) {
  double at[4], y[1] = {0}, d[4] = {0, 1, 2, 0}, dy[1] = {0};
  memcpy(at, x, sizeof at);
  const double da =
      __enzyme_autodiff((void *)steps, enzyme_dup, at, d, enzyme_dup, y, dy,
                        enzyme_out, x[0], enzyme_const, n);
  for (int i = 0; i < 4; i++)
    g[i] = d[i];
  g[0] += da;
}

static int two = 2;
static const double other[4] = {0.5, -1, 0.3, 0.7};

static double along_other(const double *x, int n) {
  double g[4];
  gradient_of_steps(x, g, two);
  return dot(g, other, n);
}

int main(void) {
  const double x[4] = {0.4, 0.7, -0.6, 1.1}, v[4] = {1, -0.5, 0.25, 2};
  for (int k = 1; k < 3; ++k) {
    double g[3] = {0};
    gradient(x, g, 3, k);
    GRADIENT(k == 2 ? second_way : first_way, x, g, 3);
  }
  double g[4], again[4] = {0}, hv[4] = {0};
  gradient_of_steps(x, g, two);
  GRADIENT(stepped, x, g, 4);
  __enzyme_fwddiff_void((void *)gradient_of_steps, enzyme_dup, x, v, enzyme_dup,
                        again, hv, enzyme_const, two);
  for (int i = 0; i < 4; ++i)
    NEAR(again[i], g[i], 1e-12);
  NEAR(dot(hv, other, 4), slope(along_other, x, v, 4), 1e-7);
  return finish();
}
