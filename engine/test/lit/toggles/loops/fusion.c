// fusion: a loop that only sums up has no tape, and its exponentials are
// computed where they are reversed; without it each has an array.
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-fusion=0 2>&1 | FileCheck --check-prefix=OFF %s
// ON-LABEL: plan for misfit (root)
// ON-NOT: indexed
// ON: cache value {{.*}} : double in slot
// ON-NOT: indexed
// ON: fused: loop
// OFF-LABEL: plan for misfit (root)
// OFF: cache value {{.*}} : double in indexed of loop
// OFF-NOT: fused

// The root of the sum is what the reverse pass needs first.
// ON-LABEL: plan for norm (root)
// ON-NOT: fused
// ON: cache value {{.*}} : double in indexed of loop
// ON-NOT: fused

// A loop within one is, too, and what follows it waits for it: the exponential
// is computed once for both passes.
// ON-LABEL: plan for energies (root)
// ON-NOT: indexed
// ON: cache value {{.*}} : double in slot
// ON: fused: loop %{{[0-9]+$}}
// ON-NEXT: fused: loop %{{[0-9]+}}, awaited
// Nor is what needs no tape read and computed twice; where nothing would be,
// the loops stay two.
// ON-LABEL: plan for products (root)
// ON: fused: loop
// ON-LABEL: plan for sums (root)
// ON-NOT: fused
// ON: retro-counter fusion 4
// OFF: retro-counter fusion 0

// ON-LABEL: define {{.*}} @gradient_misfit(
// ON: call {{.*}}double @exp(
// ON-NOT: call {{.*}}double @exp(
// ON-NOT: __retro_tape
// ON: }
// OFF-LABEL: define {{.*}} @gradient_misfit(
// OFF: __retro_tape
double __enzyme_autodiff(void *, ...);
double exp(double), sqrt(double);

static double misfit(const double *p, const double *x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    const double r = p[0] * exp(p[1] * x[i]) - x[i];
    s += r * r * r;
  }
  return s;
}

static double norm(const double *p, const double *x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    const double r = p[0] * exp(p[1] * x[i]) - x[i];
    s += r * r * r;
  }
  return sqrt(s);
}

static void energies(const double *restrict x, double *restrict e, long n) {
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long j = 0; j < n; ++j)
      s += exp(x[i] * x[j]);
    e[i] = 0.5 * s;
  }
}

static void products(const double *restrict x, double *restrict e, long n) {
  for (long i = 0; i < n; ++i)
    e[i] = x[i] * x[i] * x[i];
}

static void sums(const double *restrict x, double *restrict e, long n) {
  for (long i = 0; i < n; ++i)
    e[i] = x[i] + x[n + i];
}

void gradient(double *p, double *dp, double *x, double *dx, long n) {
  __enzyme_autodiff((void *)misfit, p, dp, x, dx, n);
  __enzyme_autodiff((void *)norm, p, dp, x, dx, n);
  __enzyme_autodiff((void *)energies, p, dp, x, dx, n);
  __enzyme_autodiff((void *)products, p, dp, x, dx, n);
  __enzyme_autodiff((void *)sums, p, dp, x, dx, n);
}
