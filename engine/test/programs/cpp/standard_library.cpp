// Containers, smart pointers and callables of the standard library.
#include "../check.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

namespace {

double pushed(const double *x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; ++i)
    v.push_back(std::sin(x[i]) * x[(i + 1) % n]);
  double e = 0;
  for (double a : v)
    e += a * a;
  return e;
}
struct Base {
  virtual ~Base() = default;
  virtual double operator()(double) const = 0;
};
struct Sq : Base {
  double k;
  Sq(double k) : k(k) {}
  double operator()(double x) const override { return k * x * x; }
};
double polymorphic(const double *x, int n) {
  std::vector<std::unique_ptr<Base>> fs;
  for (int i = 0; i < n; ++i)
    fs.push_back(std::make_unique<Sq>(x[i]));
  double e = 0;
  for (auto &f : fs)
    e += (*f)(x[0] + 1);
  return e;
}
double algorithms(const double *x, int n) {
  std::vector<double> a(x, x + n), b(n);
  std::partial_sum(a.begin(), a.end(), b.begin());
  std::transform(b.begin(), b.end(), a.begin(), b.begin(),
                 [](double p, double q) { return p * q; });
  b.insert(b.begin(), 2 * x[0]);
  b.resize(n + 3, x[1]);
  std::vector<std::vector<double>> m(3, b);
  m[1] = m[2];
  m.erase(m.begin());
  std::swap(m[0], m[1]);
  return std::inner_product(m[0].begin(), m[0].end(), m[1].begin(), 0.0);
}
double callables(const double *x, int n) {
  std::function<double(double)> f = [&](double t) { return t * x[0]; };
  std::array<double, 3> a{f(x[1]), f(x[2]), 1.};
  auto p = std::make_shared<std::array<double, 3>>(a);
  return (*p)[0] * (*p)[1] + n;
}
template <double (*F)(const double *, int)> void check() {
  double x[5] = {0.8, -1.1, 0.9, 1.3, -0.6}, d[5] = {};
  __enzyme_autodiff_void((void *)F, enzyme_dup, x, d, enzyme_const, 5);
  GRADIENT(F, x, d, 5);
}

} // namespace

int main() {
  check<pushed>();
  check<polymorphic>();
  check<algorithms>();
  check<callables>();
  return finish();
}
