// flags: -std=c++17
#include "../user.h"
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
class Filter {
public:
  virtual ~Filter() = default;
  virtual double push(double v) = 0;
  virtual double state() const { return 0; }
  virtual const std::string &name() const = 0;
};
class LowPass : public Filter {
  double a_, y_ = 0;
  std::string n_;

public:
  LowPass(const std::string &n, double a) : a_(a), n_(n) {}
  double push(double v) override { return y_ += a_ * (v - y_); }
  double state() const override { return y_; }
  const std::string &name() const override { return n_; }
};
class Gain : public Filter {
  double g_;
  float trim_;
  std::string n_;

public:
  Gain(std::string n, double g, float t = 0.5f)
      : g_(g), trim_(t), n_(std::move(n)) {}
  double push(double v) override { return g_ * v + trim_; }
  const std::string &name() const override { return n_; }
};
class Delay : public Filter {
  std::vector<double> ring_;
  size_t at_ = 0;
  std::string n_ = "delay line";

public:
  explicit Delay(int k) : ring_(k, 0.1) {}
  double push(double v) override {
    std::swap(v, ring_[at_]);
    at_ = (at_ + 1) % ring_.size();
    return v;
  }
  double state() const override {
    double s = 0;
    for (double r : ring_)
      s += r;
    return s;
  }
  const std::string &name() const override { return n_; }
};
class Chain : public Filter {
  std::vector<std::unique_ptr<Filter>> parts_;
  std::string n_ = "chain";

public:
  void add(std::unique_ptr<Filter> f) {
    n_ += ">" + f->name();
    parts_.push_back(std::move(f));
  }
  double push(double v) override {
    for (auto &p : parts_)
      v = p->push(v);
    return v;
  }
  double state() const override {
    double s = 0;
    for (auto &p : parts_)
      s += p->state();
    return s;
  }
  const std::string &name() const override { return n_; }
};
class Registry {
public:
  using Factory = std::function<std::unique_ptr<Filter>(double)>;
  void add(const std::string &n, Factory f) {
    if (!map_.emplace(n, std::move(f)).second)
      throw std::logic_error("twice: " + n);
  }
  std::unique_ptr<Filter> make(const std::string &n, double p) const {
    auto it = map_.find(n);
    if (it == map_.end())
      throw std::out_of_range("no filter " + n);
    return it->second(p);
  }

private:
  std::map<std::string, Factory> map_;
};
static double f(const double *x, int n) {
  Registry reg;
  reg.add("lowpass", [](double a) {
    return std::make_unique<LowPass>("first order low-pass filter",
                                     a / (1 + a));
  });
  reg.add("gain", [](double g) { return std::make_unique<Gain>("gain", g); });
  reg.add("delay", [](double) { return std::make_unique<Delay>(3); });
  double base = x[0];
  reg.add("equalizer", [base, &reg](double p) {
    auto c = std::make_unique<Chain>();
    c->add(reg.make("gain", base));
    c->add(reg.make("lowpass", p * base));
    return c;
  });
  Chain all;
  const char *plan[] = {"lowpass", "gain", "delay", "equalizer"};
  for (int i = 0; i < n && i < 9; ++i)
    all.add(reg.make(plan[i % 4], x[i]));
  double s = 0;
  for (int k = 0; k < 12; ++k) {
    double y = all.push(sin(0.4 * k) + x[k % n]);
    s += 0.05 * y * y + 0.1 * y;
  }
  return s + all.state() + 1e-3 * all.name().size();
}
DERIVED(f)
