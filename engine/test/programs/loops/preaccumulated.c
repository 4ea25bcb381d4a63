// Loops that compute numbers from one number or two: their derivatives go along
// with them. Forward mode does so too, so all is held against differences.
#include "../check.h"

MARKERS(enzyme_width, enzyme_dupv);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

/// A loop in a loop, of trips that nobody knows before.
NOINLINE static double roots(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double r = 1;
    while (fabs(r * r * r - x[i]) > 1e-13)
      r -= (r * r * r - x[i]) / (3 * r * r);
    sum += r * sin(x[i]) * (i + 1);
  }
  return sum;
}

/// Two columns and two results.
NOINLINE static double pendulum(const double *x, int n) {
  double angle = x[0], speed = x[1], h = 0.05;
  for (int i = 0; i < 40 + n; ++i) {
    double old = angle;
    angle += h * speed;
    speed -= h * sin(old);
  }
  return angle * angle * speed;
}

/// The step, its half and its sixth: one column.
NOINLINE static double stages(const double *x, int n) {
  const double h = x[0] / (n + 5);
  double y = 0.3;
  for (int i = 0; i < n + 5; ++i) {
    double k1 = y * (1 - y), a = y + h / 2 * k1;
    double k2 = a * (1 - a), b = y + h / 2 * k2;
    double k3 = b * (1 - b), c = y + h * k3, k4 = c * (1 - c);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y * x[1];
}

/// The one column is a product of two numbers that vary.
NOINLINE static double product(const double *x, int n) {
  const double h = 0.1 * x[0] * x[1];
  double y = 0.3;
  for (int i = 0; i < n + 5; ++i)
    y += h * (y + h / 2) * (1 - y * (h / 6));
  return y * x[n - 1];
}

/// Branches, a table, whole numbers from outside, two ways out.
NOINLINE static double walk(const double *x, int n) {
  static const double table[4] = {0.9, 1.1, 0.7, 1.3};
  double y = x[0];
  for (int i = 0; i < 3 * n; ++i) {
    if (y > 2.5) {
      y = 0.5;
      break;
    }
    y = i % 3 == n % 3 ? y * y * x[1] : y * table[i & 3] + 0.1 * x[1];
    if (y < 0.2)
      y = fmax(y, 0.3 * y + 0.1);
  }
  return y * y * x[n - 1];
}

/// More columns than are worth it, and memory that varies.
NOINLINE static double reversed(const double *x, int n) {
  double y = x[0];
  for (int i = 0; i < 12; ++i)
    y = y * x[1] * (1 - 0.3 * y * x[2]);
  double z = 1;
  for (int i = 0; i < n; ++i)
    z = 0.7 * z * z + x[i];
  return y * z;
}

/// A number that a word of memory holds.
NOINLINE static double fromBits(const double *x, int n) {
  uint64_t bits[2], chosen;
  memcpy(bits, x, sizeof bits);
  chosen = n > 3 ? bits[0] : bits[1];
  double y;
  memcpy(&y, &chosen, sizeof y);
  for (int i = 0; i < n; ++i)
    y = 0.4 * y * y + 0.1;
  return y;
}

NOINLINE static float single(const float *x, int n) {
  float y = x[0];
  for (int i = 0; i < n; ++i)
    y = y * y * x[1] + 0.5f;
  return y;
}

/// 0 stays 0 under this map, of whose powers the derivative overflows.
NOINLINE static double unstable(double x, double keep) {
  double y = x;
  for (int i = 0; i < 50; ++i)
    y = 1e10 * y * (1 - y);
  return keep * y + x;
}

NOINLINE static double scaled(double x, double rate, int n) {
  double y = x;
  for (int i = 0; i < n; ++i)
    y = y * rate + 0.01 * y * y;
  return y;
}

static double slopeOfScaled(double x) {
  return __enzyme_autodiff((void *)scaled, enzyme_out, x, enzyme_const, 0.9,
                           enzyme_const, 9);
}

static const double start[5] = {1.2, 0.8, 1.7, 0.6, 2.1};

static void gradients(void) {
  double g[4][5] = {{0}};
  for (int n = 2; n <= 5; ++n) {
    memset(g, 0, sizeof g);
    __enzyme_autodiff((void *)roots, enzyme_dup, start, g[0], n);
    GRADIENT(roots, start, g[0], n);
    __enzyme_autodiff((void *)pendulum, enzyme_dup, start, g[1], n);
    GRADIENT(pendulum, start, g[1], n);
    __enzyme_autodiff((void *)stages, enzyme_dup, start, g[2], n);
    GRADIENT(stages, start, g[2], n);
    memset(g, 0, sizeof g);
    __enzyme_autodiff((void *)product, enzyme_dup, start, g[1], n);
    GRADIENT(product, start, g[1], n);
    memset(g, 0, sizeof g);
    __enzyme_autodiff((void *)fromBits, enzyme_dup, start, g[1], n);
    GRADIENT(fromBits, start, g[1], n);
    __enzyme_autodiff((void *)walk, enzyme_dup, start, g[0], n);
    GRADIENT(walk, start, g[0], n);
  }
  __enzyme_autodiff((void *)reversed, enzyme_dup, start, g[3], 5);
  GRADIENT(reversed, start, g[3], 5);
}

static void singlePrecision(void) {
  float x[2] = {0.4f, 0.7f}, g[2] = {0};
  __enzyme_autodiff((void *)single, enzyme_dup, x, g, 6);
  // The same recurrence and its tangents, by hand, in double precision.
  double y = x[0], dx = 1, dp = 0;
  for (int i = 0; i < 6; ++i) {
    dx = 2 * y * x[1] * dx;
    dp = y * y + 2 * y * x[1] * dp;
    y = y * y * x[1] + 0.5;
  }
  NEAR(g[0], dx, 1e-5);
  NEAR(g[1], dp, 1e-5);
}

/// Both passes one by one, several adjoints at once, derivatives of
/// derivatives.
static void otherRequests(void) {
  double g[2][5] = {{0}};
  void *tape =
      __enzyme_augmentfwd((void *)pendulum, enzyme_dup, start, g[0], 3);
  __enzyme_reverse((void *)pendulum, enzyme_dup, start, g[0], 3, 1.0, tape);
  GRADIENT(pendulum, start, g[0], 3);
  memset(g, 0, sizeof g);
  __enzyme_autodiff((void *)roots, enzyme_width, 2, enzyme_dup, start, g[0],
                    g[1], 5);
  GRADIENT(roots, start, g[0], 5);
  GRADIENT(roots, start, g[1], 5);
  const double h = 1e-4;
  NEAR(__enzyme_fwddiff((void *)slopeOfScaled, enzyme_dup, 0.7, 1.0),
       (slopeOfScaled(0.7 + h) - slopeOfScaled(0.7 - h)) / (2 * h), 1e-6);
}

int main(void) {
  gradients();
  singlePrecision();
  otherRequests();
  NEAR(__enzyme_autodiff((void *)unstable, enzyme_out, 0.0, enzyme_const, 0.0),
       1, 0);
  NEAR(slopeOfScaled(0.7),
       (scaled(0.7001, 0.9, 9) - scaled(0.6999, 0.9, 9)) / 2e-4, 1e-6);
  return finish();
}
