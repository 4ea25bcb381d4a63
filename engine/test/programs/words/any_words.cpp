// Words that are doubles, two floats, integers or pointers, which only the
// running program knows: tagged unions that are sorted, moved in arrays and
// taken for something else later, closures with floats beside pointers that are
// swapped, records whose parts LLVM moves one by one.
#include "../check.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <utility>
#include <vector>

MARKERS(enzyme_width);

namespace {

struct Value {
  enum Kind { Double, Floats, Integer, Place } kind;
  union {
    double d;
    float f[2];
    long i;
    const double *p;
  };
  explicit Value(double v) : kind(Double), d(v) {}
  Value(float a, float b) : kind(Floats), f{a, b} {}
  explicit Value(long v) : kind(Integer), i(v) {}
  explicit Value(const double *v) : kind(Place), p(v) {}
  double get() const {
    switch (kind) {
    case Double:
      return d;
    case Floats:
      return double(f[0]) * f[1];
    case Integer:
      return double(i);
    default:
      return *p;
    }
  }
};

/// All kinds in a vector that grows, is sorted by kind, and copied backwards.
double sorted(const double *x, int n) {
  std::vector<Value> all;
  for (int i = 0; i < n; ++i) {
    all.emplace_back(x[i] * x[(i + 1) % n]);
    all.emplace_back(float(x[i]), float(x[(i + 2) % n]));
    all.emplace_back(long(i));
    all.emplace_back(x + i);
  }
  std::sort(all.begin(), all.end(),
            [](const Value &a, const Value &b) { return a.kind < b.kind; });
  std::vector<Value> copy = all;
  std::reverse(copy.begin(), copy.end());
  double s = 0;
  int k = 0;
  for (const Value &v : copy)
    s += v.get() * (1 + 0.1 * k++);
  return s;
}

NOINLINE void put(Value *v, int kind, const double *x, const double *y) {
  switch (v->kind = Value::Kind(kind)) {
  case Value::Double:
    v->d = *x * *y;
    break;
  case Value::Floats:
    v->f[0] = float(*x), v->f[1] = float(*y);
    break;
  case Value::Integer:
    v->i = 3;
    break;
  default:
    v->p = x;
  }
}

/// One place for floats, then for a pointer, a double and so on, each of which
/// is copied away before.
double inTurns(const double *x, int n) {
  std::vector<Value> place(2, Value(0L)), kept(8, Value(0L));
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      const int k = (i + round) % n;
      put(&place[size_t(i % 2)], (i + round) % 4, x + k, x + (k + 1) % n);
      std::copy(place.begin(), place.end(), kept.begin() + 2 * i);
    }
    std::rotate(kept.begin(), kept.begin() + 3, kept.end());
    for (size_t i = 0; i < kept.size(); ++i)
      s += kept[i].get() * double(i + 1) * (1 + s * 0.01);
  }
  return s;
}

/// Closures with doubles, floats and places, swapped and wrapped in each other.
double closures(const double *x, int n) {
  std::map<int, std::vector<std::function<double(double)>>> on;
  double a = x[0] * x[1], b = x[2];
  const float c = float(x[n - 1]);
  std::vector<double> table{x[0], x[1], x[2] * x[3]};
  on[0].push_back([a](double t) { return a * t; });
  on[0].push_back([a, b, c](double t) { return a + b * t + c * t * t; });
  on[1].push_back([table](double t) {
    double s = 0;
    for (double v : table)
      s = s * t + v;
    return s;
  });
  on[1].push_back([&b](double t) { return b / (1 + t * t); });
  std::function<double(double)> f = [](double t) { return t; };
  for (auto &[k, list] : on)
    for (auto &g : list) {
      f.swap(g);
      const double r = f(0.3 + k);
      f = [h = f, r](double t) { return h(t) * r; };
    }
  double s = f(0.5);
  for (auto &g : on[1])
    s += g(0.7);
  return s;
}

} // namespace

int main() {
  // Floats are rounded.
  const double x[6] = {0.5, 0.75, 1.25, 0.375, 0.875, 1.5};
  check_modes<sorted>(x, 2e-3);
  check_modes<inTurns>(x, 2e-3);
#ifdef __OPTIMIZE__ // else a word is moved as a pointer: refused
  check_modes<closures>(x, 2e-3);
#endif
  double g[6] = {}, lanes[2][6] = {};
  __enzyme_autodiff((void *)sorted, enzyme_dup, x, g, enzyme_const, 6);
  __enzyme_autodiff((void *)sorted, enzyme_width, 2, enzyme_dup, x, lanes[0],
                    lanes[1], enzyme_const, 6);
  for (int i = 0; i < 12; ++i)
    NEAR(lanes[i / 6][i % 6], g[i % 6], 1e-6);
  return finish();
}
