// flags: -std=c++20
// std::exchange and move-assignment: double buffers, ring of states, undo
// stack, self swap, struct with array + vector + unique_ptr<double[]>
#include "../user.h"
#include <array>
#include <memory>
#include <stack>
#include <utility>
#include <vector>
struct State {
  std::array<double, 3> a{};
  std::vector<double> v;
  std::unique_ptr<double[]> raw;
  int nraw = 0;
  std::shared_ptr<const double> share;
  State() = default;
  State(State &&) = default;
  State &operator=(State &&) = default;
  State(const State &o)
      : a(o.a), v(o.v), raw(o.nraw ? new double[o.nraw] : nullptr),
        nraw(o.nraw), share(o.share) {
    for (int i = 0; i < nraw; ++i)
      raw[i] = o.raw[i];
  }
  State &operator=(const State &o) {
    State t(o);
    return *this = std::move(t);
  }
  void grow(double d) {
    auto p = std::make_unique<double[]>(nraw + 1);
    for (int i = 0; i < nraw; ++i)
      p[i] = raw[i];
    p[nraw++] = d;
    raw.swap(p);
  }
  double norm() const {
    double s = 0;
    for (double e : a)
      s += e * e;
    for (double e : v)
      s += e;
    for (int i = 0; i < nraw; ++i)
      s += raw[i] * (i + 1);
    return s + (share ? *share : 0);
  }
};
static double f(const double *x, int n) {
  State cur, next, ring[3];
  std::stack<State> undo;
  double s = 0, prev = 0;
  for (int i = 0; i < 2 * n + 5; ++i) {
    next = cur;
    next.a[i % 3] += x[i % n] * 0.5;
    next.v.push_back(x[(i + 1) % n] + 0.1 * prev);
    next.grow(sin(x[i % n]) + 0.05 * prev);
    if (i % 4 == 0)
      next.share =
          std::make_shared<const double>(x[i % n] * prev * 0.01 + x[0]);
    if (i % 5 == 4)
      next.share.reset();
    std::swap(cur, next);
    ring[i % 3] = std::exchange(next, State());
    if (i % 3 == 1)
      undo.push(cur);
    if (i % 6 == 5) {
      cur = std::move(undo.top());
      undo.pop();
    }
    prev = std::exchange(s, 0.9 * s + 0.1 * cur.norm() +
                                0.02 * ring[(i + 1) % 3].norm());
    if (cur.v.size() > 4) {
      auto old = std::exchange(cur.v, {cur.v.back(), s * 0.01});
      for (double e : old)
        s += 0.1 * e * e;
    }
    if (cur.nraw > 5)
      cur.raw = std::make_unique<double[]>(2), cur.raw[0] = s * 0.1,
      cur.raw[1] = x[i % n], cur.nraw = 2;
  }
  return s + prev * cur.norm() * 0.1;
}
DERIVED(f)
