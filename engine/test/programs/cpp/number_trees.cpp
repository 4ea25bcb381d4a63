// Sets and maps by numbers, of which the head of the tree has a count where
// nodes have their numbers.
#include "../check.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

/// Ways of least cost, by Dijkstra's algorithm with a set as its queue.
double ways(const double *x, int n) {
  std::vector<double> dist(size_t(n), 1e300);
  std::set<std::pair<double, int>> open{{0.0, 0}};
  dist[0] = 0;
  double sum = 0;
  while (!open.empty()) {
    auto [d, u] = *open.begin();
    open.erase(open.begin());
    sum += d * d * (1 + open.size());
    for (int step = 1; step < 4; ++step) {
      const int v = (u + step) % n;
      const double next = d + x[u] * x[u] * (0.7 + 0.21 * step * step) + 0.1;
      if (next < dist[size_t(v)]) {
        open.erase({dist[size_t(v)], v});
        dist[size_t(v)] = next;
        open.insert({next, v});
      }
    }
  }
  return sum;
}

/// The greatest few, with their names.
double greatest(const double *x, int n) {
  std::multimap<double, std::string> kept;
  for (int i = 0; i < n; ++i) {
    kept.emplace(x[i] * x[i] * (i + 1), std::string(size_t(i + 9), 'a'));
    if (kept.size() > 3)
      kept.erase(kept.begin());
  }
  double s = 0;
  for (const auto &[value, name] : kept)
    s += value * value * double(name.size());
  return s + double(kept.size());
}

} // namespace

int main() {
  check_modes<ways>();
  check_modes<greatest>();
  return finish();
}
