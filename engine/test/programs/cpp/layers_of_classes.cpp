// Objects of a class hierarchy behind pointers in a vector: one class has an
// integer where another has a pointer; and a flag behind a number, both copied
// at once, where another has a number. Where the compiler sees one object only,
// the code of other classes stands behind a test of its table.
#include "../check.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace {

/// Layers of several classes behind pointers in a vector.
struct Layer {
  virtual ~Layer() = default;
  virtual std::vector<double> forward(const std::vector<double> &) = 0;
};
struct Scale final : Layer {
  int in, out;
  std::vector<double> weights;
  Scale(const double *x, int n) : in(n), out(n), weights(x, x + n) {}
  std::vector<double> forward(const std::vector<double> &v) override {
    std::vector<double> y(v);
    for (size_t i = 0; i < v.size(); ++i)
      y[i] *= weights[i] * v[i];
    return y;
  }
};
struct Dropout final : Layer {
  double keep;
  uint64_t state;
  Dropout(double k, uint64_t s) : keep(k), state(s) {}
  std::vector<double> forward(const std::vector<double> &v) override {
    std::vector<double> y(v);
    for (double &e : y) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      e = double(state >> 11) / 9007199254740992.0 < 0.7 ? e / keep : 0;
    }
    return y;
  }
};
double network(const double *x, int n) {
  std::vector<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Scale>(x, n));
  layers.push_back(std::make_unique<Dropout>(0.7 + x[0] / 50, 99));
  layers.push_back(std::make_unique<Scale>(x, n));
  std::vector<double> v(x, x + n);
  for (auto &l : layers)
    v = l->forward(v);
  double s = 0;
  for (double e : v)
    s += sin(e);
  return s;
}

/// Stages of which copies are made, member by member: what is trivial among
/// these is copied as bytes, nine of them in an echo.
struct Stage {
  virtual ~Stage() = default;
  virtual double process(double) = 0;
  virtual std::unique_ptr<Stage> clone() const = 0;
};
struct Gain final : Stage {
  double a, b, c, d, e, f, g;
  explicit Gain(double k) : a(k), b(k * k), c(k), d(2 * k), e(k), f(3), g(k) {}
  double process(double v) override {
    g = a * v + 0.1 * g;
    return g * b + e * f + c * d;
  }
  std::unique_ptr<Stage> clone() const override {
    return std::make_unique<Gain>(*this);
  }
};
struct Past {
  std::vector<double> values;
  size_t head = 0, count = 0;
  explicit Past(size_t n) : values(n) {}
  void push(double v) {
    values[head] = v;
    head = (head + 1) % values.size();
    ++count;
  }
};
struct Echo final : Stage {
  Past past;
  double feedback;
  bool invert = false;
  Echo(size_t n, double f) : past(n), feedback(f) {}
  double process(double v) override {
    const double last = past.values[past.head];
    v += past.count > 2 ? feedback * (invert ? -last : last) : 0;
    past.push(v);
    return v;
  }
  std::unique_ptr<Stage> clone() const override {
    return std::make_unique<Echo>(*this);
  }
};
double filters(const double *x, int n) {
  std::vector<std::unique_ptr<Stage>> first, second;
  first.push_back(std::make_unique<Gain>(0.2 * x[0]));
  auto echo = std::make_unique<Echo>(3, x[1]);
  echo->invert = true;
  first.push_back(std::move(echo));
  for (auto &s : first)
    second.push_back(s->clone());
  double sum = 0;
  for (int i = 0; i < 3 * n; ++i) {
    double v = x[i % n], w = v;
    for (auto &s : first)
      v = s->process(v);
    for (auto &s : second)
      w = s->process(w * w);
    sum += v + 0.1 * w;
  }
  return sum;
}

/// Both in a vector of which the compiler knows each element.
double filtered(const double *x, int n) {
  std::vector<std::unique_ptr<Stage>> stages;
  stages.push_back(std::make_unique<Gain>(0.2 * x[0]));
  stages.push_back(std::make_unique<Echo>(3, x[1]));
  double sum = 0;
  for (int i = 0; i < 3 * n; ++i) {
    double v = x[i % n];
    for (auto &s : stages)
      v = s->process(v);
    sum += v;
  }
  return sum;
}

} // namespace

int main() {
  check_modes<network>();
  check_modes<filters>();
  check_modes<filtered>();
  return finish();
}
