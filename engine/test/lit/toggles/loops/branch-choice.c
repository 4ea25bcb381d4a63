// branch-choice: by which of three ways the primal came to where they meet, two
// conditions tell; without it a number is kept for each iteration.
// RUN: %retro-clang -O1 -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O1 -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-branch-choice=0 2>&1 | FileCheck --check-prefix=OFF %s
// ON: plan for ladder (root)
// ON-NOT: cache branch
// ON: choose {{.+ .+ .+}} by %{{[0-9]+}} %{{[0-9]+}}
// ON-NOT: cache branch
// ON: retro-counter branch-choice {{[1-9]}}
// OFF: plan for ladder (root)
// OFF: cache branch {{.*}} : i16 in indexed of loop
// OFF: retro-counter branch-choice 0
double __enzyme_autodiff(void *, ...);

static double ladder(const double *x, double *y, long n) {
  double s = 1;
  for (long i = 0; i < n; ++i) {
    if (i % 5 == 0)
      y[i] = s * x[i];
    else if (i % 3 == 0)
      s += x[i] * x[i];
    else
      y[i + 1] = s * s;
    s *= y[i];
  }
  return s;
}

double gradient(const double *x, double *dx, double *y, double *dy, long n) {
  return __enzyme_autodiff((void *)ladder, x, dx, y, dy, n);
}
