// The attributes in C++: in namespaces, on members and instances of templates,
// in the standard's syntax.
// RUN: clang++ -std=c++20 -fplugin=%plugin -I%inputs -O0 %s -o %t && %t | FileCheck %s
// RUN: clang++ -std=c++20 -fplugin=%plugin -I%inputs -O2 %s -o %t && %t | FileCheck %s
#include "request.h"

namespace model {
template <typename T> T slope(T x, T seed) { return 10 * x * seed; }
[[enzyme::gradient(slope<double>)]] inline double square_of(double x) { return x * x; }
template <typename T> [[enzyme::gradient(static_cast<T (*)(T, T)>(slope<T>))]] T square(T x) { return x * x; }

struct Law {
  double k;
  static double reverse(const Law *l, Law *dl, double x, double seed) {
    dl->k += 100 * x * seed;
    return 100 * l->k * seed;
  }
  [[enzyme::gradient(reverse)]] static double apply(const Law *l, double x) { return l->k * x; }
  [[enzyme::inactive]] double scale() const { return k; }
};
namespace {
[[enzyme::function_like("exp")]] double grow(double x) { return 1 + x; }
static const void *__enzyme_inactivefn_shift[1] = {(void *)+[](double x) { return x; }};
inline double half_reverse(double, double seed) { return 5000 * seed; }
inline double half(double x) { return x / 2; }
struct Registry {
  static inline void *__enzyme_register_gradient_half[3] = {(void *)half, (void *)half, (void *)half_reverse};
};
} // namespace
} // namespace model

static double f(double x) {
  model::Law l{x};
  return model::square_of(x) + model::square(x) + model::square(float(x)) + model::Law::apply(&l, x) + l.scale() * x + model::grow(x - 2) +
         model::half(x);
}

int main() {
  // 20 + 20 + 20 + 200 + 200 + 2 + 3 (it is like exp, whose derivative is its
  // result) + 5000
  printf("%.10g\n", __enzyme_autodiff((void *)f, 2.0));
  // CHECK: 5463
}
