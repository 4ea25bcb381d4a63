// flags: -std=c++20
#include "../user.h"
#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
struct Bond {
  double face, rate;
  int years;
};
struct Option {
  double strike, vol;
  char side;
  bool american;
};
struct Cash {
  double amount;
  std::string currency;
};
using Asset = std::variant<Cash, Bond, Option>;
template <class... F> struct Overload : F... {
  using F::operator()...;
};
struct Market {
  double r;
  double spot;
  std::map<std::string, double, std::less<>> fx;
};
class Portfolio {
  std::list<std::pair<double, std::shared_ptr<const Asset>>> items_;
  std::map<std::string, std::tuple<double, int, std::string>> ledger_;

public:
  void add(double qty, Asset a) {
    items_.emplace_back(qty, std::make_shared<const Asset>(std::move(a)));
  }
  double value(const Market &m) {
    double total = 0;
    for (auto &[qty, a] : items_) {
      auto [kind, v] = std::visit(
          Overload{[&](const Cash &c) {
                     return std::pair<std::string, double>(
                         "cash in " + c.currency,
                         c.amount *
                             m.fx.find(std::string_view(c.currency))->second);
                   },
                   [&](const Bond &b) {
                     double v = 0;
                     for (int y = 1; y <= b.years; ++y)
                       v += b.face * b.rate * exp(-m.r * y);
                     return std::pair<std::string, double>(
                         "bond", v + b.face * exp(-m.r * b.years));
                   },
                   [&](const Option &o) {
                     double d = (log(m.spot / o.strike) + 0.5 * o.vol * o.vol) /
                                o.vol,
                            N = 0.5 * erfc(-d / sqrt(2.0)),
                            M = 0.5 * erfc(-(d - o.vol) / sqrt(2.0));
                     double c = m.spot * N - o.strike * exp(-m.r) * M;
                     return std::pair<std::string, double>(
                         o.american ? "american option" : "option",
                         o.side == 'c' ? c : c - m.spot + o.strike * exp(-m.r));
                   }},
          *a);
      auto &[sum, count, label] = ledger_[kind];
      sum += qty * v;
      ++count;
      label = kind + "!";
      total += qty * v;
    }
    return total;
  }
  double concentration() const {
    double s = 0;
    for (auto &[k, t] : ledger_)
      s += std::get<0>(t) * std::get<0>(t) /
           (std::get<int>(t) + 0.1 * std::get<2>(t).size());
    return s;
  }
  void rebalance() {
    items_.remove_if(
        [](const auto &p) { return std::holds_alternative<Cash>(*p.second); });
    items_.reverse();
    double w = 1;
    for (auto &[q, a] : items_) {
      q *= w;
      w *= 0.9;
    }
  }
};
static double f(const double *x, int n) {
  Market m{0.02 + 0.01 * x[0],
           1 + x[n - 1],
           {{"EUR", 1.0}, {"USD", 0.8 + 0.1 * x[0]}}};
  Portfolio p;
  for (int i = 0; i < n; ++i)
    switch (i % 3) {
    case 0:
      p.add(1.5, Cash{x[i], i % 2 ? "EUR" : "USD"});
      break;
    case 1:
      p.add(x[i], Bond{1 + 0.1 * i, 0.05 * x[i - 1], 1 + i % 4});
      break;
    default:
      p.add(1, Option{x[i] + 0.5, 0.3 + 0.1 * x[i - 1], i % 2 ? 'c' : 'p',
                      i % 4 == 1});
    }
  double v = p.value(m);
  p.rebalance();
  m.spot *= 1.05;
  return v + 0.5 * p.value(m) + 0.1 * p.concentration();
}
DERIVED(f)
