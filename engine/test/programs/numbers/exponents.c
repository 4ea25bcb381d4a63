// A long exponent is not cut to the int that the derivative's ldexp takes.
#include "../check.h"

static double scale(double x, long n) { return scalbln(x * x, n); }

int main(void) {
  for (long n = -7; n <= 7; n += 7) {
    double want = 2 * 3.0 * exp2((double)n);
    NEAR(__enzyme_autodiff((void *)scale, enzyme_out, 3.0, enzyme_const, n),
         want, 1e-15);
    NEAR(__enzyme_fwddiff((void *)scale, enzyme_dup, 3.0, 1.0, enzyme_const, n),
         want, 1e-15);
  }
  double zero = __enzyme_autodiff((void *)scale, enzyme_out, 3.0, enzyme_const,
                                  -(1L << 33));
  double huge =
      __enzyme_autodiff((void *)scale, enzyme_out, 3.0, enzyme_const, 1L << 33);
  NEAR(zero, 0, 0);
  NEAR(huge > 1e308, 1, 0);
  return finish();
}
