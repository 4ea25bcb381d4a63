// flags: -std=c++20
// sort / stable_sort / nth_element / partial_sort / inplace_merge / heaps of
// structs with string, float, double, int
#include "../user.h"
#include <algorithm>
#include <string>
#include <vector>
struct Rec {
  std::string name;
  float score;
  double value;
  int id;
};
struct Small {
  float key;
  int id;
  double v;
};
static double f(const double *x, int n) {
  std::vector<Rec> r;
  for (int i = 0; i < n; ++i)
    r.push_back({"item number " + std::to_string((i * 37) % 101),
                 (float)((i * 29) % 17), x[i], i});
  std::sort(r.begin(), r.end(),
            [](const Rec &a, const Rec &b) { return a.name < b.name; });
  double s = 0;
  for (size_t i = 0; i < r.size(); ++i) {
    r[i].value = sin(r[i].value * (1 + i)) + (i ? 0.3 * r[i - 1].value : 0);
    s += r[i].value;
  }
  std::stable_sort(r.begin(), r.end(), [](const Rec &a, const Rec &b) {
    return a.score > b.score;
  });
  for (size_t i = 0; i < r.size(); ++i)
    s += r[i].value * 0.1 * i;
  std::nth_element(r.begin(), r.begin() + n / 2, r.end(),
                   [](auto &a, auto &b) { return a.value < b.value; });
  s += r[n / 2].value * 5;
  std::partial_sort(r.begin(), r.begin() + (n + 1) / 2, r.end(),
                    [](auto &a, auto &b) { return a.value > b.value; });
  for (int i = 0; i < (n + 1) / 2; ++i)
    s += r[i].value * r[i].value * (i + 1);
  std::vector<Small> q;
  for (auto &e : r)
    q.push_back({e.score, e.id, e.value * x[e.id]});
  auto byid = [](const Small &a, const Small &b) { return a.id < b.id; };
  std::sort(q.begin(), q.begin() + n / 2, byid);
  std::sort(q.begin() + n / 2, q.end(), byid);
  std::inplace_merge(q.begin(), q.begin() + n / 2, q.end(), byid);
  for (int i = 0; i < n; ++i)
    s += q[i].v * (i % 4) + q[i].key * 0.01;
  auto byv = [](const Small &a, const Small &b) { return a.v < b.v; };
  std::make_heap(q.begin(), q.end(), byv);
  for (int k = 1; !q.empty(); ++k) {
    std::pop_heap(q.begin(), q.end(), byv);
    s += q.back().v / k;
    q.pop_back();
  }
  return s;
}
DERIVED(f)
