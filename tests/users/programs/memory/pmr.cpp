// flags: -std=c++17
#include "../user.h"
#include <list>
#include <map>
#include <memory_resource>
#include <string>
struct Tally {
  double sum = 0, sq = 0;
  int count = 0;
  float scale = 1.0f;
};
class Report {
  std::pmr::memory_resource *mr_;
  std::pmr::map<std::pmr::string, Tally> rows_;
  std::pmr::vector<std::pmr::vector<double>> series_;
  std::pmr::list<std::pair<int, double>> log_;

public:
  explicit Report(std::pmr::memory_resource *mr)
      : mr_(mr), rows_(mr), series_(mr), log_(mr) {}
  void add(const char *key, double v, int when) {
    Tally &t = rows_[std::pmr::string(key, mr_)];
    t.sum += v;
    t.sq += v * v;
    t.count++;
    t.scale = 0.5f * t.count;
    log_.emplace_back(when, v * 0.5);
    if (log_.size() > 6)
      log_.pop_front();
  }
  void series(const double *x, int n, double a) {
    auto &s = series_.emplace_back();
    for (int i = 0; i < n; ++i)
      s.push_back(a * x[i] + (s.empty() ? 0.0 : 0.3 * s.back()));
  }
  double variance() const {
    double v = 0;
    for (auto &[k, t] : rows_)
      v += (t.sq - t.sum * t.sum / t.count + 0.1) * t.scale +
           0.01 * k.size() * t.sum;
    return v;
  }
  double tail() const {
    double v = 0;
    for (auto &s : series_)
      v += s.back() * s.front();
    for (auto &[w, d] : log_)
      v += w * d * d * 0.01;
    return v;
  }
};
static double f(const double *x, int n) {
  alignas(16) char buffer[2048];
  std::pmr::monotonic_buffer_resource mono(buffer, sizeof buffer);
  std::pmr::unsynchronized_pool_resource pool;
  double r = 0;
  for (std::pmr::memory_resource *mr : {(std::pmr::memory_resource *)&mono,
                                        (std::pmr::memory_resource *)&pool}) {
    Report rep(mr);
    const char *keys[] = {"north", "south", "the eastern department of sales",
                          "west"};
    for (int i = 0; i < n; ++i)
      rep.add(keys[i % 4], x[i] * x[(i + 1) % n], i);
    for (int k = 1; k < 4; ++k)
      rep.series(x, n, 1.0 / k);
    r += rep.variance() + rep.tail();
  }
  return r;
}
DERIVED(f)
