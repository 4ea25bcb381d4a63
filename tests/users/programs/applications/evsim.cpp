// flags: -std=c++17
#include "../user.h"
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <vector>
// discrete event simulation of a small factory
enum class Kind { Arrive, Start, Finish, Repair };
struct Event {
  double time;
  Kind kind;
  int job;
  std::string machine;
  bool operator<(const Event &o) const { return time > o.time; }
};
struct Job {
  int id;
  double size, due;
  float priority;
  bool rush;
};
struct LaterDue {
  bool operator()(const Job &a, const Job &b) const { return a.due < b.due; }
};
class Factory {
  std::priority_queue<Event> q_;
  std::multiset<Job, LaterDue> waiting_;
  std::map<std::string, std::pair<bool, double>> machines_; // busy, speed
  std::multimap<std::string, double> log_;
  std::vector<Job> jobs_;
  std::vector<std::function<void(const Event &)>> listeners_;
  double now_ = 0, tardy_ = 0;
  void dispatch() {
    for (auto &[name, st] : machines_) {
      if (st.first || waiting_.empty())
        continue;
      Job j = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      st.first = true;
      q_.push({now_ + j.size / st.second, Kind::Finish, j.id, name});
    }
  }

public:
  void machine(const std::string &n, double speed) {
    machines_.emplace(n, std::make_pair(false, speed));
  }
  void listen(std::function<void(const Event &)> l) {
    listeners_.push_back(std::move(l));
  }
  void job(double at, double size, double due, bool rush) {
    int id = (int)jobs_.size();
    jobs_.push_back({id, size, due, rush ? 2.0f : 0.5f, rush});
    q_.push({at, Kind::Arrive, id, ""});
  }
  double run() {
    while (!q_.empty()) {
      Event e = q_.top();
      q_.pop();
      now_ = e.time;
      for (auto &l : listeners_)
        l(e);
      switch (e.kind) {
      case Kind::Arrive:
        waiting_.insert(jobs_[e.job]);
        break;
      case Kind::Finish: {
        const Job &j = jobs_[e.job];
        double late = now_ - j.due;
        tardy_ += j.priority * 0.5 * (late + std::sqrt(late * late + 0.1));
        log_.emplace(e.machine, j.size);
        q_.push({now_ + 0.05, Kind::Repair, e.job, e.machine});
        break;
      }
      case Kind::Repair:
        machines_[e.machine].first = false;
        break;
      default:
        break;
      }
      dispatch();
    }
    double s = tardy_;
    for (auto &[m, v] : log_)
      s += 0.05 * v * v * m.size();
    auto [lo, hi] = log_.equal_range("lathe");
    for (auto it = lo; it != hi; ++it)
      s += 0.1 * it->second;
    return s + now_;
  }
};
static double f(const double *x, int n) {
  Factory fac;
  fac.machine("lathe", 0.8 + 0.1 * x[0]);
  fac.machine("five-axis milling machine", 1.3);
  double area = 0;
  int seen = 0;
  fac.listen([&](const Event &e) {
    if (e.kind == Kind::Finish)
      area += e.time * 0.1;
  });
  fac.listen([&seen](const Event &) { ++seen; });
  double at = 0;
  for (int i = 0; i < n; ++i) {
    at += 0.37 + 0.2 * x[i];
    fac.job(at, x[(i * 3 + 1) % n], at + 0.9 + 0.0137 * i, i % 3 == 0);
  }
  double r = fac.run();
  return r + area + 1e-3 * seen;
}
DERIVED(f)
