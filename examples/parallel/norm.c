// FLAGS: -fopenmp
// The gradient of a normalization in a parallel loop, where each iteration asks
// for the norm of all: n steps as the engine differentiates it, n squared with
// -mllvm -retro-omp-hoist=0. Prints how long it took; the exit status is 1 when
// it is not the closed form.
//
//   retro-clang -O2 -fopenmp norm.c -lm -o norm && ./norm 67108864
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double norm(const double *in, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i)
    sum += in[i] * in[i];
  return sqrt(sum);
}

static void normalize(double *restrict out, const double *restrict in, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 4000;
  const size_t bytes = (size_t)n * sizeof(double);
  double *in = malloc(bytes), *din = malloc(bytes);
  double *out = malloc(bytes), *dout = malloc(bytes);
  double sum = 0, squares = 0;
  for (long i = 0; i < n; ++i) {
    in[i] = 1 + (double)(i % 7);
    din[i] = out[i] = 0;
    dout[i] = 1;
    sum += in[i];
    squares += in[i] * in[i];
  }
  const double start = omp_get_wtime();
  __enzyme_autodiff((void *)normalize, enzyme_dup, out, dout, enzyme_dup, in,
                    din, enzyme_const, n);
  printf("n = %ld: %.3f s with %d threads\n", n, omp_get_wtime() - start,
         omp_get_max_threads());
  // d/dx_k of the sum of x / |x|
  double worst = 0;
  for (long i = 0; i < n; ++i)
    worst =
        fmax(worst, fabs(din[i] * sqrt(squares) - 1 + sum * in[i] / squares));
  printf("largest error, relative to 1/|x|: %.2g\n", worst);
  return worst < 1e-9 ? 0 : 1;
}
