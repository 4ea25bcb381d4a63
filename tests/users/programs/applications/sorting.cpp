// flags: -std=c++20
#include "../user.h"
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>
struct Sample {
  double value;
  float weight;
  int group;
  bool good;
  char grade;
  std::string label;
};
static double trimmed_mean(std::vector<Sample> v) {
  if (v.size() < 3)
    return v.front().value;
  std::sort(v.begin(), v.end(),
            [](const Sample &a, const Sample &b) { return a.value < b.value; });
  return std::accumulate(
             v.begin() + 1, v.end() - 1, 0.0,
             [](double s, const Sample &a) { return s + a.value * a.weight; }) /
         (v.size() - 2);
}
static double median(std::vector<Sample> v) {
  auto m = v.begin() + v.size() / 2;
  std::nth_element(v.begin(), m, v.end(),
                   [](auto &a, auto &b) { return a.value < b.value; });
  return m->value;
}
static double f(const double *x, int n) {
  std::vector<Sample> data;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * 1.7 + 0.01 * i * i;
    data.push_back({v, i % 3 ? 0.5f : 1.5f, i % 4, i % 5 != 2,
                    (char)('a' + i % 3), "measurement " + std::to_string(i)});
  }
  double r = trimmed_mean(data) + median(data);
  std::stable_sort(
      data.begin(), data.end(),
      [](const Sample &a, const Sample &b) { return a.group < b.group; });
  double prefix = 0;
  for (auto &s : data) {
    prefix = 0.7 * prefix + s.value;
    r += 0.02 * prefix * s.weight;
  }
  auto bad = std::partition(data.begin(), data.end(),
                            [](const Sample &s) { return s.good; });
  r += std::accumulate(data.begin(), bad, 0.0, [](double a, const Sample &s) {
    return a + sqrt(s.value);
  });
  r -= std::accumulate(bad, data.end(), 0.0, [](double a, const Sample &s) {
    return a + s.value * s.value;
  });
  std::vector<double> val(data.size());
  std::transform(data.begin(), data.end(), val.begin(), [](const Sample &s) {
    return s.grade == 'a' ? s.value : 2 * s.value;
  });
  std::partial_sum(val.begin(), val.end(), val.begin());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return data[a].label < data[b].label; });
  for (int k = 0; k < n; ++k)
    r += sin(val[order[k]]) * (k + 1) / n;
  auto best = std::max_element(data.begin(), data.end(), [](auto &a, auto &b) {
    return a.value < b.value;
  });
  r += best->value * best->label.size();
  data.erase(std::remove_if(data.begin(), data.end(),
                            [](const Sample &s) { return s.group == 1; }),
             data.end());
  std::rotate(data.begin(), data.begin() + data.size() / 2, data.end());
  return r + data.front().value * data.back().value;
}
DERIVED(f)
