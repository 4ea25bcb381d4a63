// FLAGS: -std=c++17
// NOT-SANITIZED: their checks keep the halves apart, which is refused
// Variants of which one alternative begins with an integer of 4 bytes where
// another has a pointer, in containers that move them about: LLVM makes a word
// of the integer and of what was left in the other half, and passes it on as a
// pointer. It is none, and has no shadow.
#include "../check.h"

#include <memory>
#include <queue>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Job {
  double size, born;
};
struct Arrive {
  std::shared_ptr<Job> job;
};
struct Serve {
  int machine;
  double work;
};
struct Both {
  int from, to;
  double work;
};
struct Fail {
  int machine;
  std::vector<double> log;
};

template <class... Alternatives> struct Event {
  double t;
  int number;
  std::variant<Alternatives...> what;
  bool operator<(const Event &o) const { return t > o.t; }
};

template <class... F> struct Over : F... {
  using F::operator()...;
};
template <class... F> Over(F...) -> Over<F...>;

double simulate(const double *x, int n) {
  using E = Event<Arrive, Serve, Fail>;
  std::priority_queue<E> q;
  double speed[2] = {1 + 0.1 * x[0], 1.5}, s = 0, t = 0;
  int number = 0;
  for (int i = 0; i < n; ++i) {
    t += 0.5 + 0.1 * x[i];
    q.push(
        {t, number++, Arrive{std::make_shared<Job>(Job{x[(i + 1) % n], t})}});
  }
  q.push({0.77, number++, Fail{1, {x[0]}}});
  while (!q.empty()) {
    E e = q.top();
    q.pop();
    std::visit(Over{[&](Arrive &a) {
                      const int k = e.number % 2;
                      const double d = 0.3 * a.job->size * speed[k];
                      s += e.t * a.job->born;
                      q.push({e.t + 0.4, number++, Serve{k, d}});
                    },
                    [&](Serve &v) { s += v.work * speed[v.machine] * e.t; },
                    [&](Fail &v) {
                      speed[v.machine] *= 0.7 + 0.01 * x[1];
                      v.log.push_back(e.t * x[0]);
                      for (double l : v.log)
                        s += l;
                      if (v.log.size() < 4)
                        q.push({e.t + 0.37, number++, std::move(v)});
                    }},
               e.what);
  }
  return s;
}

/// Two integers, and one alternative after another in the same place.
double exchanged(const double *x, int n) {
  using V = std::variant<std::unique_ptr<double>, Serve, Both>;
  std::vector<V> all;
  for (int i = 0; i < n; ++i) {
    all.emplace_back(Serve{i, x[i] * x[i]});
    all.emplace_back(std::make_unique<double>(sin(x[i])));
    all.emplace_back(Both{i, n - i, exp(0.1 * x[i])});
  }
  for (size_t i = 0; i + 1 < all.size(); i += 2)
    std::swap(all[i], all[i + 1]);
  for (size_t i = 0; i + 3 < all.size(); i += 4) {
    V kept = std::move(all[i]);
    all[i] = std::move(all[i + 3]);
    all[i + 3] = std::move(kept);
  }
  double s = 0, w = 1;
  for (auto &v : all) {
    s += w * std::visit(Over{[](std::unique_ptr<double> &p) { return *p; },
                             [](Serve &a) { return a.machine * a.work; },
                             [](Both &b) { return (b.from - b.to) * b.work; }},
                        v);
    w *= 0.9;
  }
  return s;
}

} // namespace

int main() {
  check_modes<simulate>();
  check_modes<exchanged>();
  return finish();
}
