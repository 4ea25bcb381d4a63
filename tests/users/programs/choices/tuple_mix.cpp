// flags: -std=c++20
// tuple<double, vector<double>, string, const double *>: vectors of tuples,
// swap, tie, apply, tuple_cat, sort
#include "../user.h"
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>
using T = std::tuple<double, std::vector<double>, std::string, const double *>;
static T make(const double *x, int n, int i) {
  return {x[i % n] * (1 + 0.2 * i), std::vector<double>(x, x + 1 + i % n),
          i % 2 ? "odd" : "even, with a long long long text", x + (i * 3) % n};
}
static double f(const double *x, int n) {
  std::vector<T> v;
  for (int i = 0; i < n + 2; ++i)
    v.push_back(make(x, n, i));
  std::swap(v[0], v[1]);
  std::get<0>(v[0]) += *std::get<3>(v[1]);
  std::sort(v.begin(), v.end(), [](const T &a, const T &b) {
    return std::get<2>(a) < std::get<2>(b) ||
           (std::get<2>(a) == std::get<2>(b) &&
            std::get<0>(a) < std::get<0>(b));
  });
  double s = 0, d;
  std::vector<double> w;
  const double *p;
  int k = 1;
  for (auto &t : v) {
    std::tie(d, w, std::ignore, p) = t;
    for (double e : w)
      s += e * d;
    s += *p * k++;
    auto &[q, u, text, r] = t;
    q = s * 0.01;
    u.push_back(q);
    r = &u.back();
    s += 0.01 * text.size();
  }
  for (auto &t : v)
    s += std::apply([](double a, const std::vector<double> &b,
                       const std::string &,
                       const double *c) { return a * b.front() + *c; },
                    t);
  auto both = std::tuple_cat(std::make_tuple(x[0], 2.5f), v.back());
  auto third = both;
  std::get<0>(both) = std::get<0>(third) * std::get<2>(third);
  std::pair<double, std::pair<double, std::string>> pp{x[0], {x[n - 1], "s"}},
      qq{s, {2 * s, "t"}};
  std::swap(pp, qq);
  return std::get<0>(both) + pp.second.first * 0.3 +
         qq.first * qq.second.first + std::get<0>(v[0]);
}
DERIVED(f)
