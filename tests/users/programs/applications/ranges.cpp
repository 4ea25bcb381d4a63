// flags: -std=c++20
#include "../user.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>
namespace rv = std::views;
struct Trade {
  std::string symbol;
  double price;
  double qty;
  int day;
  bool buy;
  float fee;
};
static double f(const double *x, int n) {
  const std::string syms[] = {"ACME", "GLOBEX", "the initech corporation",
                              "UMBRELLA"};
  std::vector<Trade> trades;
  for (int i : rv::iota(0, n))
    trades.push_back({syms[i % 4], 1 + x[i], 0.5 + 0.25 * x[(i + 1) % n],
                      (i * 5) % 7, i % 3 != 0, 0.25f});
  auto cost = [](const Trade &t) {
    return (t.buy ? 1 : -1) * t.price * t.qty + t.fee;
  };
  double s = 0;
  for (double c : trades | rv::filter([](const Trade &t) {
                    return t.day > 1;
                  }) | rv::transform(cost))
    s += c;
  std::ranges::stable_sort(trades, {}, &Trade::day);
  for (const auto &t : trades | rv::take(4) | rv::reverse)
    s = 0.9 * s + t.price * t.price;
  std::map<std::string, std::vector<double>> by;
  for (auto &t : trades)
    by[t.symbol].push_back(t.price);
  for (auto &v : by | rv::values) {
    std::ranges::sort(v);
    s += v.front() - 0.5 * v.back() +
         std::accumulate(v.begin(), v.end(), 0.0) / v.size();
  }
  for (const auto &k : by | rv::keys)
    s += 0.01 * k.size();
  auto m = std::ranges::max_element(trades, {}, &Trade::price);
  s += m->price * m->qty;
  std::vector<double> ret;
  std::ranges::transform(
      trades | rv::drop(1), trades, std::back_inserter(ret),
      [](const Trade &a, const Trade &b) { return log(a.price / b.price); });
  for (double r : ret)
    s += r * r;
  auto grouped =
      trades | rv::transform([](Trade &t) -> double & { return t.qty; });
  for (double &q : grouped)
    q *= 1.5;
  return s + std::accumulate(
                 trades.begin(), trades.end(), 0.0,
                 [](double a, const Trade &t) { return a + t.qty * t.price; });
}
DERIVED(f)
