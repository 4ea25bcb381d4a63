// Objects that std::shared_ptr takes over: where it could not make its counts,
// it deletes them by their own table, at whatever place the destructor stands
// there, and that table is none of the counts' own.
#include "../check.h"

#include <memory>
#include <vector>

/// Its destructors stand behind all that the counts' tables have.
struct Curve {
  virtual double at(double t) const = 0;
  virtual double slope() const { return 1; }
  virtual double bend() const { return 2; }
  virtual void scale(double) {}
  virtual Curve *copy() const = 0;
  virtual ~Curve() = default;
};

struct Line : Curve {
  double a, b;
  Line(double s, double c) : a(s), b(c) {}
  double at(double t) const override { return a * t + b * slope(); }
  void scale(double f) override { a *= f * f; }
  Curve *copy() const override { return new Line(*this); }
};

struct Table : Curve {
  std::vector<double> y;
  explicit Table(const double *x) : y(x, x + 3) {}
  ~Table() override { y.clear(); }
  double at(double t) const override {
    return y[0] + t * (y[1] + t * y[2] * bend());
  }
  double bend() const override { return y[0]; }
  void scale(double f) override {
    for (double &v : y)
      v *= f;
  }
  Curve *copy() const override { return new Table(*this); }
};

static Curve *make(const double *x, int kind) {
  if (kind % 2)
    return new Line(x[0], x[1]);
  return new Table(x);
}

static double taken_over(const double *x, int n) {
  std::vector<std::shared_ptr<Curve>> all;
  std::shared_ptr<Curve> last(new Line(x[3], x[4]));
  for (int i = 0; i < n; ++i) {
    all.push_back(std::shared_ptr<Curve>(make(x + i % 3, i)));
    all.emplace_back(all.back()->copy());
    all.back()->scale(x[5]);
    last.reset(all[i % 3 % all.size()]->copy(), [](Curve *c) {
      c->scale(0);
      delete c;
    });
  }
  std::unique_ptr<Curve> other(new Table(x + 2));
  std::shared_ptr<const Curve> shared = std::move(other);
  double s = shared->at(x[0]) * last->at(x[1]);
  for (int i = 0; i < int(all.size()); ++i)
    s += all[i]->at(0.3 * i) * (i + 1);
  return s;
}

int main() {
  const double x[6] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  check_modes<taken_over>(x, 1e-7);
  check_modes<taken_over>(x, 1e-7);
  return finish();
}
