// flags: -std=c++20
// ranges and views: transform, filter, take, drop, reverse, iota, join, zip by
// index, ranges::sort with projection, fold
#include "../user.h"
#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>
namespace rv = std::views;
struct P {
  double a;
  int k;
  double b;
};
static double f(const double *x, int n) {
  std::span<const double> in(x, n);
  double s = 0;
  for (double e : in | rv::transform([](double v) { return v * v; }) |
                      rv::filter([](double v) { return v > 0.3; }) |
                      rv::take(6))
    s += e;
  for (auto [i, e] : rv::iota(0, n) | rv::transform([&](int i) {
                       return std::pair<int, double>(i, sin(x[i]));
                     }) | rv::drop(1) |
                         rv::reverse)
    s += e / (i + 1);
  std::vector<P> p;
  std::ranges::transform(rv::iota(0, n), std::back_inserter(p), [&](int i) {
    return P{x[i], i, x[i] * x[(i + 1) % n]};
  });
  std::ranges::sort(p, std::ranges::greater{}, &P::a);
  double w = 1;
  for (double b : p | rv::transform(&P::b))
    s += b * (w *= 0.9);
  std::vector<std::vector<double>> rows(3);
  for (int i : rv::iota(0, n))
    rows[i % 3].push_back(p[i].a);
  for (double e : rows | rv::join)
    s = 0.95 * s + e * e;
  auto m = std::ranges::max_element(p, {}, &P::b);
  s += m->b * 3 + m->a;
  auto odd = [](const P &q) { return q.k % 2 == 1; };
  auto tail = std::ranges::partition(p, odd);
  for (auto &q : p | rv::take_while(odd))
    s += q.a;
  for (auto &q : tail)
    q.a *= 2, s += q.a * q.b;
  std::ranges::for_each(p | rv::filter(odd) | rv::transform(&P::a),
                        [&](double v) { s += 0.1 * v; });
  std::vector<double> flat(n);
  std::ranges::copy(p | rv::transform([](const P &q) { return q.a + q.b; }),
                    flat.begin());
  std::ranges::rotate(flat, flat.begin() + n / 2);
  std::inclusive_scan(flat.begin(), flat.end(), flat.begin());
  return s + std::transform_reduce(flat.begin(), flat.end(), x, 0.0) * 0.1 +
         *std::ranges::min_element(flat);
}
DERIVED(f)
