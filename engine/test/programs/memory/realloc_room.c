// realloc gives more than was asked for: what the allocator has behind a block
// may be more than it has behind the block's shadow.
#include "../check.h"

static double grown(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < 6; k++) {
    double a[k];
    for (int i = 0; i < k; i++)
      a[i] = x[i % n] * x[0];
    double *h = malloc(8 * k);
    for (int i = 0; i < k; i++)
      h[i] = a[i] * x[0];
    h = realloc(h, 8 * (k + 5));
    s += h[k - 1] * h[0];
    free(h);
    void *other;
    if (posix_memalign(&other, 32, 64))
      return 0;
    free(other);
  }
  return s;
}

/// The same with pointers in the block.
static double rows(const double *x, int n) {
  double s = 0;
  const double **r = malloc(sizeof *r);
  for (int k = 0; k < n; k++) {
    r = realloc(r, (k + 1) * sizeof *r);
    r[k] = x + k;
  }
  for (int k = 0; k < n; k++)
    s += *r[k] * *r[n - 1 - k];
  free(r);
  return s;
}

int main(void) {
  // Small numbers are flushed to 0, as the sizes that an allocator keeps
  // beside its blocks are: what writes there, writes something else.
#ifdef __SSE__
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
  for (int k = 0; k < 20000; k++) {
    double x[3] = {0.3, 0.7, -0.4}, d[3] = {0}, t[3] = {1, -2, 0.5};
    __enzyme_autodiff_void((void *)grown, enzyme_dup, x, d, enzyme_const, 3);
    double along =
        __enzyme_fwddiff((void *)grown, enzyme_dup, x, t, enzyme_const, 3);
    double r[3] = {0};
    __enzyme_autodiff_void((void *)rows, enzyme_dup, x, r, enzyme_const, 3);
    double across =
        __enzyme_fwddiff((void *)rows, enzyme_dup, x, t, enzyme_const, 3);
    if (k % 5000)
      continue;
    // x0^2 (2 x0^2 + 2 x1 x0 + x2 x0) x0^2, and 2 x0 x2 + x1^2.
    double a = x[0], p = a * a * a * a * a;
    NEAR(d[0], 12 * p + 5 * p / a * (2 * x[1] + x[2]), 1e-12);
    NEAR(d[1], 2 * p, 1e-12);
    NEAR(d[2], p, 1e-12);
    NEAR(along, d[0] - 2 * d[1] + 0.5 * d[2], 1e-12);
    NEAR(r[0], 2 * x[2], 1e-12);
    NEAR(r[1], 2 * x[1], 1e-12);
    NEAR(r[2], 2 * x[0], 1e-12);
    NEAR(across, r[0] - 2 * r[1] + 0.5 * r[2], 1e-12);
  }
  return finish();
}
