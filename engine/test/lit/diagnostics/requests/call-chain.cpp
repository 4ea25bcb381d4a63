// The calls from the construct to the request follow an error as notes, from
// debug information and from the calls that were not inlined.
// RUN: not %retro-clang++ -O0 -g -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=note: %s
// RUN: not %retro-clang++ -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=note: %s
// RUN: not %retro-clang++ -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=LINES %s
// RUN: not %retro-clang++ -O0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=NAMES --implicit-check-not=note: %s
// In other tools the notes are lines of the error's text.
// RUN: clang++ -O1 -g -I%inputs -S -emit-llvm %s -o %t.ll
// RUN: not %retro-opt %t.ll -o /dev/null 2>&1 | FileCheck --check-prefix=OPT %s
// RUN: clang++ -O1 -I%inputs -S -emit-llvm %s -o %t.ll
// RUN: not %retro-opt %t.ll -o /dev/null 2>&1 | FileCheck --check-prefix=OPT-NAMES %s
#include "request.h"
double elsewhere(double);

namespace model {
struct Cell {
  __attribute__((noinline)) double energy(double x, int n) {
    return n ? energy(x * x, n - 1) : elsewhere(x) * 2;
  }
};
template <class T> T total(T x) {
  Cell c;
  return c.energy(x, 3);
}
} // namespace model
static __attribute__((noinline)) double f(double x) {
  return model::total(x) + 1;
}
double r(double x) { return __enzyme_autodiff((void *)f, x); }
// CHECK: call-chain.cpp:[[@LINE-12]]:39: error: no derivative is known for the function 'elsewhere(double)' [retro-no-derivative]; to fix it: define it in this translation unit
// CHECK: call-chain.cpp:[[@LINE-8]]:12: note: 'model::Cell::energy(double, int)' is called from 'double model::total<double>(double)' here
// CHECK: call-chain.cpp:[[@LINE-5]]:10: note: 'double model::total<double>(double)' is called from 'f(double)' here
// CHECK: call-chain.cpp:[[@LINE-4]]:29: note: the derivative of 'f(double)' is requested in 'r(double)' here
// LINES: call-chain.cpp:23:12: note: 'energy' is called from 'total<double>' here
// LINES: call-chain.cpp:27:10: note: 'total<double>' is called from 'f' here
// NAMES: call-chain.cpp:[[@LINE-19]]:36: error: no derivative is known for the function 'elsewhere(double)' [retro-no-derivative]
// NAMES-NEXT: {{^ +[0-9]+ \|}}
// NAMES-NEXT: {{^ +\|}}
// NAMES-NEXT: {{^}}note: 'model::Cell::energy(double, int)' is called from 'f(double)'
// NAMES-NEXT: {{^}}note: the derivative of 'f(double)' is requested in 'r(double)'
// OPT: error: {{.*}}call-chain.cpp:{{[0-9]+}}:39: no derivative is known for the function 'elsewhere(double)'
// OPT-NEXT: call-chain.cpp:{{[0-9]+}}:12: note: 'model::Cell::energy(double, int)' is called from 'double model::total<double>(double)' here
// OPT-NEXT: call-chain.cpp:{{[0-9]+}}:10: note: 'double model::total<double>(double)' is called from 'f(double)' here
// OPT-NEXT: call-chain.cpp:{{[0-9]+}}:29: note: the derivative of 'f(double)' is requested in 'r(double)' here
// OPT-NAMES: error: in function 'f(double)': no derivative is known for the function 'elsewhere(double)'
// OPT-NAMES-NEXT: {{^}}note: the derivative of 'f(double)' is requested in 'r(double)'

// Of a long chain the two ends are shown.
template <int N> double deep(double x) { return deep<N - 1>(x) * x; }
template <> double deep<0>(double x) { return elsewhere(x); }
double long_chain(double x) { return deep<10>(x); }
double r2(double x) { return __enzyme_autodiff((void *)long_chain, x); }
// CHECK: call-chain.cpp:[[@LINE-3]]:47: error: no derivative is known
// CHECK: :49: note: 'double deep<0>(double)' is called from 'double deep<1>(double)' here
// CHECK: :49: note: 'double deep<1>(double)' is called from 'double deep<2>(double)' here
// CHECK: :49: note: 'double deep<2>(double)' is called from 'double deep<3>(double)' here
// CHECK: :49: note: 'double deep<3>(double)' is called from 'double deep<4>(double)' here
// CHECK: {{^}}note: 5 more calls
// CHECK: :49: note: 'double deep<9>(double)' is called from 'double deep<10>(double)' here
// CHECK: :38: note: 'double deep<10>(double)' is called from 'long_chain(double)' here
// CHECK: :30: note: the derivative of 'long_chain(double)' is requested in 'r2(double)' here
// NAMES: error: no derivative is known
// NAMES: note: the derivative of 'long_chain(double)' is requested in 'r2(double)'

// A signature that is too long is left out.
namespace model {
template <class... T> struct TypesOfOneMaterialAndItsNeighbours {};
template <class... T> double far(double x, T...) { return elsewhere(x); }
} // namespace model
double r4(double x) {
  typedef model::TypesOfOneMaterialAndItsNeighbours<int, long, unsigned, char, float> A;
  return __enzyme_autodiff((void *)+[](double x) { return model::far(x, A(), A(), A()); }, x);
}
// CHECK: error: no derivative is known
// CHECK: note: 'model::far' is called from 'r4(double)::$_0::operator()(double) const' here
// CHECK: note: 'r4(double)::$_0::operator()(double) const' is called from 'r4(double)::$_0::__invoke(double)' here
// CHECK: note: the derivative of 'r4(double)::$_0::__invoke(double)' is requested in 'r4(double)' here
// LINES: note: 'far' is called from 'operator()' here
// NAMES: error: no derivative is known
// NAMES: note: the derivative of 'r4(double)::$_0::__invoke(double)' is requested in 'r4(double)'

// What is wrong with the request itself has no chain.
double r3(double x) { return __enzyme_autodiff((void *)elsewhere, x); }
// CHECK: call-chain.cpp:[[@LINE-1]]:30: error: cannot differentiate 'elsewhere(double)': its body is not in this translation unit [retro-target-no-body]
// NAMES: error: cannot differentiate 'elsewhere(double)': its body is not in this translation unit [retro-target-no-body]
