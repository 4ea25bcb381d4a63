// argument-ranges, for numbers: elimination with exchanges of rows looks places
// up, so nobody knows which memory it accesses. Its rows' length is asked for
// all the same: then a pivot's row and the column below it are kept, and not
// what each of their products reads.
// RUN: %retro-clang -O2 -g0 %s -S -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %retro-clang -O2 %s -S -o /dev/null -mllvm -retro-argument-ranges=0 -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=OFF %s
#include <math.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// PLAN: plan for eliminate (root)
// PLAN: cache value {{.*}} in indexed of loop [[I:%[0-9]+]] by [[I]] [[J:%[0-9]+]]
// PLAN: for arguments that are apart:
// PLAN-NEXT: plan for eliminate (root)
// PLAN-NOT: cache value {{.*}} in indexed of loop [[I]] by [[I]] [[J]]
// PLAN: reverse
// OFF-NOT: for arguments that are apart:
static void eliminate(int n, double *restrict a) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
        pivot = i;
    for (int j = 0; j < n && pivot != k; ++j) {
      const double t = a[k * n + j];
      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = t;
    }
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
}

void gradient(int n, double *a, double *d) {
  __enzyme_autodiff((void *)eliminate, enzyme_const, n, enzyme_dup, a, d);
}
