// Errors of requests that the typed interface makes are at the user's line; the
// interface is not among the calls that lead there.
// RUN: not %retro-clang++ -O0 -g -I%include -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang++ -O2 -g -I%include -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang++ -O0 -g -mllvm -retro-preopt=0 -I%include -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang++ -O0 -I%include -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,FUNCTION %s
// RUN: not %retro-clang++ -O2 -I%include -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,FUNCTION %s
#include <retrograde/retrograde.hpp>
using namespace retro;

double opaque(double x);
double plain(double x) {
  return opaque(x) * x;
}
struct Model {
  double k;
  double operator()(double x) const {
    return k * opaque(x);
  }
};

double useFunction(double x) {
  return gradient(plain, x);
}
// CHECK-NOT: detail
// LINE: lines.cpp:13:10: error: no derivative is known for the function 'opaque{{.*}}'
// FUNCTION: lines.cpp:12:8: error: no derivative is known for the function 'opaque{{.*}}'
// CHECK: note: the derivative of 'plain(double)' is requested in 'useFunction(double)'

double useFunctor(const Model &m, double x) {
  return gradient(m, x);
}
// CHECK-NOT: detail
// LINE: lines.cpp:18:16: error: no derivative is known for the function 'opaque{{.*}}'
// FUNCTION: lines.cpp:[[@LINE-5]]:8: error: no derivative is known for the function 'opaque{{.*}}'
// CHECK: note: the derivative {{.*}}is requested in 'useFunctor(Model const&, double)'

// A function that is not known at compile time.
double useUnknown(double (*f)(double), double x) {
  return gradient(f, x);
}
// LINE: lines.cpp:[[@LINE-2]]:10:
// FUNCTION: lines.cpp:[[@LINE-4]]:8:
// CHECK-SAME: error: the first argument of {{.*}}__enzyme_autodiff{{.*}} is not a function known at compile time
// CHECK-NOT: error:
