// A request of the typed interface leaves what the request itself would.
// Functions that are the same are merged into one.
// RUN: %retro-clang++ -O2 -fno-exceptions -fno-asynchronous-unwind-tables -I%include -S -emit-llvm %s -o - | opt -passes=mergefunc -S | FileCheck %s
#include <array>
#include <retrograde/retrograde.hpp>

#include "request.h"

template <typename Return, typename... Args> Return __enzyme_autodiff(Args...);
template <typename Return, typename... Args> Return __enzyme_fwddiff(Args...);
struct Two {
  double x, y;
};

static double product(double x, double y) { return x * y * exp(x); }
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return s;
}
struct Model {
  double a, b;
  double operator()(const double *x, int n) const {
    double s = b;
    for (int i = 0; i < n; ++i)
      s += a * exp(x[i]);
    return s;
  }
};
static double call(const Model *m, const double *x, int n) { return (*m)(x, n); }

extern "C" {
Two raw_numbers(double x, double y) {
  return __enzyme_autodiff<Two>((void *)product, enzyme_out, x, enzyme_out, y);
}
Two typed_numbers(double x, double y) {
  auto [g] = retro::autodiff<retro::Reverse>(product, retro::Active{x}, retro::Active{y});
  return {std::get<0>(g), std::get<1>(g)};
}
// CHECK-DAG: tail call { double, double } @raw_numbers(

void raw_memory(const double *x, double *d, int n) {
  __enzyme_autodiff<void>((void *)sum, enzyme_dup, x, d, enzyme_const, n);
}
void typed_memory(const double *x, double *d, int n) {
  retro::autodiff<retro::Reverse>(sum, retro::Duplicated<const double *>{x, d}, retro::Const{n});
}
// CHECK-DAG: tail call void @raw_memory(

double raw_tangent(double x, double y) {
  return __enzyme_fwddiff<double>((void *)product, enzyme_dup, x, 1.0, enzyme_const, y);
}
double typed_tangent(double x, double y) {
  return retro::directional(product, x, 1.0, y);
}
// CHECK-DAG: tail call noundef double @raw_tangent(

void raw_functor(const Model *m, const double *x, double *d, int n) {
  __enzyme_autodiff<void>((void *)call, enzyme_const, m, enzyme_dup, x, d, enzyme_const, n);
}
void typed_functor(const Model *m, const double *x, double *d, int n) {
  retro::autodiff<retro::Reverse>(*m, retro::Duplicated<const double *>{x, d}, retro::Const{n});
}
// CHECK-DAG: tail call void @raw_functor(
}
