// contract: the differences of each row are computed where they are read, and
// their array goes; without it they are on the tape.
// RUN: %retro-clang -O2 -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-contract=0 2>&1 | FileCheck --check-prefix=OFF %s
// ON: plan for distance (root)
// ON-NOT: cache {{(value|shadow) .* in (indexed|record)}}
// ON: retro-counter contract 1
// OFF: plan for distance (root)
// OFF: cache value %{{.*}} : double in indexed of loop
// OFF: retro-counter contract 0
void *malloc(unsigned long);
void free(void *);
double __enzyme_autodiff(void *, ...);

static double distance(const double *restrict x, const double *restrict y, long rows, long n) {
  double *d = malloc(sizeof(double) * n), sum = 0;
  for (long i = 0; i < rows; ++i) {
    for (long j = 0; j < n; ++j)
      d[j] = x[i * n + j] - y[j];
    for (long j = 0; j < n; ++j)
      sum += d[j] * d[j] * y[j];
  }
  free(d);
  return sum;
}

double gradient(const double *x, double *dx, const double *y, double *dy, long rows, long n) {
  return __enzyme_autodiff((void *)distance, x, dx, y, dy, rows, n);
}
