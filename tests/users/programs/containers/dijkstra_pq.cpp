// flags: -std=c++20
// Dijkstra with priority_queue<pair<double,int>>, A* with struct entries, soft
// path cost
#include "../user.h"
#include <algorithm>
#include <functional>
#include <queue>
#include <vector>
struct Edge {
  int to;
  double w;
};
using Graph = std::vector<std::vector<Edge>>;
static std::vector<double> dijkstra(const Graph &g, int from,
                                    std::vector<int> &prev) {
  std::vector<double> dist(g.size(), 1e30);
  prev.assign(g.size(), -1);
  std::priority_queue<std::pair<double, int>,
                      std::vector<std::pair<double, int>>, std::greater<>>
      q;
  dist[from] = 0;
  q.push({0.0, from});
  while (!q.empty()) {
    auto [d, u] = q.top();
    q.pop();
    if (d > dist[u])
      continue;
    for (auto [to, w] : g[u])
      if (d + w < dist[to]) {
        dist[to] = d + w;
        prev[to] = u;
        q.emplace(dist[to], to);
      }
  }
  return dist;
}
struct Item {
  double cost;
  int id;
  double carried;
  bool operator<(const Item &o) const { return cost > o.cost; }
};
static double f(const double *x, int n) {
  Graph g(n + 3);
  for (int i = 0; i < n + 3; ++i)
    for (int k = 1; k <= 3; ++k)
      g[i].push_back(
          {(i + k * k) % (n + 3),
           x[(i * k) % n] * x[(i * k) % n] * (1 + 0.13 * k) + 0.011 * i});
  std::vector<int> prev;
  double s = 0;
  for (int from = 0; from < 2; ++from) {
    auto d = dijkstra(g, from, prev);
    for (size_t i = 0; i < d.size(); ++i)
      s += d[i] < 1e29 ? sqrt(0.1 + d[i]) * (1 + 0.1 * i) : 0;
    for (int v = n + 2; v != -1; v = prev[v])
      s += d[v] * 0.25;
  }
  std::priority_queue<Item> pq;
  for (int i = 0; i < n; ++i)
    pq.push({x[i], i, x[i] * x[(i + 1) % n]});
  for (int r = 0; r < n + 4; ++r) {
    Item a = pq.top();
    pq.pop();
    s += a.cost * a.carried / (r + 1);
    a.cost = a.cost * 1.31 + 0.1;
    a.carried *= 0.9;
    pq.push(std::move(a));
  }
  return s;
}
DERIVED(f)
