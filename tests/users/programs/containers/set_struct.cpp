// flags: -std=c++20
// set / multiset of structs ordered by a double, node extraction, sweep line
// with neighbours
#include "../user.h"
#include <set>
#include <string>
struct Event {
  double t;
  int kind;
  double weight;
  std::string tag;
  bool operator<(const Event &o) const {
    return t < o.t || (t == o.t && kind < o.kind);
  }
};
struct ByWeight {
  bool operator()(const Event *a, const Event *b) const {
    return a->weight < b->weight;
  }
};
static double f(const double *x, int n) {
  std::set<Event> s;
  for (int i = 0; i < n; ++i) {
    s.insert({x[i], 0, x[(i + 1) % n] * 0.5, "begin"});
    s.insert({x[i] + 0.37 * x[i] * x[i] + 0.01, 1, x[i] * x[i],
              "end of an interval, long text"});
  }
  double out = 0, open = 0, last = 0;
  for (const Event &e : s) {
    out += open * (e.t - last) * e.tag.size() * 0.1;
    open += e.kind ? -0.5 * e.weight : e.weight;
    last = e.t;
  }
  std::multiset<const Event *, ByWeight> w;
  for (const auto &e : s)
    w.insert(&e);
  double k = 1;
  for (const Event *e : w)
    out += e->weight * e->t * (k *= 0.8);
  for (int round = 0; round < 3 && !s.empty(); ++round) {
    auto node = s.extract(s.begin());
    node.value().t *= 1.7;
    node.value().weight += x[0];
    s.insert(std::move(node));
  }
  auto it = s.lower_bound({1.0, -1, 0, ""});
  if (it != s.end())
    out += it->t * it->weight;
  std::set<Event> other(s);
  other.erase(other.begin());
  for (auto &e : other)
    out += e.weight * sin(e.t);
  return out;
}
DERIVED(f)
