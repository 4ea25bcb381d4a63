// Objects of a class hierarchy, with numbers, owned by std::shared_ptr: where
// they and what counts references are memory of one kind, the counts are
// integers all the same, in each mode and for each operation on them.
#include "../check.h"

#include <memory>
#include <utility>
#include <vector>

struct Joint {
  virtual ~Joint() = default;
  virtual void turn(double q) = 0;
  virtual void settle() = 0;
  virtual double limit(double q) const { return q; }
  virtual std::unique_ptr<Joint> clone() const = 0;
  virtual double place() const = 0;
};

template <class Derived> struct Cloned : Joint {
  std::unique_ptr<Joint> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived &>(*this));
  }
};

struct Hinge : Cloned<Hinge> {
  double low, high, at = 0;
  int turns = 0;
  Hinge(double l, double h) : low(l), high(h) {}
  void turn(double q) override { at += limit(q), ++turns; }
  void settle() override { at *= 0.5 * turns; }
  double limit(double q) const override {
    return q < low ? low : q > high ? high : q;
  }
  double place() const override { return std::sin(at); }
};

struct Slide : Cloned<Slide> {
  double scale, at = 1;
  explicit Slide(double s) : scale(s) {}
  void turn(double q) override { at += scale * q; }
  void settle() override { at = std::sqrt(at); }
  double place() const override { return at; }
};

struct Fixed : Cloned<Fixed> {
  void turn(double) override {}
  void settle() override {}
  double place() const override { return 1; }
};

struct Link {
  std::unique_ptr<Joint> joint;
  double length, tip = 0;
  Link *parent = nullptr;
  std::vector<std::shared_ptr<Link>> children;
  Link(std::unique_ptr<Joint> j, double l) : joint(std::move(j)), length(l) {}
  Link &add(std::unique_ptr<Joint> j, double l) {
    auto child = std::make_shared<Link>(std::move(j), l);
    child->parent = this;
    children.push_back(child);
    return *child;
  }
  void move(double t) {
    joint->turn(t + length);
    joint->settle();
    tip = length * joint->place();
    if (parent)
      tip += parent->tip * joint->limit(t);
    for (auto &child : children)
      child->move(0.5 * t);
  }
  double sum() const {
    double s = tip * tip;
    for (const auto &child : children)
      s += child->sum();
    return s;
  }
};

static double reach(const double *x, int n) {
  auto root = std::make_shared<Link>(std::make_unique<Hinge>(-2, 2), x[0]);
  Link &arm = root->add(std::make_unique<Hinge>(-1, x[5]), x[1]);
  Link &slide = arm.add(std::make_unique<Slide>(x[2] * x[2]), 0.4);
  slide.add(std::make_unique<Fixed>(), x[3]);
  arm.add(slide.joint->clone(), -x[3] * x[4]);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    root->move(0.2 * i + x[4] * x[4]);
    s += root->sum();
  }
  return s;
}

/// Shared, and looked for by who does not own them: what is counted decides
/// what is computed.
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual void grow(double f) = 0;
};

struct Disc : std::enable_shared_from_this<Disc>, Shape {
  double r;
  std::weak_ptr<Shape> other;
  explicit Disc(double a) : r(a) {}
  double area() const override {
    auto o = other.lock();
    return r * r + (o ? 0.1 * o->area() : 0);
  }
  void grow(double f) override { r *= f; }
};

struct Rect : Shape {
  double a, b;
  int used = 0;
  std::shared_ptr<double> scale;
  Rect(double x, double y, std::shared_ptr<double> s)
      : a(x), b(y), scale(std::move(s)) {}
  double area() const override { return a * b * *scale; }
  void grow(double f) override { a *= f, *scale += f, ++used; }
};

struct Group : Shape {
  std::vector<std::shared_ptr<Shape>> parts;
  double bias = 0;
  double area() const override {
    double s = bias;
    for (auto &p : parts)
      s += p->area() * p.use_count();
    return s;
  }
  void grow(double f) override {
    bias += f * f;
    for (auto p : parts)
      p->grow(f);
  }
};

static double grown(const double *x, int n) {
  auto scale = std::make_shared<double>(x[5]);
  auto group = std::make_shared<Group>();
  auto disc = std::make_shared<Disc>(x[0]);
  group->parts.push_back(disc);
  group->parts.push_back(std::make_shared<Rect>(x[1], x[2], scale));
  auto inner = std::make_shared<Group>();
  inner->parts = group->parts;
  inner->parts.push_back(std::make_shared<Rect>(x[3], x[4], scale));
  disc->other = inner->parts[1];
  group->parts.push_back(inner);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    group->grow(1 + 0.1 * x[i]);
    s += group->area();
    if (i == 2)
      group->parts[0] = inner->parts[2];
    if (i == 3)
      inner->parts.pop_back();
  }
  std::shared_ptr<double> radius(disc, &disc->r);
  disc.reset(), group.reset(), inner.reset();
  return s + *radius * *scale;
}

int main() {
  const double x[6] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  check_modes<reach>(x, 1e-7);
  check_modes<grown>(x, 1e-7);
  check_modes<reach>(x, 1e-7);
  return finish();
}
