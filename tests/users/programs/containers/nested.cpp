// flags: -std=c++17
#include "../user.h"
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
struct Reading {
  double value;
  int hour;
  bool valid;
  char unit;
};
struct Summary {
  double mean = 0, peak = 0;
  int count = 0;
  float quality = 1;
};
struct Device {
  int id;
  std::vector<std::vector<Reading>> days;
  std::map<std::string, std::vector<double>> extra;
  std::unique_ptr<Summary> cached;
};
static Summary summarize(const Device &d) {
  Summary s;
  for (const auto &day : d.days)
    for (const Reading &r : day)
      if (r.valid) {
        double v = r.unit == 'F' ? (r.value - 0.32) / 1.8 : r.value;
        s.mean += v;
        if (v > s.peak)
          s.peak = v;
        ++s.count;
      }
  if (s.count)
    s.mean /= s.count;
  s.quality = s.count > 4 ? 1.0f : 0.5f;
  return s;
}
static double f(const double *x, int n) {
  std::unordered_map<int, std::unique_ptr<Device>> fleet;
  std::array<std::vector<double>, 3> buckets;
  for (int i = 0; i < n; ++i) {
    auto &d = fleet[i % 5 * 17];
    if (!d) {
      d = std::make_unique<Device>();
      d->id = i;
    }
    std::vector<Reading> day;
    for (int h = 0; h < 3; ++h)
      day.push_back({x[i] * (1 + 0.1 * h) + 0.003 * i, h, (i + h) % 4 != 3,
                     h % 2 ? 'F' : 'C'});
    d->days.push_back(std::move(day));
    d->extra["humidity"].push_back(x[(i + 1) % n]);
    d->extra["atmospheric pressure (hPa)"].insert(
        d->extra["atmospheric pressure (hPa)"].begin(), 2, 0.5 * x[i]);
    buckets[i % 3].push_back(x[i] * x[i]);
  }
  std::map<std::string, std::map<int, Summary>> table;
  for (int k = 0; k < 5; ++k) {
    auto it = fleet.find(k * 17);
    if (it == fleet.end())
      continue;
    Device &d = *it->second;
    d.cached = std::make_unique<Summary>(summarize(d));
    table[k % 2 ? "odd" : "even"][d.id] = *d.cached;
    if (k == 3)
      fleet.erase(it);
  }
  double s = 0;
  for (auto &[group, rows] : table)
    for (auto &[id, sum] : rows)
      s += sum.quality * (sum.mean + 0.5 * sum.peak) * (1 + 0.01 * id) +
           1e-3 * group.size();
  for (auto &b : buckets) {
    std::sort(b.rbegin(), b.rend());
    for (size_t i = 0; i < b.size(); ++i)
      s += b[i] / (i + 1.0);
  }
  for (int k = 0; k < 5; ++k)
    if (auto it = fleet.find(k * 17); it != fleet.end())
      for (auto &[name, v] : it->second->extra)
        for (double e : v)
          s += sin(e) * name.size() * 0.01;
  struct Less {
    bool operator()(const Summary &a, const Summary &b) const {
      return a.mean < b.mean;
    }
  };
  std::set<Summary, Less> ranked;
  for (auto &[group, rows] : table)
    for (auto &r : rows)
      ranked.insert(r.second);
  double w = 1;
  for (auto &r : ranked) {
    s += w * r.mean * r.count * 0.1;
    w *= 0.8;
  }
  return s;
}
DERIVED(f)
