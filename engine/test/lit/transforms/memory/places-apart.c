// Of the three places of one array that elimination's inner loop accesses none
// meets another one, as their indices say: the adjoint of the first is one sum.
// Not so where rows and columns begin with the pivot's.
// RUN: %retro-clang -O2 %s -S -o /dev/null -mllvm -retro-print-after=places-apart 2>&1 | FileCheck --check-prefix=APART %s
// RUN: %retro-clang -O2 -DFIRST=k %s -S -o /dev/null -mllvm -retro-print-after=places-apart 2>&1 | FileCheck --check-prefix=MEET %s
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
#ifndef FIRST
#define FIRST k + 1
#endif
enum { N = 40 };

// APART: load double, {{.*}}!alias.scope [[COLUMN:![0-9]+]], !noalias
// APART: load double, {{.*}}!alias.scope [[ROW:![0-9]+]], !noalias
// APART: load double, {{.*}}!alias.scope [[OF:![0-9]+]], !noalias
// APART: store double {{.*}}!alias.scope [[OF]], !noalias
// MEET: load double
// MEET-NOT: alias.scope
static void eliminate(double *restrict a) {
  for (int k = 0; k < N; ++k)
    for (int i = FIRST; i < N; ++i)
      for (int j = FIRST; j < N; ++j)
        a[i * N + j] -= a[i * N + k] * a[k * N + j];
}

void gradient(double *a, double *d) {
  __enzyme_autodiff((void *)eliminate, enzyme_dup, a, d);
}
