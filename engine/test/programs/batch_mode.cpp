// Batch mode: many evaluations in one call, with control flow of their own.
#include "check.h"

MARKERS(enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer);
template <typename R, typename... A> R __enzyme_batch(A...);

struct Three {
  double v[3];
};
struct ThreeFloats {
  float v[3];
};

static double run(double x, const double *p, int n) {
  double s = x;
  for (int i = 0; i < n && s < 10; ++i)
    s = s > p[i] ? s * x + p[i] : s + p[i] * p[i];
  return s;
}
static float single(float x, int n) { return n > 2 ? x * x : x + (float)n; }
static void store(double *out, double x) { *out = x * x; }

/// Differentiated: the batch is part of what has a gradient.
static double total(const double *x, int n) {
  (void)n;
  Three r =
      __enzyme_batch<Three>((void *)run, enzyme_width, 3, enzyme_vector, x[0],
                            x[1], x[2], enzyme_scalar, x + 3, enzyme_scalar, 3);
  return r.v[0] * r.v[1] + r.v[2];
}

extern "C" double __enzyme_autodiff(void *, ...);

int main() {
  const double xs[3] = {0.5, 1.9, -1.2};
  const double p[3][4] = {
      {0.5, -1.2, 2, 9}, {0.3, 4, -0.7, 9}, {1.1, 0.2, 0.9, 9}};
  Three r = __enzyme_batch<Three>((void *)run, enzyme_width, 3, enzyme_vector,
                                  xs[0], xs[1], xs[2], enzyme_buffer,
                                  sizeof p[0], &p[0][0], enzyme_scalar, 3);
  Three q = __enzyme_batch<Three>((void *)run, enzyme_width, 3, enzyme_scalar,
                                  xs[1], enzyme_vector, p[0], p[1], p[2],
                                  enzyme_vector, 1, 2, 3);
  ThreeFloats s =
      __enzyme_batch<ThreeFloats>((void *)single, enzyme_width, 3,
                                  enzyme_scalar, 1.5f, enzyme_vector, 1, 2, 3);
  double out[3];
  __enzyme_batch<void>((void *)store, enzyme_width, 3, enzyme_vector, out,
                       out + 1, out + 2, enzyme_vector, 1.0, 2.0, 3.0);
  for (int k = 0; k < 3; ++k) {
    NEAR(r.v[k], run(xs[k], p[k], 3), 0);
    NEAR(q.v[k], run(xs[1], p[k], k + 1), 0);
    NEAR(s.v[k], single(1.5f, k + 1), 0);
    NEAR(out[k], (k + 1) * (k + 1), 0);
  }
  const double x[6] = {0.5, 1.1, -0.2, 0.3, 0.8, 0.4};
  double g[6] = {};
  __enzyme_autodiff((void *)total, enzyme_dup, x, g, enzyme_const, 6);
  GRADIENT(total, x, g, 6);
  return finish();
}
