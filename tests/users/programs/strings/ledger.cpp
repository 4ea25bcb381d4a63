// flags: -std=c++20
#include "../user.h"
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
struct Lot {
  double qty, price;
  int day;
};
struct Posting {
  std::string account;
  double amount;
  std::optional<std::string> memo;
  int day;
};
struct Position {
  std::deque<Lot> lots;
  double realized = 0;
  float fee_rate = 0.0625f;
  bool open = true;
};
struct ByAmount {
  bool operator()(const Posting *a, const Posting *b) const {
    return a->amount != b->amount ? a->amount < b->amount : a->day < b->day;
  }
};
class Book {
  std::unordered_map<std::string, Position> pos_;
  std::map<std::string, double> balance_;
  std::deque<Posting> journal_;

public:
  void post(const std::string &from, const std::string &to, double v, int day,
            std::optional<std::string> memo = {}) {
    journal_.push_back({from, -v, memo, day});
    journal_.push_back({to, v, std::move(memo), day});
    balance_[from] -= v;
    balance_[to] += v;
  }
  void buy(const std::string &s, double q, double p, int day) {
    pos_[s].lots.push_back({q, p, day});
    post("assets:cash", "assets:stock:" + s, q * p, day, "buy " + s);
  }
  void sell(const std::string &s, double q, double p, int day) {
    Position &ps = pos_.at(s);
    while (q > 0 && !ps.lots.empty()) {
      Lot &l = ps.lots.front();
      double take = l.qty < q ? l.qty : q;
      double gain = take * (p - l.price) - ps.fee_rate * take;
      ps.realized += gain;
      post("income:gains", "assets:cash", gain, day);
      if (take == l.qty)
        ps.lots.pop_front();
      else
        l.qty -= take;
      q -= take;
    }
    ps.open = !ps.lots.empty();
  }
  void interest(double rate) {
    for (auto &[name, b] : balance_)
      if (name.rfind("assets", 0) == 0)
        b += b * rate;
  }
  double report() const {
    double s = 0;
    for (auto &[k, v] : balance_)
      s += v * v * 0.01 * k.size() / 10;
    for (auto &j : journal_)
      s += j.amount * (j.memo ? 0.1 : 0.2) * (1 + 0.1 * j.day);
    for (const char *k : {"IBM", "a company with a very long name"})
      if (auto it = pos_.find(k); it != pos_.end()) {
        s += it->second.realized + (it->second.open ? 0.5 : 0);
        for (auto &l : it->second.lots)
          s += l.qty * sqrt(l.price);
      }
    std::multiset<const Posting *, ByAmount> top;
    for (auto &j : journal_) {
      top.insert(&j);
      if (top.size() > 4)
        top.erase(top.begin());
    }
    for (auto *p : top)
      s += sin(p->amount);
    return s;
  }
};
static double f(const double *x, int n) {
  Book b;
  b.post("equity", "assets:cash", 50 * x[0], 0, "opening");
  for (int i = 0; i < n; ++i) {
    std::string s = i % 2 ? "IBM" : "a company with a very long name";
    b.buy(s, x[i], 2 + x[(i + 1) % n] + 0.017 * i, i);
    if (i % 3 == 2)
      b.sell(s, 0.71 * x[i] + 0.3 * x[i - 1], 2.5 + x[i - 2], i);
    if (i % 4 == 3)
      b.interest(0.01 + 0.002 * x[i]);
  }
  return b.report() * 0.1;
}
DERIVED(f)
