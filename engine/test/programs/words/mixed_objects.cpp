// NOT-SANITIZED: instrumented code has not the types that the engine needs here
// Objects of several kinds in memory that the engine can not tell apart: what
// each access is, the program's types say. Variables of a thread.
#include "../check.h"

#include <memory>
#include <vector>

namespace {

struct Node {
  double v;
  std::vector<std::shared_ptr<Node>> kids;
  std::weak_ptr<Node> parent;
};
double family(const double *x, int n) {
  auto root = std::make_shared<Node>();
  root->v = x[0];
  for (int i = 1; i < n; ++i) {
    auto k = std::make_shared<Node>();
    k->v = x[i];
    k->parent = root;
    root->kids.push_back(k);
  }
  double s = 0;
  for (auto &k : root->kids)
    if (auto p = k->parent.lock())
      s += k->v * p->v * k->v;
  return s;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual void scale(double) = 0;
};
struct Square : Shape {
  double a;
  explicit Square(double a) : a(a) {}
  double area() const override { return a * a; }
  void scale(double k) override { a *= k; }
};
struct Polygon : Shape {
  std::vector<double> c;
  explicit Polygon(std::vector<double> c) : c(std::move(c)) {}
  double area() const override {
    double s = 0;
    for (size_t i = 0; i < c.size(); ++i)
      s += c[i] * c[(i + 1) % c.size()];
    return s;
  }
  void scale(double k) override {
    for (auto &v : c)
      v *= k;
  }
};
double shapes(const double *x, int n) {
  std::vector<std::shared_ptr<Shape>> v;
  for (int i = 0; i + 2 < n; ++i)
    if (i % 2)
      v.push_back(std::make_shared<Square>(x[i]));
    else
      v.push_back(std::make_shared<Polygon>(
          std::vector<double>{x[i], x[i + 1], x[i + 2]}));
  auto w = v;
  for (auto &s : w)
    s->scale(x[n - 1]);
  double s = 0, k = 1;
  for (auto &p : v)
    s += k++ * p->area();
  return s;
}

thread_local double state[4], total;
double ofThread(const double *x, int n) {
  total = 0;
  for (int i = 0; i < 4; ++i)
    state[i] = x[i];
  for (int s = 0; s < 8; ++s)
    for (int i = 0; i < 4; ++i) {
      state[i] += 0.1 * sin(state[(i + 1) % 4]);
      total += state[i] * x[n - 1];
    }
  return total;
}

template <double (*F)(const double *, int)> void check() {
  const int n = 6;
  double x[n] = {0.8, -1.1, 0.9, 1.3, -0.6, 0.7}, d[n] = {};
  double v[n] = {0.3, 0.2, -0.4, 0.1, 0.5, -0.7};
  __enzyme_autodiff_void((void *)F, enzyme_dup, x, d, enzyme_const, n);
  GRADIENT(F, x, d, n);
  NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, n),
       dot(d, v, n), 1e-9);
}

} // namespace

int main() {
  check<family>();
  check<shapes>();
  check<ofThread>();
  return finish();
}
