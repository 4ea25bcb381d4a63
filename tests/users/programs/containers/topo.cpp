// flags: -std=c++20
#include "../user.h"
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
// project planning: tasks in topological order, earliest finish with smooth
// maximum
struct Task {
  std::string name;
  double duration;
  float risk;
  bool milestone;
  std::vector<std::string> needs;
  double finish = 0, slack = 0;
};
class Plan {
  std::map<std::string, Task> tasks_;
  std::unordered_map<std::string, std::vector<std::string>> after_;

public:
  void add(Task t) {
    for (const auto &d : t.needs)
      after_[d].push_back(t.name);
    std::string key = t.name;
    tasks_.insert_or_assign(std::move(key), std::move(t));
  }
  std::vector<Task *> order() {
    std::unordered_map<std::string, int> deg;
    std::deque<std::string> ready;
    std::vector<Task *> out;
    std::unordered_set<std::string> seen;
    for (auto &[k, t] : tasks_)
      if (!(deg[k] = (int)t.needs.size()))
        ready.push_back(k);
    while (!ready.empty()) {
      std::string k = std::move(ready.front());
      ready.pop_front();
      if (!seen.insert(k).second)
        continue;
      out.push_back(&tasks_.at(k));
      if (auto it = after_.find(k); it != after_.end())
        for (const auto &m : it->second)
          if (--deg[m] == 0)
            ready.push_back(m);
    }
    return out;
  }
  double schedule() {
    double total = 0;
    auto seq = order();
    for (Task *t : seq) {
      double start = 0;
      for (const auto &d : t->needs) {
        double e = tasks_.at(d).finish;
        start = 0.5 * (start + e + sqrt((start - e) * (start - e) + 0.01));
      }
      t->finish = start + t->duration * (1 + 0.5 * t->risk);
      if (t->milestone)
        total += t->finish;
    }
    for (auto it = seq.rbegin(); it != seq.rend(); ++it) {
      (*it)->slack = 0.9 * (*it)->duration;
      for (const auto &d : (*it)->needs)
        tasks_.at(d).slack += 0.1 * (*it)->slack;
    }
    std::set<std::pair<double, std::string>> critical;
    for (auto &[k, t] : tasks_)
      critical.emplace(t.slack, k);
    double w = 1;
    for (auto &[s, k] : critical) {
      total += w * s;
      w *= 0.7;
    }
    return total;
  }
};
static double f(const double *x, int n) {
  Plan p;
  auto name = [](int i) {
    return (i % 3 ? "task-" : "an important work package no. ") +
           std::to_string(i);
  };
  for (int i = 0; i < n; ++i) {
    Task t{name(i), x[i] + 0.01 * i, i % 2 ? 0.25f : 0.5f, i % 4 == 0, {}};
    if (i > 0)
      t.needs.push_back(name(i / 2));
    if (i > 3)
      t.needs.push_back(name(i - 3));
    p.add(t);
  }
  return p.schedule();
}
DERIVED(f)
