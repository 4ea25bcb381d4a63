// The ways in which a request can name its function.
// RUN: %retro-clang++ -O0 %s -o %t && %t | FileCheck %s
// RUN: %retro-clang++ -O2 %s -o %t && %t | FileCheck %s
#include "request.h"
template <typename Return, typename... Args> Return __enzyme_autodiff(Args...);

extern "C" double square(double x) { return x * x; }
extern "C" double aliased(double) __attribute__((alias("square")));
double (*const table)(double) = square;

struct Scale {
  double k;
  static double twice(double x) { return 2 * x; }
};

// An entry point's call that may throw is an invoke.
double unwinding(double x) {
  struct Guard {
    double *p = new double(0);
    ~Guard() { delete p; }
  } guard;
  *guard.p = __enzyme_autodiff<double>((void *)square, x);
  return *guard.p;
}

int main() {
  printf("alias %g\n", __enzyme_autodiff((void *)aliased, 3.0));
  // CHECK: alias 6
  printf("constant %g\n", __enzyme_autodiff((void *)table, 3.0));
  // CHECK: constant 6
  printf("static %g\n", __enzyme_autodiff((void *)Scale::twice, 3.0));
  // CHECK: static 2
  double (*lambda)(double) = [](double x) { return x * x * x; };
  printf("lambda %g\n", __enzyme_autodiff((void *)lambda, 3.0));
  // CHECK: lambda 27
  double (*local)(double) = square;
  printf("local %g\n", __enzyme_autodiff((void *)local, 3.0));
  // CHECK: local 6
  printf("invoke %g\n", unwinding(3));
  // CHECK: invoke 6
}
