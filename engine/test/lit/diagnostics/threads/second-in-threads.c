// Second derivatives of what threads compute that there are not: those of a
// reverse pass by a reverse pass, and those that need the shadow of a thread's
// own variable.
// RUN: not %retro-clang -fopenmp -O1 -DREVERSE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REVERSE
// RUN: not %retro-clang -fopenmp -O1 -DPRIVATE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: %retro-clang -fopenmp -O1 -c %s -o %t.o
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

double own;
#ifdef PRIVATE
// PRIVATE: error: cannot differentiate what other threads compute ('own') [retro-parallel]
#pragma omp threadprivate(own)
#endif

static double f(const double *x, int n) {
  double s = 0;
#ifdef PRIVATE
#pragma omp parallel
  own = x[0];
#endif
  // REVERSE: error: cannot differentiate what other threads compute ('a derivative that is to be differentiated in this mode') [retro-parallel]
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i] + own;
  return s;
}

static void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
}

void second(const double *x, double *v, double *g, double *h, int n) {
#ifdef REVERSE
  __enzyme_autodiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h,
                    enzyme_const, n);
#else
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h,
                   enzyme_const, n);
#endif
}
