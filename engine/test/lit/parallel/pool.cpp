// Algorithms of oneTBB, in the form that its headers have, run on the thread
// that calls them, and a remark says so. One whose body is not found where it
// is looked for is refused where it hands its task over.
// RUN: %retro-clang++ -O2 -gline-tables-only -S -emit-llvm -o - %s -Rpass-missed=retro 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: not %retro-clang++ -O2 -g -DUNKNOWN -c -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#include "pool.h"
#include "request.h"

// Nobody knows how to divide it.
struct range {
  int first, last;
  bool empty() const { return first >= last; }
};

double f(const double *x, int n) {
  using namespace tbb::detail::d1;
  double s = 0;
  auto body = [&](const range &r) {
    for (int i = r.first; i < r.last; ++i)
      s += x[i] * x[i];
  };
  const int partitioner = 0;
  start_for<range, decltype(body), const int>::run({0, n}, body, partitioner);
  // REMARK: pool.cpp:[[@LINE-1]]:{{.*}}remark: the derivative runs this parallel algorithm on the thread that calls it
  // REMARK-NOT: remark
  // UNKNOWN: error: cannot differentiate what other threads compute ('tbb::detail::r1::execute_and_wait
  return s;
}

// The primal's calls are the library's, and nothing is left of what was put
// beside them.
// CHECK-LABEL: define {{.*}}double @_Z1fPKdi
// CHECK: call void @_ZN3tbb6detail2r116execute_and_wait
// CHECK-NOT: call {{.*}}execute_and_wait
// CHECK-LABEL: define {{.*}}@gradient_
// CHECK-NOT: call {{.*}}execute_and_wait
// CHECK: store double
// CHECK-NOT: .serial
double gradient(double *x, double *dx, int n) {
  return __enzyme_autodiff((void *)f, x, dx, n);
}
