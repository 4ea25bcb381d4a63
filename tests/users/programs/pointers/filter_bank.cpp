// filters behind a base class: copies of chains by clone(), ring buffers as
// members, a flag behind a number; float
#include "../user.h"
#include <cmath>
#include <deque>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>
template <class T> class Ring {
public:
  explicit Ring(size_t n) : data_(n), head_(0) {}
  void push(T v) {
    data_[head_] = v;
    head_ = (head_ + 1) % data_.size();
    if (count_ < data_.size())
      ++count_;
  }
  T ago(size_t k) const {
    return data_[(head_ + data_.size() - 1 - k) % data_.size()];
  }
  size_t size() const { return count_; }

private:
  std::vector<T> data_;
  size_t head_, count_ = 0;
};
template <class T> struct Stage {
  virtual ~Stage() = default;
  virtual T process(T) = 0;
  virtual std::unique_ptr<Stage> clone() const = 0;
};
template <class T> struct Biquad final : Stage<T> {
  T b0, b1, b2, a1, a2, z1 = 0, z2 = 0;
  Biquad(T f, T q) {
    T w = f * T(3.14159265358979), c = std::cos(w),
      alpha = std::sin(w) / (2 * q), a0 = 1 + alpha;
    b0 = (1 - c) / 2 / a0, b1 = (1 - c) / a0, b2 = b0, a1 = -2 * c / a0,
    a2 = (1 - alpha) / a0;
  }
  T process(T x) override {
    T y = b0 * x + z1;
    z1 = b1 * x - a1 * y + z2;
    z2 = b2 * x - a2 * y;
    return y;
  }
  std::unique_ptr<Stage<T>> clone() const override {
    return std::make_unique<Biquad>(*this);
  }
};
template <class T> struct Echo final : Stage<T> {
  Ring<T> past;
  T feedback;
  bool invert = false;
  Echo(size_t n, T f) : past(n), feedback(f) {}
  T process(T x) override {
    T y = x + (past.size() > 2 ? feedback * (invert ? -past.ago(2)
                                                    : past.ago(past.size() - 1))
                               : T(0));
    past.push(y);
    return y;
  }
  std::unique_ptr<Stage<T>> clone() const override {
    return std::make_unique<Echo>(*this);
  }
};
template <class T> class Chain {
public:
  Chain() = default;
  Chain(const Chain &o) {
    for (auto &s : o.stages_)
      stages_.push_back(s->clone());
  }
  Chain &operator=(Chain o) {
    stages_.swap(o.stages_);
    return *this;
  }
  Chain &operator<<(std::unique_ptr<Stage<T>> s) {
    stages_.push_back(std::move(s));
    return *this;
  }
  T operator()(T x) {
    for (auto &s : stages_)
      x = s->process(x);
    return x;
  }

private:
  std::vector<std::unique_ptr<Stage<T>>> stages_;
};
template <class T> double loudness(const T *x, int n) {
  const int steps = 40;
  const T p[4] = {T(0.3) * x[0], T(0.8) * x[n / 2], T(0.35) * x[n - 1],
                  T(0.7) * x[n / 3]};
  Chain<T> left;
  auto echo = std::make_unique<Echo<T>>(5, p[2]);
  echo->invert = true;
  left << std::make_unique<Biquad<T>>(p[0], p[1]) << std::move(echo);
  Chain<T> right = left;
  right << std::make_unique<Biquad<T>>(p[0] * T(0.5), T(0.9));
  std::deque<T> window;
  T energy = 0, peak = 0;
  for (int i = 0; i < steps; ++i) {
    T in = std::sin(p[3] * i) + (i % 7 == 0 ? T(1) : T(0));
    window.push_back(left(in) - T(0.4) * right(in));
    if (window.size() > 6)
      window.pop_front();
    T mean = 0;
    for (T w : window)
      mean += w * w;
    energy += mean / window.size();
    peak = std::max(peak, std::abs(window.back()));
    if (i == steps / 2) {
      Chain<T> fresh;
      fresh << std::make_unique<Echo<T>>(3, p[1]);
      right = fresh;
    }
  }
  return std::log(energy) + peak;
}
DERIVED_FLOAT(loudness)
