// Single precision, alone and mixed with double: the derivative of a rounding
// is that of the identity.
#include "../check.h"

static float f(const float *x, float a, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += sinf(a * x[i]) * x[i];
  return s;
}

/// Accumulated in double, kept in float, the two in turns.
static double mixed(const float *x, const double *y, int n) {
  double s = 1;
  float kept = 0.5f;
  for (int i = 0; i < n; ++i) {
    s = s * y[i] + (double)kept;
    kept = (float)(s * 0.25) * x[i];
  }
  return s * (double)kept;
}

float __enzyme_autodiff_float(void *, int, const float *, float *, int, float,
                              int, int);

int main(void) {
  const float x[] = {0.4f, 0.9f, 1.2f, -0.7f, 1.1f};
  const double y[] = {0.8, -0.3, 1.4, 0.6, 0.9};
  const float a = 1.3f;
  for (int n = 1; n <= 5; ++n) {
    float g[5] = {0};
    float ga = __enzyme_autodiff_float((void *)f, enzyme_dup, x, g, enzyme_out,
                                       a, enzyme_const, n);
    double expected = 0;
    for (int i = 0; i < n; ++i) {
      double xi = (double)x[i], t = (double)a * xi;
      expected += cos(t) * xi * xi;
      NEAR((double)g[i], sin(t) + t * cos(t), 1e-5);
    }
    NEAR((double)ga, expected, 1e-5);

    // By hand, in double: s' = y s + k, k' = s x / 4.
    float gx[5] = {0};
    double gy[5] = {0}, s[6] = {1}, k[6] = {0.5};
    __enzyme_autodiff((void *)mixed, x, gx, y, gy, n);
    for (int i = 0; i < n; ++i) {
      s[i + 1] = s[i] * y[i] + k[i];
      k[i + 1] = s[i + 1] * 0.25 * (double)x[i];
    }
    double ds = k[n], dk = s[n];
    for (int i = n - 1; i >= 0; --i) {
      NEAR((double)gx[i], dk * 0.25 * s[i + 1], 1e-5);
      ds += dk * 0.25 * (double)x[i];
      NEAR(gy[i], ds * s[i], 1e-5);
      dk = ds;
      ds *= y[i];
    }
  }
  return finish();
}
