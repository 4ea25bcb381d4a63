// Other code has made a static pointer lead to the memory of an argument. What
// the derivative reads and writes through it would be taken for other memory:
// the gradient would be 6750 225, where it is 150 90.
#include "again.h"
#include <stdlib.h>

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double *work;

static double f(const double *x) {
  if (!work)
    work = malloc(2 * sizeof *work);
  work[0] = x[0] * x[1];
  work[1] = work[0] * x[0];
  return work[1];
}

int main(int argc, char **argv) {
  (void)argv;
  double x[2] = {3, 5}, d[2] = {0, 0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  if (d[0] != 30 || d[1] != 9)
    return 0;
  free(work);
  work = x + argc - 1;
  AGAIN((void *)f, enzyme_dup, x, d);
  return 0;
}
