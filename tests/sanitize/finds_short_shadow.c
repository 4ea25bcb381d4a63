/* SANITIZE: finds heap-buffer-overflow
 * The shadow is one entry too short. AddressSanitizer must see it: this shows
 * that the generated gradient is instrumented. */
#include "check.h"

static double squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  const int n = 7 * argc;
  double *x = malloc(n * sizeof *x);
  double *dx = calloc(n - 1, sizeof *dx);
  for (int i = 0; i < n; i++)
    x[i] = i;
  __enzyme_autodiff_void((void *)squares, enzyme_dup, x, dx, enzyme_const, n);
  printf("dx[1] = %g\n", dx[1]);
  free(x);
  free(dx);
  return 0;
}
