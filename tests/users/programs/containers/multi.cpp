// flags: -std=c++20
#include "../user.h"
#include <memory>
#include <string>
#include <vector>
struct Named {
  std::string name;
  virtual ~Named() = default;
  explicit Named(std::string n) : name(std::move(n)) {}
  virtual int rank() const { return 1; }
};
struct Massive {
  double mass;
  virtual ~Massive() = default;
  explicit Massive(double m) : mass(m) {}
  virtual double inertia() const { return mass; }
};
struct Charged {
  float sign = 1;
  double charge = 0;
  bool live = true;
  virtual ~Charged() = default;
  virtual double potential(double r) const {
    return live ? sign * charge / r : 0.0;
  }
};
struct Electron : Massive, Charged {
  Electron(double m, double q) : Massive(m) {
    sign = -1;
    charge = q;
  }
  double inertia() const override { return mass * (1 + charge * charge); }
};
struct Ion : Named, Massive, Charged {
  int shells;
  Ion(std::string n, double m, double q, int s)
      : Named(std::move(n)), Massive(m), shells(s) {
    charge = q;
  }
  int rank() const override { return shells; }
  double potential(double r) const override {
    double p = Charged::potential(r);
    for (int k = 0; k < shells; ++k)
      p *= 1 - 0.2 * exp(-r * (k + 1));
    return p;
  }
};
struct Base {
  double shared = 0;
  int calls = 0;
  virtual double go() = 0;
  virtual ~Base() = default;
};
struct Left : virtual Base {
  double l = 1;
  void bumpL(double d) {
    shared += d * l;
    ++calls;
  }
};
struct Right : virtual Base {
  double r = 2;
  void bumpR(double d) {
    shared += d * d * r;
    ++calls;
  }
};
struct Diamond final : Left, Right {
  std::string note = "virtual bases share one subobject";
  double go() override { return shared * (1 + l * r) + calls; }
};
static double f(const double *x, int n) {
  std::vector<std::unique_ptr<Massive>> all;
  std::vector<Charged *> charged;
  std::vector<const Named *> named;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1) {
      auto e = std::make_unique<Electron>(0.1 + x[i], 0.5 * x[(i + 1) % n]);
      charged.push_back(e.get());
      all.push_back(std::move(e));
    } else if (i % 3 == 2)
      all.push_back(std::make_unique<Massive>(x[i] * x[i]));
    else {
      auto p = std::make_unique<Ion>("ion with a rather long name " +
                                         std::to_string(i),
                                     x[i], x[i] * 0.3, 1 + i % 4);
      charged.push_back(p.get());
      named.push_back(p.get());
      all.push_back(std::move(p));
    }
  }
  double s = 0;
  for (size_t i = 0; i < charged.size(); ++i)
    for (size_t j = 0; j < charged.size(); ++j)
      if (i != j)
        s += charged[i]->potential(1.0 + 0.1 * (i > j ? i - j : j - i)) *
             charged[j]->charge;
  for (auto &m : all) {
    s += m->inertia();
    if (auto *c = dynamic_cast<Charged *>(m.get()))
      s += 0.1 * c->potential(2.0);
    if (auto *nm = dynamic_cast<Named *>(m.get()))
      s += 0.01 * nm->name.size() * m->mass;
  }
  for (auto *nm : named)
    s += nm->rank() * dynamic_cast<const Ion *>(nm)->mass * 0.05;
  Diamond d;
  for (int i = 0; i < n; ++i) {
    if (i % 2)
      d.bumpL(x[i]);
    else
      d.bumpR(x[i]);
    d.l += 0.1 * x[i];
  }
  Base *b = &d;
  Right &r = d;
  r.r = 1.5 * x[0];
  return s + b->go() + 1e-3 * d.note.size();
}
DERIVED(f)
