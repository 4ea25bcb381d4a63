// Memory to which static variables lead from call to call, deeper than one
// block: what a derivative finds there, a plain call may have allocated, moved
// or freed, and active numbers are written to it all the same. Its shadow is an
// image of its address. All functions here give the same whatever was there.
#include "../check.h"

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

/// Rows that are overwritten; each call has a longer one.
std::vector<std::vector<double>> Rows;
double rows(const double *x, int n) {
  static size_t most = 1;
  most = most % 40 + 3;
  if (Rows.size() < size_t(n))
    Rows.resize(size_t(n));
  for (int i = 0; i < n; ++i) {
    auto &r = Rows[size_t(i)];
    if (r.size() < most)
      r.resize(most);
    r[0] = x[i] * x[i];
    for (size_t k = 1; k < 3; ++k)
      r[k] = sin(r[k - 1]) * x[(i + 1) % n];
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += Rows[size_t(n - 1 - i)][2] * x[i];
  return s;
}

/// What was there is read, and counts for nothing.
double accumulated(const double *x, int n) {
  static std::vector<std::vector<double>> sums;
  if (sums.empty())
    sums.assign(2, std::vector<double>(2, 1.0));
  double before = sums[1][0];
  for (int i = 0; i < n; ++i)
    sums[1][0] += x[i] * x[i] * x[0];
  return (sums[1][0] - before) * x[1];
}

/// A tree that grows with each call, and whose old nodes are turned.
double tree(const double *x, int n) {
  static std::map<int, std::vector<double>> nodes;
  static int next;
  next = (next + 7) % 101;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    auto &v = nodes[next + 5 * i];
    v.assign(2, x[i]);
    v[1] *= x[0];
    s += v[0] * v[1];
  }
  if (next % 3 == 0)
    nodes.erase(nodes.begin());
  double t = 0;
  for (int i = 0; i < n; ++i)
    if (auto at = nodes.find(next + 5 * i); at != nodes.end())
      t += at->second[0];
  return s + 0 * t;
}

double hashed(const double *x, int n) {
  static std::unordered_map<std::string, std::vector<double>> known;
  static int call;
  ++call;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    auto &v = known["row " + std::to_string((call + i) % 23)];
    v.resize(4);
    std::fill(v.begin(), v.end(), x[i]);
    s += v[3] * v[0] * x[(i + 2) % n];
  }
  return s;
}

/// A state that is made once, and keeps its members.
struct State {
  std::vector<double> now, before;
  std::deque<std::vector<double>> past;
  explicit State(size_t n) : now(n), before(n) {}
  void step(const double *x) {
    before.swap(now);
    for (size_t i = 0; i < now.size(); ++i)
      now[i] = 0.5 * before[i] + x[i] * before[(i + 1) % now.size()];
    past.push_back(now);
    if (past.size() > 3)
      past.pop_front();
  }
};
std::unique_ptr<State> Kept;
double stepped(const double *x, int n) {
  if (!Kept)
    Kept = std::make_unique<State>(size_t(n));
  for (int i = 0; i < n; ++i)
    Kept->now[size_t(i)] = x[i];
  for (int k = 0; k < 4; ++k)
    Kept->step(x);
  double s = 0;
  for (double v : Kept->now)
    s += v * v;
  return s + Kept->past.front()[1];
}

/// A list with a head of its own in the variable.
double listed(const double *x, int n) {
  static std::list<std::vector<double>> all;
  all.emplace_back(2, x[n - 1]);
  if (all.size() > 5)
    all.pop_front();
  for (auto &v : all)
    v.assign(2, x[0]);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    all.splice(all.begin(), all, std::prev(all.end()));
    all.front()[1] = x[i] * all.back()[0];
    s += all.front()[1] * x[i];
  }
  return s;
}

/// Rows as C has them, in a table that grows.
double table(const double *x, int n) {
  static double **t;
  static int size;
  if (size < 40) {
    t = static_cast<double **>(realloc(t, sizeof *t * size_t(size + n)));
    for (int i = 0; i < n; ++i)
      t[size + i] = static_cast<double *>(calloc(2, sizeof **t));
    size += n;
  }
  double s = 0;
  for (int i = 0; i < size; ++i)
    t[i][0] = x[i % n] * x[0];
  for (int i = 0; i < n; ++i) {
    t[i][1] = t[size - 1 - i][0] * x[i];
    s += t[i][1];
  }
  return s;
}

template <double (*F)(const double *, int)> void check_all() {
  const double x[4] = {0.7, -0.4, 1.2, 0.9};
  for (int k = 0; k < 5; ++k) {
    double g[4] = {};
    __enzyme_autodiff((void *)F, enzyme_dup, x, g, enzyme_const, 4);
    GRADIENT(F, x, g, 4);
  }
  check_modes<F>({0.7, -0.4, 1.2, 0.9}, 1e-7);
  for (int k = 0; k < 3; ++k) {
    F(x, 4);
    check_modes<F>({0.3, 0.5, -0.6, 0.2}, 1e-7);
  }
}

/// Threads of the program's own read what a plain call has filled, each in a
/// derivative of its own.
const std::vector<std::vector<double>> &weights() {
  static std::vector<std::vector<double>> w;
  if (w.empty())
    for (int i = 0; i < 4; ++i)
      w.push_back({1.0 + i, 0.5 * i});
  return w;
}
double weighted(const double *x, int n) {
  double s = 0;
  std::vector<std::vector<double>> own(weights());
  for (int i = 0; i < n; ++i) {
    own[size_t(i)][0] *= x[i];
    s += own[size_t(i)][0] * weights()[size_t(i)][1] * x[i];
  }
  return s;
}

} // namespace

int main() {
  check_all<rows>();
  // Other code moves one row, and then all of them.
  for (int k = 0; k < 300; ++k)
    Rows[1].push_back(k);
  check_all<rows>();
  std::rotate(Rows.begin(), Rows.begin() + 1, Rows.end());
  Rows.shrink_to_fit();
  check_all<rows>();
  Rows.clear();
  Rows.shrink_to_fit();
  check_all<rows>();
  check_all<accumulated>();
  check_all<tree>();
  check_all<hashed>();
  check_all<stepped>();
  Kept.reset();
  check_all<stepped>();
  check_all<listed>();
  check_all<table>();

  check_all<weighted>();
  const double x[4] = {0.7, -0.4, 1.2, 0.9};
  double g[8][4] = {};
  std::vector<std::thread> all;
  for (auto &mine : g)
    all.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        std::fill(mine, mine + 4, 0.0);
        __enzyme_autodiff((void *)weighted, enzyme_dup, x, mine, enzyme_const,
                          4);
      }
    });
  for (std::thread &t : all)
    t.join();
  for (auto &mine : g)
    GRADIENT(weighted, x, mine, 4);
  return finish();
}
