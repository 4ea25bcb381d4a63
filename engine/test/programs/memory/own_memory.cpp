// Memory that the differentiated code takes from the heap, in all the ways in
// which it may be kept, handed on and given back: it lives until the reverse
// pass has read it, and is given back once.
#include "../check.h"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

static double total(const Vector &v) {
  double sum = 0;
  for (double e : v)
    sum += e * e;
  return sum;
}

/// Vectors made, returned, assigned and thrown away in each step.
static Vector scaled(const Vector &v, double by) {
  Vector out(v);
  for (double &e : out)
    e *= by;
  return out;
}
static double steps(const double *x, int n) {
  Vector y(x, x + n);
  for (int i = 0; i < 5; ++i) {
    Vector a = scaled(y, x[i % n]), b = scaled(a, 0.5);
    for (int j = 0; j < n; ++j)
      y[j] += 0.1 * a[j] * b[n - 1 - j];
  }
  return total(y);
}

/// Nodes of a list that live for a few steps.
static double window(const double *x, int n) {
  std::list<Vector> last;
  double sum = 0;
  for (int i = 0; i < 3 * n; ++i) {
    last.push_back(Vector(3, x[i % n] * x[0]));
    last.back()[1] *= x[(i + 1) % n];
    if (last.size() > 4)
      last.pop_front();
    for (const Vector &v : last)
      sum += v[0] * v[1];
  }
  return sum;
}

NOINLINE static double *take(int n) {
  return (double *)malloc(sizeof(double) * (size_t)n);
}
NOINLINE static void give(double *p) { free(p); }
/// What one function allocates another one frees, or a function that a pointer
/// leads to.
static void (*volatile release)(double *) = give;
static double helpers(const double *x, int n) {
  double *a = take(n), *b = take(n), *c = (double *)calloc((size_t)n, 8);
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i], b[i] = a[i] + x[0], c[i] += a[i] * b[i];
  double sum = c[0] * c[n - 1] + b[1];
  give(a);
  release(b);
  a = (double *)realloc(c, sizeof(double) * 2 * (size_t)n);
  a[n] = a[0] * a[1];
  sum += a[n];
  free(a);
  return sum;
}

struct Shape {
  virtual ~Shape() {}
  virtual double area() const = 0;
};
struct alignas(64) Wide : Shape {
  double w[4];
  explicit Wide(double x) : w{x, x * x, 2 * x, x} {}
  double area() const override { return w[0] * w[1] + w[3]; }
};
struct Disc : Shape {
  std::shared_ptr<Vector> r;
  explicit Disc(std::shared_ptr<Vector> r) : r(std::move(r)) {}
  double area() const override { return (*r)[0] * (*r)[0]; }
};
/// Objects that their own deleters and counters give back.
static double objects(const double *x, int n) {
  auto shared = std::make_shared<Vector>(x, x + n);
  std::vector<std::unique_ptr<Shape>> all;
  for (int i = 0; i < n; ++i)
    if (i % 2)
      all.push_back(std::make_unique<Wide>(x[i]));
    else
      all.push_back(std::make_unique<Disc>(shared));
  int given = 0;
  std::unique_ptr<double, std::function<void(double *)>> one(
      new double(x[0] * x[1]), [&given](double *p) {
        ++given;
        delete p;
      });
  double sum = *one;
  for (auto &s : all)
    sum += s->area();
  one.reset();
  return sum * given;
}

/// Exceptions that leave frames with memory of their own.
NOINLINE static double risky(const Vector &v, int i) {
  Vector copy = scaled(v, 2);
  if (i % 3 == 1)
    throw std::runtime_error("one");
  return total(copy);
}
static double caught(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Vector v(x, x + n);
    v[0] *= x[i];
    try {
      sum += risky(v, i);
    } catch (const std::exception &e) {
      sum += v[0] * (e.what()[0] == 'o');
    }
  }
  return sum;
}

/// Vectors in their own recursion.
static double fold(Vector v) {
  if (v.size() < 2)
    return v.empty() ? 1 : v[0];
  Vector left(v.begin(), v.begin() + (long)(v.size() / 2)),
      right(v.begin() + (long)(v.size() / 2), v.end());
  return fold(left) * fold(right) + 0.1 * v[0];
}
static double halves(const double *x, int n) { return fold(Vector(x, x + n)); }

/// Names, maps and sorted copies.
static double named(const double *x, int n) {
  std::map<std::string, Vector> by;
  for (int i = 0; i < n; ++i)
    by["a name that is too long for the object " + std::to_string(i % 3)]
        .push_back(x[i] * x[i]);
  double sum = 0;
  for (auto &[name, v] : by) {
    std::sort(v.begin(), v.end(), std::greater<>());
    sum += v[0] * (double)name.size() + total(v);
  }
  return sum;
}

/// Kept beyond the call: in an argument's memory, and in a static variable.
struct Box {
  Vector *inner;
};
static double kept(const double *x, Box *box, int n) {
  static double *table;
  if (!table)
    table = (double *)calloc(8, sizeof(double));
  table[0] = x[0] * x[1];
  Vector fresh(x, x + n);
  fresh[0] *= x[1];
  std::swap(*box->inner, fresh);
  return table[0] * total(*box->inner) + fresh[0];
}

int main() {
  const int n = 7;
  double x[n], v[n], d[n];
  for (int i = 0; i < n; ++i)
    x[i] = 0.4 + 0.07 * ((3 * i) % n), v[i] = 0.3 * i - 0.8;
#define CHECK(f)                                                               \
  for (int again = 0; again < 3; ++again) {                                    \
    memset(d, 0, sizeof d);                                                    \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, n);           \
    double along = 0, want = slope(f, x, v, n);                                \
    for (int i = 0; i < n; ++i)                                                \
      along += d[i] * v[i];                                                    \
    NEAR(along, want, 1e-8);                                                   \
  }
  CHECK(steps)
  CHECK(window)
  CHECK(helpers)
  CHECK(objects)
  CHECK(caught)
  CHECK(halves)
  CHECK(named)
  for (int again = 0; again < 3; ++again) {
    Vector in(n, 0.5), shadow(n);
    Box box{&in}, shadows{&shadow};
    memset(d, 0, sizeof d);
    __enzyme_autodiff((void *)kept, enzyme_dup, x, d, enzyme_dup, &box,
                      &shadows, enzyme_const, n);
    // (x0 x1) (x0^2 x1^2 + x1^2 + ...) + 0.5
    double rest = 0;
    for (int i = 1; i < n; ++i)
      rest += x[i] * x[i];
    double p = x[0] * x[1];
    NEAR(d[0], x[1] * (p * p + rest) + p * 2 * p * x[1], 1e-12);
    NEAR(d[2], p * 2 * x[2], 1e-12);
    NEAR(in[0], p, 1e-15);
    NEAR((double)in.size(), n, 0);
  }
  return finish();
}
