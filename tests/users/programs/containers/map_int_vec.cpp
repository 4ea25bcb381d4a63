// flags: -std=c++20
// map<int, vector<double>>: buckets filled by key, extract/merge, erase,
// lower_bound, rekeyed nodes
#include "../user.h"
#include <map>
#include <vector>
static double f(const double *x, int n) {
  std::map<int, std::vector<double>> bucket;
  for (int i = 0; i < n; ++i) {
    bucket[(i * 7) % 5].push_back(x[i]);
    bucket[i % 3 + 10].emplace_back(x[i] * x[(i + 1) % n]);
  }
  auto copy = bucket;
  for (auto &[k, v] : copy)
    for (size_t j = 0; j < v.size(); ++j)
      v[j] = sin(v[j] * (k + 1)) + (j ? v[j - 1] : 0);
  if (auto it = copy.find(10); it != copy.end()) {
    auto node = copy.extract(it);
    node.key() = 42;
    node.mapped().push_back(node.mapped().front() * 2);
    copy.insert(std::move(node));
  }
  std::map<int, std::vector<double>> other;
  other.try_emplace(3, 4, x[0] * x[0]);
  other.insert_or_assign(99, std::vector<double>{x[0], x[n - 1]});
  other.insert_or_assign(99, std::vector<double>{x[n - 1], x[0], 2 * x[n / 2]});
  copy.merge(other);
  bucket.erase(0);
  double s = 0;
  for (auto it = copy.rbegin(); it != copy.rend(); ++it)
    for (double e : it->second)
      s = 0.9 * s + e * it->first;
  for (auto it = bucket.lower_bound(2); it != bucket.end();) {
    s += it->second.back() * it->second.size();
    if (it->second.size() % 2)
      it = bucket.erase(it);
    else
      ++it;
  }
  for (auto &[k, v] : bucket)
    s += v[0] * exp(-0.1 * k);
  for (auto &[k, v] : other)
    for (double e : v)
      s += e * e;
  std::swap(bucket, copy);
  return s + bucket.size() * bucket.rbegin()->second.front();
}
DERIVED(f)
