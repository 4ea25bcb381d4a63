// What an atomic operation gives is followed to where it is returned to: who
// frees memory is no number, and a choice between equal values is none; a
// number that depends on the order of threads is refused wherever it is chosen.
// RUN: %retro-clang++ -O0 -g -pthread -DFREES -c %s -o /dev/null
// RUN: %retro-clang++ -O2 -g -pthread -DFREES -c %s -o /dev/null
// RUN: %retro-clang++ -O0 -g -pthread -DFREES -mllvm -retro-inline-budget=0 -c %s -o /dev/null
// RUN: not %retro-clang++ -O0 -g -pthread -DADDS -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -pthread -DADDS -mllvm -retro-inline-budget=0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -pthread -DWAITS -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -pthread -DWAITS -mllvm -retro-inline-budget=0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -pthread -DPICKS -mllvm -retro-inline-budget=0 -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: threads may wait for each other here by memory alone{{.*}}[retro-thread-order]
#include "request.h"

#include <atomic>
#include <thread>

struct Owned {
  std::atomic<int> owners{2};
};

static int before(Owned *o) {
  return o->owners.fetch_sub(1, std::memory_order_acq_rel);
}
static bool last(Owned *o) { return before(o) == 1; }
static double picked(Owned *o, double a, double b) { return last(o) ? a : b; }

static void work(Owned *o, double *a, const double *b, double *r) {
  *a *= *b;
#if defined FREES
  const double *kept = b;
  if (last(o)) {
    delete o;
    kept = b;
  }
  *r = *a * *kept;
#elif defined ADDS
  if (last(o))
    *r = *a * *b;
#elif defined WAITS
  while (!last(o))
    ;
  *r = *a;
#else
  *r = *a * picked(o, *a, *b);
#endif
}

static double f(const double *x) {
  double a = x[0], b = x[1], r = 0, s = 0;
  auto *o = new Owned;
  std::thread t([&] { work(o, &a, x, &r); });
  work(o, &b, x, &s);
  t.join();
  return r * s;
}
void gradient(double *x, double *g) {
  __enzyme_autodiff_void((void *)f, x, g);
}
