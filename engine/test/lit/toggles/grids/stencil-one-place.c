// stencil: what a loop adds to one place in all iterations is carried in a
// register, although other sums may be there: the diagonal is in the row and in
// the column. Without it each iteration waits for the store of the one before.
// RUN: %retro-clang -O2 -fno-math-errno -ffp-contract=off -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -fno-math-errno -ffp-contract=off -fno-unroll-loops -S -emit-llvm %s -o - -mllvm -retro-stencil=0 | FileCheck --check-prefix=OFF %s
double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

// ON-LABEL: define internal {{.*}}@gradient_update(
// ON: [[SUM:%.+]] = phi double [ {{.*}}-0.000000e+00
// ON: fsub double [[SUM]]
// OFF-LABEL: define internal {{.*}}@gradient_update(
// OFF-NOT: phi double [ {{.*}}-0.000000e+00
// OFF: {{^}}}
double update(int n, double *restrict a) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
  return a[n * n - 1];
}
void gradient(int n, double *a, double *da) {
  __enzyme_autodiff((void *)update, enzyme_const, n, enzyme_dup, a, da);
}
