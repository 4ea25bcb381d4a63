// Of std::thread as well. The guard of a static variable is the compiler's own.
// RUN: not %retro-clang++ -O2 -g -pthread -DLOCK -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -g -pthread -c %s -o /dev/null
#include "request.h"

#include <atomic>
#include <thread>

static std::atomic<int> taken;
static double made() {
  static const double value = atof("3");
  return value;
}

static void work(double *x, const double *y) {
#ifdef LOCK
  // CHECK: error: threads may wait for each other here by memory alone{{.*}}[retro-thread-order]
  while (taken.exchange(1))
    ;
#endif
  x[0] = x[0] * y[0] * made();
#ifdef LOCK
  taken = 0;
#endif
}
void f(double *x, const double *y) {
  std::thread other([=] { work(x, y); });
  other.join();
  work(x, y + 1);
}
void all(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff_void((void *)f, x, dx, y, dy);
}
