// OPTIONS: -mllvm -retro-parts-above=60 -mllvm -retro-part-size=24
// Functions that are differentiated in parts: what goes from one to another
// as a number, through memory, in phis of a branch or of a loop.
#include "../check.h"
#include <math.h>

enum { N = 10 };

#define FOR_EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9)

// One block, whose first numbers are read in its last part.
static double straight(const double *x, int n) {
  double s = 0, t = 1;
#define READ(i) const double a##i = sin(x[i] * x[(i + 3) % N]);
#define ADD(i) s += a##i * t, t = t * 0.5 + a##i * a##i;
#define BACK(i) s = s * 0.9 + a##i * x[(i + 1) % N] * t;
  FOR_EACH(READ)
  FOR_EACH(ADD)
  FOR_EACH(BACK)
  return s + n * 0.0;
}

// More phis than a part has instructions.
static double merged(const double *x, int n) {
#define START(i) double b##i = x[i], c##i = x[i] * x[i];
#define ONE(i) b##i = sin(b##i) * x[(i + 7) % N], c##i = b##i + c##i;
#define OTHER(i) b##i = c##i * x[(i + 1) % N];
#define SUM(i) s += b##i * c##i;
  double s = 0;
  FOR_EACH(START)
  if (x[0] > x[1]) {
    FOR_EACH(ONE)
  } else {
    FOR_EACH(OTHER)
  }
  FOR_EACH(SUM)
  return s;
}

// A loop with a body in parts, another in one of its branches, and numbers that
// it carries.
static double looped(const double *x, int n) {
  double s = 0.5, p = 1;
  for (int k = 0; k < n; ++k) {
    double y[N];
#define KEEP(i) y[i] = exp(-x[(i + k) % N] * s) + p;
#define USE(i) p = 0.3 * p + y[i] * y[(i + k) % N];
    FOR_EACH(KEEP)
    if (y[k % N] > 1.2) {
      for (int j = 0; j < k; ++j) {
        s = 0.7 * s + 0.1 * y[j % N] * x[j % N];
        if (s > 3)
          break;
      }
    } else {
      FOR_EACH(USE)
    }
    s = 0.5 * s + 0.01 * p;
  }
  return s * p;
}

// Left early, from within.
static double left(const double *x, int n) {
  double s = 1;
  for (int k = 0; k < n; ++k) {
#define STEP(i) s = s * cos(x[i]) + 0.1 * x[(i + k) % N];
    FOR_EACH(STEP)
    if (s < -0.2)
      return 2 * s;
    FOR_EACH(STEP)
    if (s > 1.4)
      break;
  }
  return s * s;
}

// Array parameters that are apart, one of which is written in place.
static void in_place(double *restrict y, const double *restrict x) {
#define PUT(i) y[i] = y[i] * x[i] + sin(y[(i + 1) % N]) * x[(i + 4) % N];
  FOR_EACH(PUT)
  FOR_EACH(PUT)
  FOR_EACH(PUT)
}
static double written(const double *x, int n) {
  double y[N], s = 0;
  for (int i = 0; i < N; ++i)
    y[i] = x[(i * 3) % N];
  in_place(y, x);
  for (int i = 0; i < n; ++i)
    s += y[i % N] * x[i % N];
  return s;
}

int main(void) {
  for (int k = 0; k < 4; ++k) {
    double x[N];
    for (int i = 0; i < N; ++i)
      x[i] = 0.4 + 0.3 * sin(5.0 * i + k);
#define CHECK(f)                                                               \
  do {                                                                         \
    double g[N] = {0};                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, N);           \
    GRADIENT(f, x, g, N);                                                      \
  } while (0)
    CHECK(straight);
    CHECK(merged);
    CHECK(looped);
    CHECK(left);
    CHECK(written);
  }
  return finish();
}
