// A tape for which there is no memory ends the program with its size, and not
// with a fault.
#include <math.h>
#include <sys/resource.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static void steps(double *x, long n) {
  for (long i = 0; i < n; ++i)
    x[i & 15] = sin(x[(i + 1) & 15]) * x[i & 15];
}

int main(void) {
  struct rlimit some = {1ul << 30, 1ul << 30};
  if (setrlimit(RLIMIT_AS, &some))
    return 0;
  double x[16] = {1}, dx[16] = {1};
  __enzyme_autodiff((void *)steps, enzyme_dup, x, dx, enzyme_const, 1L << 28);
  return 0;
}
