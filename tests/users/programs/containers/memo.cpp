// flags: -std=c++17
#include "../user.h"
#include <string>
#include <unordered_map>
#include <utility>
// optimal stopping by dynamic programming with memo tables
struct Result {
  double value;
  int visits;
  float discount;
  bool leaf;
};
struct KeyHash {
  size_t operator()(const std::pair<int, int> &k) const {
    return std::hash<int>()(k.first * 1009 + k.second);
  }
};
class Solver {
  const double *x_;
  int n_;
  std::unordered_map<std::pair<int, int>, Result, KeyHash> memo_;
  std::unordered_map<std::string, double> named_;
  int hits_ = 0;

public:
  Solver(const double *x, int n) : x_(x), n_(n) {}
  double softmax(double a, double b) const {
    return 0.5 * (a + b + sqrt((a - b) * (a - b) + 0.01));
  }
  const Result &value(int i, int k) {
    auto it = memo_.find({i, k});
    if (it != memo_.end()) {
      it->second.visits++;
      ++hits_;
      return it->second;
    }
    Result r{0, 1, 0.9375f, false};
    if (i >= n_ || k == 0) {
      r.value = 0.1 * k;
      r.leaf = true;
    } else {
      double take =
          x_[i] * (1 + 0.1 * k) + r.discount * value(i + 1, k - 1).value;
      double skip = r.discount * value(i + 1, k).value;
      r.value = softmax(take, skip);
    }
    return memo_.emplace(std::make_pair(i, k), r).first->second;
  }
  double named(const std::string &s) {
    if (auto it = named_.find(s); it != named_.end())
      return it->second;
    double v;
    if (s.size() <= 1)
      v = x_[(s.empty() ? 0 : s[0] - 'a') % n_];
    else
      v = sin(named(s.substr(0, s.size() / 2))) +
          0.5 * named(s.substr(s.size() / 2)) * named(s.substr(1));
    named_[s] = v;
    return v;
  }
  double audit() const {
    double s = 0;
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < 4; ++k) {
        auto it = memo_.find({i, k});
        if (it != memo_.end())
          s += it->second.value * it->second.visits * 0.01;
      }
    return s + hits_ * 1e-3 + named_.size() * 1e-3;
  }
};
static double f(const double *x, int n) {
  Solver s(x, n);
  double v = s.value(0, 3).value + 0.1 * s.value(n / 2, 2).value;
  v += s.named("acbdacbd");
  v += s.named("cabbage");
  return v + s.audit();
}
DERIVED(f)
