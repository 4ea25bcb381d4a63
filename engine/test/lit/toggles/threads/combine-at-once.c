// A recursion whose result is a part of a sum: the adjoint of a call's result
// is known before the call, which runs forward and backward where the primal
// comes to it. A result that is used for anything else keeps the tape.
// RUN: %retro-clang -O2 %s -S -emit-llvm -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefixes=ON,BOTH %s
// RUN: %retro-clang -O2 %s -S -emit-llvm -o /dev/null -mllvm -retro-print-plan -mllvm -retro-combine=0 2>&1 | FileCheck --check-prefixes=OFF,BOTH %s
// RUN: %retro-clang -O2 %s -S -emit-llvm -o /dev/null -mllvm -retro-print-plan -mllvm -retro-fusion=0 2>&1 | FileCheck --check-prefixes=UNFUSED,BOTH %s
double __enzyme_autodiff(void *, ...);

// In a loop, which is fused for that.
// ON-LABEL: plan for minors (combined)
// ON: return the result, too
// ON: run forward and backward at once the call
// ON-NOT: cache tape
// ON: fused: loop
// ON-LABEL: plan for
// OFF-LABEL: plan for minors
// OFF: cache tape
// UNFUSED-LABEL: plan for minors
// UNFUSED: cache tape
static double minors(int n, const double *x, int row, unsigned columns) {
  if (row == n)
    return 1;
  double sum = 0, sign = 1;
  for (int j = 0; j < n; ++j)
    if (columns & 1u << j) {
      sum += minors(n, x, row + 1, columns & ~(1u << j)) * sign *
             x[row * n + j];
      sign = -sign;
    }
  return sum;
}
double determinant(int n, const double *x) {
  return minors(n, x, 0, (1u << n) - 1);
}

// Not in a loop: the adjoint is that of what is returned.
// ON-LABEL: plan for steps (combined)
// ON-COUNT-2: run forward and backward at once the call
// ON-NOT: cache tape
// ON-LABEL: plan for
static double steps(int n, const double *x, int i) {
  if (i >= n)
    return x[0];
  double v = x[i];
  if (i & 1)
    v += x[i + 1] * steps(n, x, i + 1);
  return v - x[i + 2] * steps(n, x, i + 3);
}
double walk(int n, const double *x) { return steps(n, x, 0); }

// BOTH-LABEL: plan for squares
// BOTH-NOT: at once
// BOTH: cache tape
static double squares(int n, const double *x, int i) {
  if (i >= n)
    return x[0];
  double sum = 0;
  for (int j = 0; j < i; ++j) {
    double v = squares(n, x + j, i + 2);
    sum += v * v;
  }
  return sum;
}
double rise(int n, const double *x) { return squares(n, x, 1); }

void gradients(int n, double *x, double *dx) {
  __enzyme_autodiff((void *)determinant, n, x, dx);
  __enzyme_autodiff((void *)walk, n, x, dx);
  __enzyme_autodiff((void *)rise, n, x, dx);
}
