// flags: -std=c++20
// event simulation: priority_queue of struct { time, variant<Arrive, Serve,
// Fail> }, map of machines, shared_ptr jobs
#include "../user.h"
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <variant>
#include <vector>
struct Job {
  double size, born;
  std::string name;
};
struct Arrive {
  std::shared_ptr<Job> job;
};
struct Serve {
  int machine;
  double work;
};
struct Fail {
  int machine;
  std::vector<double> log;
};
struct Event {
  double t;
  int seq;
  std::variant<Arrive, Serve, Fail> what;
  bool operator<(const Event &o) const {
    return t > o.t || (t == o.t && seq > o.seq);
  }
};
struct Machine {
  double speed = 1, busy_until = 0;
  std::queue<std::shared_ptr<Job>> wait;
  double total = 0;
};
template <class... F> struct over : F... {
  using F::operator()...;
};
static double f(const double *x, int n) {
  std::priority_queue<Event> q;
  std::map<int, Machine> m;
  int seq = 0;
  double s = 0;
  for (int k = 0; k < 2; ++k)
    m[k].speed = 0.8 + 0.3 * x[k % n];
  double t0 = 0;
  for (int i = 0; i < n + 2; ++i) {
    t0 += 0.4 * x[i % n] + 0.05;
    q.push({t0, seq++,
            Arrive{std::make_shared<Job>(
                Job{x[(i + 1) % n] * 0.9, t0, "job" + std::to_string(i)})}});
  }
  q.push({0.77, seq++, Fail{1, {x[0]}}});
  while (!q.empty()) {
    Event e = q.top();
    q.pop();
    std::visit(over{[&](Arrive &a) {
                      int k = e.seq % 2;
                      Machine &mc = m[k];
                      mc.wait.push(a.job);
                      if (mc.busy_until <= e.t) {
                        double d = a.job->size / mc.speed;
                        mc.busy_until = e.t + d;
                        q.push({mc.busy_until, seq++, Serve{k, d}});
                      }
                    },
                    [&](Serve &v) {
                      Machine &mc = m[v.machine];
                      auto j = std::move(mc.wait.front());
                      mc.wait.pop();
                      mc.total += v.work;
                      s += (e.t - j->born) * (1 + 0.1 * j->name.size());
                      if (!mc.wait.empty()) {
                        double d = mc.wait.front()->size / mc.speed;
                        mc.busy_until = e.t + d;
                        q.push({mc.busy_until, seq++, Serve{v.machine, d}});
                      }
                    },
                    [&](Fail &v) {
                      m[v.machine].speed *= 0.7;
                      v.log.push_back(e.t * x[0]);
                      for (double l : v.log)
                        s += l;
                      if (v.log.size() < 4)
                        q.push({e.t + 0.37, seq++, std::move(v)});
                    }},
               e.what);
  }
  for (auto &[k, mc] : m)
    s += mc.total * mc.speed * (k + 1);
  return s;
}
DERIVED(f)
