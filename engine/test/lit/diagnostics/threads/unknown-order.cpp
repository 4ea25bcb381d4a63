// A virtual function of which nothing is known may be a lock. What std::endl asks of the locale is none.
// RUN: not %retro-clang++ -O2 -g -fopenmp -DLOCK -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -g -fopenmp -c %s -o /dev/null
#include "request.h"
#include <iostream>

struct Lock {
  virtual void take() = 0;
  virtual void leave() = 0;
};

void f(double *x, const double *y, int n, Lock &lock) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#ifdef LOCK
    // CHECK: unknown-order.cpp:[[@LINE+1]]:10: error: threads may wait for each other in a function, which is not known here
    lock.take();
    x[0] = x[0] * y[i];
    lock.leave();
#else
    std::cerr << i << std::endl;
    x[i] = x[i] * y[i];
#endif
  }
}
void r(double *x, double *dx, const double *y, double *dy, int n, Lock &lock) {
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, n, enzyme_const, &lock);
}
