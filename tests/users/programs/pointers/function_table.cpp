// flags: -std=c++20
// map<string, std::function>: small and large captures, composition, reassigned
// slots, recursion through a function
#include "../user.h"
#include <functional>
#include <map>
#include <string>
#include <vector>
using F = std::function<double(double)>;
static F compose(F a, F b) {
  return [a = std::move(a), b = std::move(b)](double t) { return a(b(t)); };
}
static double f(const double *x, int n) {
  std::map<std::string, F> ops;
  double a = x[0], b = x[n - 1];
  std::vector<double> c(x, x + n);
  ops["scale"] = [a](double t) { return a * t; };
  ops["poly"] = [c](double t) {
    double r = 0;
    for (double e : c)
      r = r * t * 0.5 + e;
    return r;
  };
  ops["ref"] = [&b](double t) { return sin(b * t); };
  ops["big"] = [a, b, c, x, n](double t) {
    return a + b * t + c[n / 2] * t * t + x[0];
  };
  ops["plain"] = (double (*)(double))tanh;
  b *= 2;
  F chain = [](double t) { return t; };
  double s = 0;
  for (int round = 0; round < 3; ++round)
    for (auto &[name, op] : ops) {
      F next = compose(op, chain);
      if (name != "big" || round == 0)
        chain = next;
      s += chain(0.3 + 0.1 * round);
      if (round == 1)
        op = [old = op, k = x[round % n]](double t) {
          return 0.5 * old(t) + k;
        };
    }
  std::vector<F> list;
  for (int i = 0; i < n; ++i) {
    double w = x[i];
    if (i % 2)
      list.push_back([w, i](double t) { return w * t + i; });
    else
      list.emplace_back([w](double t) { return w / (1 + t * t); });
  }
  std::swap(list.front(), list.back());
  for (auto &g : list)
    s += g(s * 0.01);
  std::function<double(int)> fact = [&](int k) {
    return k <= 0 ? 1.0 : x[k % n] * fact(k - 1);
  };
  return s + fact(5);
}
DERIVED(f)
