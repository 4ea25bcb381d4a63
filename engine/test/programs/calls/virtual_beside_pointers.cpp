// Virtual functions beside functions of the same type whose addresses are
// taken: callbacks in a table, a method in another's. Those have
// numbers where an object has its pointer to a table, and no virtual call is of
// them.
#include "../check.h"
#include <memory>
#include <vector>

struct Material {
  virtual ~Material() = default;
  virtual void scale(double) = 0;
  virtual double stress(double e) const = 0;
};
struct Elastic : Material {
  double k;
  explicit Elastic(double v) : k(v) {}
  void scale(double f) override { k *= f; }
  double stress(double e) const override { return k * e; }
};
struct Cubic : Material {
  double k, l = 2;
  explicit Cubic(double v) : k(v) {}
  void scale(double f) override { l *= f; }
  double stress(double e) const override { return k * e * e * e * l; }
};
struct Sensor {
  double sum = 0;
  void update(double v) { sum += v * v; }
  void twice(double v) { sum += 2 * v; }
};
static void add(Sensor *s, double v) { s->sum += v * v * v; }
static void take(Sensor *s, double v) { s->sum -= v; }
struct Callbacks {
  void (*call)(Sensor *, double);
} callbacks[2] = {{add}, {take}};
void (Sensor::*volatile method)(double) = &Sensor::update;

static std::unique_ptr<Material> make(int i, double k) {
  if (i % 2)
    return std::make_unique<Elastic>(k);
  return std::make_unique<Cubic>(k);
}
static double materials(const double *x, int n) {
  std::vector<std::unique_ptr<Material>> all;
  for (int i = 0; i < n; ++i)
    all.push_back(make(i, x[i]));
  double r = 0;
  for (auto &p : all) {
    p->scale(x[1]);
    r += p->stress(x[0]);
  }
  return r;
}
static double sensors(const double *x, int n) {
  Sensor s;
  for (int i = 0; i < n; ++i) {
    callbacks[i % 2].call(&s, x[i]);
  }
  return s.sum;
}

int main() {
  check_modes<materials>();
  check_modes<sensors>();
  return finish();
}
