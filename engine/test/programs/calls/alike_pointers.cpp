// Functions whose parameters are all pointers for LLVM, though the program
// passes other things: an object that is returned, one by value, references. A
// call by address must not be taken to enter those of another kind, which read
// what they are given as something else.
#include "../check.h"
#include <functional>
#include <vector>

using State = std::vector<double>;

/// Closures that are a pointer, two pointers, or an object of the heap.
struct Model {
  std::vector<double> rate;
  State operator()(double t, const State &s) const {
    return {rate[0] * s[0] * t, rate[1] * s[1] - rate[2] * s[0]};
  }
};
static double closures(const double *x, int n) {
  std::function<State(double, const State &)> model =
      Model{std::vector<double>(x, x + n)};
  double total = 0, weighted = 0;
  std::vector<std::function<void(double, double, const State &)>> observers;
  observers.push_back(
      [&total](double, double h, const State &y) { total += h * y[0]; });
  observers.push_back([&](double t, double h, const State &y) {
    weighted += h * t * total * y[1];
  });
  State y{x[0], x[1]};
  for (int i = 0; i < 4; i++) {
    State d = model(0.1 * i, y);
    for (int k = 0; k < 2; k++)
      y[k] += 0.2 * d[k];
    for (auto &o : observers)
      o(0.1 * i, 0.2, y);
  }
  return total + 2 * weighted + y[0] * y[1];
}

struct Large {
  double v[4];
};
__attribute__((noinline)) static void sum(double *to, const double *x) {
  *to = x[0] * x[1] + x[2];
}
__attribute__((noinline)) static void other(double *to, const double *x) {
  *to = x[0] - x[1] * x[2];
}
__attribute__((noinline)) static Large spread(const double *x) {
  return {{x[0], x[0] * x[1], x[2], 1}};
}
__attribute__((noinline)) static Large reversed(const double *x) {
  return {{x[2], x[1], x[0] * x[0], 2}};
}
static double tables(const double *x, int n) {
  void (*volatile give[])(double *, const double *) = {sum, other};
  Large (*volatile make[])(const double *) = {spread, reversed};
  double r = 0, to;
  for (int i = 0; i < n; i++) {
    give[i % 2](&to, x);
    Large l = make[(i + 1) % 2](x);
    r += to * l.v[i] + l.v[3] * x[i];
  }
  return r;
}

int main() {
  const double x[] = {1.1, 0.7, 0.9};
  check_modes<closures>(x, 1e-7);
  check_modes<tables>(x, 1e-7);
  return finish();
}
