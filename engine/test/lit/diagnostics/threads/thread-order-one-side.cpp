// Atomic operations of one thread alone order nothing. Where another thread
// writes what they read, or calls what might, they do.
// RUN: not %retro-clang++ -O2 -g -pthread -DWRITES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -pthread -DASKS -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -pthread -DTASK -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -pthread -DPROMISE -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -g -pthread -c %s -o /dev/null
#include "request.h"

#include <atomic>
#include <future>
#include <thread>

std::atomic<int> ready;
__attribute__((annotate("enzyme_inactive"))) void tell();
static void tellHere() { ready.store(1, std::memory_order_release); }

void f(double *x, const double *y) {
  std::atomic<int> seen{0};
#ifdef PROMISE
  std::promise<void> done;
  auto wait = done.get_future();
#endif
  std::thread other([=
#ifdef PROMISE
                         ,
                     &done
#endif
  ] {
    x[0] = x[0] * y[0];
#ifdef WRITES
    ready.fetch_add(1);
#endif
#ifdef ASKS
    tell();
#endif
#ifdef TASK
    std::async(std::launch::async, tellHere).wait();
#endif
#ifdef PROMISE
    done.set_value();
#endif
  });
  // CHECK: error: threads may wait for each other here by memory alone{{.*}}[retro-thread-order]
#if defined(WRITES) || defined(ASKS) || defined(TASK)
  while (!ready.load(std::memory_order_acquire))
    ;
  x[0] *= y[1];
#elif defined(PROMISE)
  wait.wait();
  x[0] *= y[1];
#endif
  if (seen.exchange(1))
    x[1] *= y[1];
  other.join();
}
void all(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff_void((void *)f, x, dx, y, dy);
}
