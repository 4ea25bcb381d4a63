// flags: -std=c++20
#include "../user.h"
#include <any>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>
using Vec = std::vector<double>;
class Layer {
protected:
  std::string name_;
  bool frozen_ = false;

public:
  explicit Layer(std::string n) : name_(std::move(n)) {}
  virtual ~Layer() = default;
  virtual Vec forward(std::span<const double> in) = 0;
  virtual double penalty() const { return 0; }
  const std::string &name() const { return name_; }
};
class Dense : public Layer {
  int in_, out_;
  Vec w_, b_;
  float l2_ = 0.125f;

public:
  Dense(int i, int o, const double *x, int n, unsigned seed)
      : Layer("dense layer " + std::to_string(i) + "x" + std::to_string(o)),
        in_(i), out_(o), w_(i * o), b_(o, 0.05) {
    std::mt19937 rng(seed);
    for (size_t k = 0; k < w_.size(); ++k)
      w_[k] = x[k % n] * ((rng() % 2001) / 1000.0 - 1.0);
  }
  Vec forward(std::span<const double> in) override {
    Vec o(b_);
    for (int j = 0; j < out_; ++j)
      for (int i = 0; i < in_; ++i)
        o[j] += w_[j * in_ + i] * in[i];
    return o;
  }
  double penalty() const override {
    double s = 0;
    for (double w : w_)
      s += l2_ * w * w;
    return s;
  }
};
class Activation : public Layer {
  double (*fn_)(double);

public:
  Activation(std::string n, double (*f)(double))
      : Layer(std::move(n)), fn_(f) {}
  Vec forward(std::span<const double> in) override {
    Vec o;
    o.reserve(in.size());
    for (double v : in)
      o.push_back(fn_(v));
    return o;
  }
};
class Norm : public Layer {
  double eps_;

public:
  int calls = 0;
  explicit Norm(double e) : Layer("layer norm"), eps_(e) {}
  Vec forward(std::span<const double> in) override {
    double m = 0, v = 0;
    for (double a : in)
      m += a;
    m /= in.size();
    for (double a : in)
      v += (a - m) * (a - m);
    Vec o(in.begin(), in.end());
    for (double &a : o)
      a = (a - m) / sqrt(v / in.size() + eps_);
    ++calls;
    return o;
  }
};
class Residual : public Layer {
  std::unique_ptr<Layer> inner_;
  double mix_;

public:
  Residual(std::unique_ptr<Layer> l, double m)
      : Layer("residual(" + l->name() + ")"), inner_(std::move(l)), mix_(m) {}
  Vec forward(std::span<const double> in) override {
    Vec o = inner_->forward(in);
    for (size_t i = 0; i < o.size() && i < in.size(); ++i)
      o[i] += mix_ * in[i];
    return o;
  }
  double penalty() const override { return inner_->penalty() + mix_ * mix_; }
};
struct Net {
  std::vector<std::unique_ptr<Layer>> layers;
  std::vector<std::tuple<std::string, double, int>> trace;
  double run(Vec v) {
    for (auto &l : layers) {
      v = l->forward(v);
      double s = 0;
      for (double a : v)
        s += a * a;
      trace.emplace_back(l->name(), s, (int)v.size());
    }
    double r = 0;
    for (size_t i = 0; i < v.size(); ++i)
      r += v[i] * (1 + 0.1 * i);
    return r;
  }
};
static double f(const double *x, int n) {
  Net net;
  net.layers.push_back(std::make_unique<Dense>(n, 4, x, n, 7u));
  net.layers.push_back(
      std::make_unique<Activation>("tanh", [](double v) { return tanh(v); }));
  net.layers.push_back(std::make_unique<Residual>(
      std::make_unique<Dense>(4, 4, x, n, 11u), 0.3 * x[0]));
  net.layers.push_back(std::make_unique<Norm>(0.1));
  net.layers.push_back(std::make_unique<Activation>(
      "softplus", +[](double v) { return log1p(exp(v)); }));
  net.layers.push_back(std::make_unique<Dense>(4, 2, x, n, 3u));
  std::any sample = Vec(x, x + n);
  double r = net.run(std::any_cast<Vec>(sample));
  std::any scale = 0.5 * x[n - 1];
  for (auto &[name, s, k] : net.trace)
    r += 0.01 * s * std::any_cast<double>(scale) + 1e-3 * name.size() / k;
  for (auto &l : net.layers)
    r += 0.1 * l->penalty();
  return r;
}
DERIVED(f)
