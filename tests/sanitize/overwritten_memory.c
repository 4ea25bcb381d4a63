/* Memory that is overwritten in place, through memcpy, memmove and a stack
 * array: the reverse sweep needs the values from before. */
#include "check.h"

/* Four rounds of: every entry times the sum of the others' old values. */
static double rounds(double *a, int n) {
  double old[8];
  for (int round = 0; round < 4; round++) {
    memcpy(old, a, n * sizeof *a);
    memmove(old, old + 1, (n - 1) * sizeof *a);
    old[n - 1] = a[0];
    for (int i = 0; i < n; i++)
      a[i] = 0.5 * a[i] * old[i];
  }
  double product = 1;
  for (int i = 0; i < n; i++)
    product *= a[i];
  return product;
}

int main(void) {
  enum { n = 6 };
  double a[n], before[n], da[n] = {0}, value = 1;
  for (int i = 0; i < n; i++)
    before[i] = a[i] = 1 + 0.125 * i;
  __enzyme_autodiff_void((void *)rounds, enzyme_dup, a, da, enzyme_const, n);
  /* A round squares the product of all entries and scales it by 2^-n, so the
   * result is (a_0...a_{n-1})^16 2^(-15n). */
  for (int i = 0; i < n; i++)
    value *= pow(before[i], 16) * pow(2, -15);
  for (int i = 0; i < n; i++)
    check("rounds", da[i], 16 * value / before[i]);
  return 0;
}
