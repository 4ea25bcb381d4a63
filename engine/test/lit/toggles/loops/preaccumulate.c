// preaccumulate: of a loop that computes numbers from one or two, the Jacobian
// is kept; without it the state of each iteration is.
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-loop-checkpoints=0 -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-loop-checkpoints=0 -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-preaccumulate=0 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-preopt=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=EARLY %s
// EARLY: retro-counter preaccumulate 0
double sin(double);
struct pair { double a, b; };
struct triple { double a, b, c; };
double __enzyme_autodiff(void *, ...);
struct pair __enzyme_autodiff_pair(void *, ...);
struct triple __enzyme_autodiff_triple(void *, ...);
extern int enzyme_out, enzyme_const;

// Two columns, two results.
// ON: plan for swing (root)
// ON: cache tape {{.*}} : { double, double, double, double } in slot
// ON-NOT: cache value {{.*}} in indexed
static double swing(double angle, double speed, long n) {
  for (long i = 0; i < n; ++i) {
    double old = angle;
    angle += 0.1 * speed;
    speed -= 0.1 * sin(old);
  }
  return angle * speed;
}

// Three columns are reversed.
// ON: plan for three (root)
// ON: cache value {{.*}} : double in indexed
static double three(double x, double y, double z, long n) {
  for (long i = 0; i < n; ++i)
    x = x * y * (1 - x * z);
  return x;
}

// h, h/2 and h/6 are one column.
// ON: plan for midpoint (root)
// ON-NEXT: cache tape {{.*}} : double in slot
// ON-NOT: cache
// OFF: plan for midpoint (root)
// OFF: cache value {{.*}} : double in indexed
static double midpoint(double h, long n) {
  double x = 1;
  for (long i = 0; i < n; ++i) {
    double half = x + h / 2 * x, third = half + h / 6 * x;
    x += h * (half + third) * x;
  }
  return x;
}

// One column: rate is constant.
// ON: plan for growth (root)
// ON: cache tape {{.*}} : double in slot
// ON-NOT: in indexed
static double growth(double x, double rate, double limit, long n) {
  for (long i = 0; i < n; ++i)
    x += rate * x * (limit - x);
  return x;
}

// A loop that adds up needs no tape, reversed as it is.
// ON: plan for sum (root)
// ON-NOT: cache tape
static double sum(double x, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x * (double)i;
  return s;
}

// Memory may vary.
// ON: plan for horner (root)
// ON: cache value {{.*}} : double in indexed
static double horner(double x, const double *c, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s = s * x + c[i];
  return s;
}

// So may a global variable.
// ON: plan for weighted (root)
// ON: cache value {{.*}} : double in indexed
double weights[8];
static double weighted(double x, long n) {
  double s = x;
  for (long i = 0; i < n; ++i)
    s = s * x + s * s * weights[i & 7];
  return s;
}

// ON: retro-counter preaccumulate 3
// OFF: retro-counter preaccumulate 0
double all(double x, double *c, double *dc, long n) {
  struct pair p = __enzyme_autodiff_pair((void *)swing, enzyme_out, x, enzyme_out, x, n);
  struct triple t = __enzyme_autodiff_triple((void *)three, enzyme_out, x, enzyme_out, x, enzyme_out, x, n);
  return __enzyme_autodiff((void *)midpoint, enzyme_out, x, n) + p.b + t.c +
         __enzyme_autodiff((void *)growth, enzyme_out, x, enzyme_const, x, enzyme_const, x, n) +
         __enzyme_autodiff((void *)sum, enzyme_out, x, n) +
         __enzyme_autodiff((void *)horner, enzyme_out, x, c, dc, n) +
         __enzyme_autodiff((void *)weighted, enzyme_out, x, n);
}
