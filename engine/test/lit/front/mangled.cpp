// The entry point may be a template, an overload or in a namespace: its name
// only has to contain the field's.
// RUN: %retro-clang++ -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang++ -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang++ -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// IR-NOT: call {{.*}}enzyme
#include <cstdio>
extern int enzyme_const;
template <typename Return, typename... Args> Return __enzyme_autodiff(Args...);
template <typename Return, typename... Args> Return __enzyme_fwddiff_all(Args...);
namespace tool {
double my__enzyme_autodiff_call(double (*)(double), double);
}
namespace models {
double curve(double x) { return x * x * x; }
float curve(float x) { return x * x; }
template <int N> double power(double x) { return N * x; }
} // namespace models

int main() {
  double (*cube)(double) = models::curve;
  float (*square)(float) = models::curve;
  std::printf("%g %g\n", __enzyme_autodiff<double>(cube, 2.0),
              (double)__enzyme_autodiff<float>(square, 3.0f));
  // CHECK: 12 6
  std::printf("%g %g\n", __enzyme_fwddiff_all<double>((void *)cube, 2.0, 0.5),
              tool::my__enzyme_autodiff_call(models::power<7>, 2.0));
  // CHECK: 6 7
}
