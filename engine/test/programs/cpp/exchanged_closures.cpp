// Closures of several sizes that take each other's place, and numbers that lie
// where others have pointers: LLVM moves such words in registers, as numbers,
// pointers or integers, whatever they are.
#include "../check.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace {

using Closure = std::function<double(double)>;

/// One that fits into the function, or one that does not.
Closure closure(const double *x, int i) {
  const double a = x[i];
  if (i % 2)
    return [a](double t) { return a * t; };
  return [c = std::array<double, 3>{a, a, a}](double t) {
    return t + 0.1 * c[0] * c[1];
  };
}
double assigned(const double *x, int n) {
  Closure v[8];
  for (int i = 0; i < n; ++i)
    v[i] = closure(x, i);
  v[1] = v[0];
  double s = 0.5;
  for (int i = 0; i < n; ++i)
    s = sin(v[i](s));
  return s;
}
double inserted(const double *x, int n) {
  std::vector<Closure> v;
  for (int i = 0; i < n; ++i)
    v.push_back(closure(x, i));
  v.insert(v.begin(), v.back());
  std::optional<Closure> last = v.back();
  auto shared = std::make_shared<Closure>(v[0]);
  *shared = *last;
  last = v[1];
  double s = 0.4;
  for (auto &c : v)
    s = sin(c(s));
  return (*shared)(s) * (*last)(s);
}

/// Strings beside them, which stay in memory: the closures go through
/// registers.
struct Unit {
  std::string name;
  Closure act;
};
double moved(const double *x, int n) {
  std::vector<Unit> v;
  for (int i = 0; i < n; ++i)
    v.push_back({"unit " + std::string(size_t(i * 3), 'x'), closure(x, i)});
  Unit t = std::move(v[1]);
  v[1] = std::move(v[0]);
  v[0] = std::move(t);
  std::sort(v.begin(), v.end(), [](const Unit &a, const Unit &b) {
    return a.name.size() * 7 % 5 < b.name.size() * 7 % 5;
  });
  double s = 0.3;
  for (auto &u : v)
    s = sin(u.act(s));
  return s;
}
double mapped(const double *x, int n) {
  std::map<std::string, Unit> m;
  for (int i = 0; i < n; ++i)
    m["key" + std::to_string(i % 4)] = {std::string(size_t(i * 2), 'k'),
                                        closure(x, i)};
  std::swap(m["key0"], m["key1"]);
  Unit t = std::move(m["key2"]);
  m["key2"] = m["key0"];
  m["key0"] = std::move(t);
  double s = 0.3;
  for (auto &[key, u] : m)
    if (u.act)
      s = sin(u.act(s));
  return s;
}

/// A callable of the program's own, with a table of what to do.
struct Table {
  double (*call)(const void *, double);
  void (*copy)(void *, const void *);
};
template <class T> struct TableOf {
  static double call(const void *p, double t) { return (*(const T *)p)(t); }
  static void copy(void *to, const void *from) { new (to) T(*(const T *)from); }
  static constexpr Table table{call, copy};
};
struct Own {
  alignas(16) unsigned char room[32];
  const Table *table = nullptr;
  Own() {}
  template <class T> Own(T t) : table(&TableOf<T>::table) { new (room) T(t); }
  Own(const Own &o) : table(o.table) {
    if (table)
      table->copy(room, o.room);
  }
  Own &operator=(const Own &o) {
    table = o.table;
    if (table)
      table->copy(room, o.room);
    return *this;
  }
  double operator()(double t) const { return table->call(room, t); }
};
double own(const double *x, int n) {
  std::vector<Own> v;
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = x[n - 1 - i];
    if (i % 3 == 0)
      v.push_back(Own([a](double t) { return a * t; }));
    else if (i % 3 == 1)
      v.push_back(Own([a, b, i](double t) { return sin(a * t) + b * i; }));
    else
      v.push_back(Own([p = x + i, a](double t) { return t * *p + a; }));
  }
  std::swap(v[0], v[size_t(n) - 1]);
  Own t = v[1];
  v[1] = v[0];
  v[0] = t;
  double s = 0.5;
  for (auto &c : v)
    s += c(0.1 * s);
  return s;
}

/// A number, or where numbers are: in the caller's array, or in a variable.
struct Value {
  char kind;
  union {
    double number;
    const double *place, *constant;
  };
};
double three = 3;
Value number(double x) {
  Value v;
  v.kind = 0, v.number = x;
  return v;
}
Value place(const double *p) {
  Value v;
  v.kind = 1, v.place = p;
  return v;
}
Value constant(const double *p) {
  Value v;
  v.kind = 2, v.constant = p;
  return v;
}
double get(const Value &v) {
  switch (v.kind) {
  case 0:
    return v.number;
  case 1:
    return v.place[0] * v.place[1];
  default:
    return *v.constant;
  }
}
double values(const double *x, int n) {
  Value v[8];
  for (int i = 0; i < n; ++i)
    v[i] = i % 3 == 1 ? constant(&three) : i % 3 == 2 ? place(x) : number(x[i]);
  double s = 0.1;
  for (int i = 0; i < n; ++i)
    s *= get(v[i]);
  return s;
}
double pushed(const double *x, int n) {
  std::vector<Value> v;
  for (int i = 0; i < n; ++i)
    v.push_back(i % 3 == 2 ? place(x) : number(x[i]));
  double s = 0.1;
  for (auto &e : v)
    s *= get(e);
  return s;
}

} // namespace

int main() {
  check_modes<assigned>();
  check_modes<inserted>();
  check_modes<moved>();
  check_modes<mapped>();
  check_modes<own>();
  check_modes<values>();
  check_modes<pushed>();
  return finish();
}
