// A float beside an integer in one register of a struct by value would have no
// derivative.
// RUN: not %retro-clang++ -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-3: error:
// COUNT-NOT: {{error|warning}}:
extern int enzyme_const, enzyme_dup, enzyme_out;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

struct Counted {
  float x;
  int n;
};
struct Weighed {
  double weight;
  float x;
  int n;
};
static double counted(Counted c, double k) { return c.x * c.n * k; }
static double weighed(Weighed w) { return w.weight * w.x * w.n; }

double r1(Counted c, Counted d) {
  return __enzyme_fwddiff<double>((void *)counted, enzyme_dup, c, d, enzyme_const, 2.0);
}
// CHECK: register-structs.cpp:[[@LINE-2]]:10: error: a float beside an integer in one register of argument 1 of 'counted(Counted, double)', a struct by value that is not enzyme_const, is not supported yet [retro-unsupported-mode]
double r2(Counted c) {
  return __enzyme_autodiff<double>((void *)counted, c, 2.0);
}
// CHECK: register-structs.cpp:[[@LINE-2]]:10: error: a float beside an integer in one register of argument 1 of 'counted(Counted, double)'
double r3(Weighed w) {
  return __enzyme_autodiff<double>((void *)weighed, enzyme_out, w);
}
// CHECK: register-structs.cpp:[[@LINE-2]]:10: error: a float beside an integer in one register of argument 2 of 'weighed(Weighed)'
double right(Counted c) {
  return __enzyme_autodiff<double>((void *)counted, enzyme_const, c, enzyme_out, 2.0);
}
