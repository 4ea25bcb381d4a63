// flags: -std=c++20
// An entity-component store: type-erased columns in std::any / void*,
// string-keyed reflection with offsets, a scene of variant values, undo log by
// std::function.
#include "../user.h"
#include <any>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
using Property = std::variant<std::monostate, bool, int, double, std::string,
                              std::vector<double>>;
struct Transform {
  double x, y, angle;
};
struct Motion {
  double vx, vy;
  float drag;
  int steps;
};
struct Tagged {
  std::string label;
  double weight;
};
struct Column {
  size_t size;
  std::vector<unsigned char> bytes;
  std::vector<int> owner;
};
class Store {
  std::unordered_map<std::type_index, std::any> columns_;
  std::map<std::string, Property> globals_;

public:
  std::vector<std::function<void()>> undo;
  template <class T> std::vector<std::pair<int, T>> &column() {
    auto &a = columns_[typeid(T)];
    if (!a.has_value())
      a = std::vector<std::pair<int, T>>();
    return *std::any_cast<std::vector<std::pair<int, T>>>(&a);
  }
  template <class T> T *get(int e) {
    for (auto &[id, t] : column<T>())
      if (id == e)
        return &t;
    return nullptr;
  }
  template <class T> void set(int e, T t) {
    if (T *p = get<T>(e)) {
      T old = *p;
      undo.push_back([this, e, old] { *get<T>(e) = old; });
      *p = std::move(t);
    } else
      column<T>().emplace_back(e, std::move(t));
  }
  Property &global(const std::string &k) { return globals_[k]; }
  template <class A, class B, class F> void each(F f) {
    for (auto &[id, a] : column<A>())
      if (B *b = get<B>(id))
        f(id, a, *b);
  }
};
struct Field {
  const char *name;
  size_t offset;
};
static const Field transform_fields[] = {{"x", offsetof(Transform, x)},
                                         {"y", offsetof(Transform, y)},
                                         {"angle", offsetof(Transform, angle)}};
static double &field(Transform &t, const std::string &n) {
  for (auto &f : transform_fields)
    if (n == f.name)
      return *reinterpret_cast<double *>(reinterpret_cast<char *>(&t) +
                                         f.offset);
  return t.x;
}
static double number(const Property &p) {
  struct {
    double operator()(std::monostate) const { return 0; }
    double operator()(bool b) const { return b; }
    double operator()(int i) const { return i; }
    double operator()(double d) const { return d; }
    double operator()(const std::string &s) const { return 0.1 * s.size(); }
    double operator()(const std::vector<double> &v) const {
      double s = 0;
      for (double d : v)
        s += d;
      return s;
    }
  } vis;
  return std::visit(vis, p);
}
static double f(const double *x, int n) {
  Store st;
  for (int e = 0; e < 6; e++) {
    st.set(e, Transform{x[e % n], 0.1 * e, x[(e + 1) % n] * 0.2});
    if (e % 2)
      st.set(e, Motion{x[0], x[1] * e, 0.25f, e});
    if (e % 3 == 0)
      st.set(e, Tagged{std::string(5 + 10 * e, 'q'), std::exp(x[2 % n])});
  }
  st.global("gravity") = 0.1 * x[n - 1];
  st.global("substeps") = 3;
  st.global("title") = std::string("a scene of some entities, with a title");
  st.global("wind") = std::vector<double>{x[0] * x[0], 0.3, x[1]};
  st.global("paused") = false;
  for (int k = 0; k < (int)number(st.global("substeps")); k++)
    st.each<Transform, Motion>([&](int id, Transform &t, Motion &m) {
      for (int i = 0; i < m.steps; i++) {
        t.x += 0.1 * m.vx * std::cos(t.angle);
        t.y += 0.1 * m.vy - number(st.global("gravity")) +
               0.01 * number(st.global("wind"));
      }
      m.vx *= 1 - m.drag * 0.1 * std::fabs(m.vx);
      if (id == 3)
        st.global("gravity") = number(st.global("gravity")) * 1.1;
    });
  st.set(1, Transform{1, 2, x[0]});
  st.set(2, Transform{x[1], 2, 3});
  double mid = st.get<Transform>(2)->x * number(st.global("title"));
  st.undo.back()();
  for (auto &f : transform_fields)
    field(*st.get<Transform>(4), f.name) *= 1 + 0.1 * x[0];
  double s = mid;
  for (auto &[id, t] : st.column<Transform>())
    s += t.x * t.x + t.y * (1 + id) + std::sin(t.angle);
  for (auto &[id, t] : st.column<Tagged>())
    s += t.weight * t.label.size() * 0.01;
  for (auto &[id, m] : st.column<Motion>())
    s += m.vx * m.vy;
  return s;
}
DERIVED(f)
