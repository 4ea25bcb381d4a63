// A loop over a blocked_range becomes one that a team of our own runtime runs:
// nothing of OpenMP's library is called. Bodies that wait for others, that may
// throw, and those of programs with regions of OpenMP run on one thread.
// RUN: %retro-clang++ -O2 -S -emit-llvm -o - %s -Rpass=retro 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: %retro-clang++ -O2 -S -emit-llvm -o - %s -DTHROWS | FileCheck %s --check-prefix=SERIAL
// RUN: %retro-clang++ -O2 -S -emit-llvm -o - %s -DWAITS | FileCheck %s --check-prefix=SERIAL
// RUN: %retro-clang++ -O2 -S -emit-llvm -o - %s -DOPENMP -fopenmp | FileCheck %s --check-prefix=SERIAL
#include "pool.h"
#include "request.h"

#ifdef OPENMP
void region(double *x) {
#pragma omp parallel
  x[0] = 1;
}
#endif

void f(const double *x, double *y, int n) {
  using namespace tbb::detail::d1;
  using range = blocked_range<int>;
  int waited = 0;
  auto body = [=, &waited](const range &r) {
#ifdef WAITS
    __atomic_fetch_add(&waited, 1, __ATOMIC_SEQ_CST);
#endif
#ifdef THROWS
    if (r.begin() == 3)
      throw 1;
#endif
    for (int i = r.begin(); i < r.end(); ++i)
      y[i] = x[i] * x[i];
  };
  const int partitioner = 0;
  start_for<range, decltype(body), const int>::run({0, n}, body, partitioner);
}

// REMARK: remark: {{.*}}the derivative runs this parallel loop in a team of threads
// CHECK-LABEL: define {{.*}}@gradient_
// CHECK: call void @__retro_pool_fork_both
// CHECK-NOT: @__kmpc
// SERIAL-NOT: @__retro_pool_
void gradient(double *x, double *dx, double *y, double *dy, int n) { __enzyme_autodiff((void *)f, x, dx, y, dy, n); }
