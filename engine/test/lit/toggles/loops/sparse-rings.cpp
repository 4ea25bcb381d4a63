// On a ring, where an index is a remainder or one of two, loops run the
// iterations alone that have a derivative, though what takes one may throw: of
// energies in one, two and three dimensions, each with a length at rest.
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o /dev/null -DD=1 -mllvm -retro-print-counters 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o /dev/null -DD=2 -mllvm -retro-print-counters 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o /dev/null -DD=3 -mllvm -retro-print-counters 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o /dev/null -DD=1 -DAROUND -mllvm -retro-print-counters 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o /dev/null -DD=2 -DAROUND -mllvm -retro-print-counters 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o /dev/null -DD=3 -DAROUND -mllvm -retro-print-counters 2>&1 | FileCheck %s
// CHECK: retro-counter sparse 1
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_todense(A...);

using size = decltype(sizeof 0);
void put(size row, size column, double v); // may throw

static double unit(size offset, size i, size n) { return offset / 8 % n == i; }
static void never(double, size, size, size) { __builtin_trap(); }
static double nothing(size, size, size) { return 0; }
static void store(double v, size offset, size i, size n) {
  if (v == 0)
    return;
  put(i, offset / 8 % n, v);
}
static double around(size offset, const double *x, size n) {
  return x[offset / 8 % n];
}
static void unwritten(double, size, const double *, size) { __builtin_trap(); }

static double energy(size n, const double *x) {
  double e = 0;
  for (size i = 0; i < n; ++i) {
    double square = 0;
    for (int k = 0; k < D; ++k) {
#ifdef AROUND
      double d = x[D * i + D + k] - x[D * i + k];
#else
      double d = x[(D * i + D + k) % (D * n)] - x[D * i + k];
#endif
      square += d * d;
    }
    double longer = __builtin_sqrt(square) - 1;
    e += longer * longer;
  }
  return e;
}
static void gradient(size n, const double *x, double *g) {
  __enzyme_autodiff<void>((void *)energy, enzyme_const, n, enzyme_dup, x, g);
}
void column(size n, const double *x, size i) {
#ifdef AROUND
  x = __enzyme_todense<double *>((void *)around, (void *)unwritten, x, n * D);
#endif
  double *v = __enzyme_todense<double *>((void *)unit, (void *)never, i, n * D);
  double *h =
      __enzyme_todense<double *>((void *)nothing, (void *)store, i, n * D);
  __enzyme_fwddiff<void>((void *)gradient, enzyme_const, n, enzyme_dup, x, v,
                         enzyme_dupnoneed, (double *)1, h);
}
