// flags: -std=c++20
// map<string, variant<bool,int,double,string,vector<double>>> as configuration,
// merged, defaulted, interpolated, dispatched by name
#include "../user.h"
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
using Val = std::variant<bool, int, double, std::string, std::vector<double>>;
class Config {
  std::map<std::string, Val> m;

public:
  Config &set(const std::string &k, Val v) {
    m.insert_or_assign(k, std::move(v));
    return *this;
  }
  template <class T> std::optional<T> get(const std::string &k) const {
    auto it = m.find(k);
    if (it == m.end())
      return std::nullopt;
    if (auto *p = std::get_if<T>(&it->second))
      return *p;
    return std::nullopt;
  }
  double number(const std::string &k, double d) const {
    auto it = m.find(k);
    if (it == m.end())
      return d;
    if (auto *p = std::get_if<double>(&it->second))
      return *p;
    if (auto *p = std::get_if<int>(&it->second))
      return *p;
    throw std::runtime_error("not a number: " + k);
  }
  void merge(const Config &o) {
    for (auto &[k, v] : o.m)
      m[k] = v;
  }
  void scale(double f) {
    for (auto &[k, v] : m)
      if (auto *p = std::get_if<double>(&v))
        *p *= f;
      else if (auto *q = std::get_if<std::vector<double>>(&v))
        for (double &e : *q)
          e *= f;
  }
  size_t size() const { return m.size(); }
};
static double model(const Config &c, double t) {
  static const std::map<std::string,
                        std::function<double(const Config &, double)>>
      kinds = {{"linear",
                [](const Config &c, double t) {
                  return c.number("slope", 1) * t + c.number("offset", 0);
                }},
               {"table",
                [](const Config &c, double t) {
                  auto v = c.get<std::vector<double>>("values").value();
                  double p = t * (v.size() - 1);
                  int i = (int)p;
                  if (i + 1 >= (int)v.size())
                    return v.back() + 0.1 * t;
                  return v[i] * (1 - p + i) + v[i + 1] * (p - i);
                }},
               {"osc", [](const Config &c, double t) {
                  return c.number("amp", 1) * sin(c.number("freq", 2) * t);
                }}};
  return kinds.at(c.get<std::string>("kind").value_or("osc"))(c, t);
}
static double f(const double *x, int n) {
  Config base, over;
  base.set("kind", std::string("linear"))
      .set("slope", x[0])
      .set("offset", 2)
      .set("values", std::vector<double>(x, x + n))
      .set("fast", true);
  double s = 0;
  for (int i = 0; i < n + 3; ++i) {
    Config c = base;
    if (i % 3 == 0)
      c.set("kind", std::string("table"));
    else if (i % 3 == 1)
      c.set("kind", std::string("osc"))
          .set("amp", x[i % n])
          .set("freq", i % 2 ? Val(3) : Val(x[n - 1]));
    if (i % 4 == 3)
      c.set("offset", x[i % n])
          .set("slope", std::vector<double>{x[0]})
          .set("slope", x[0] * x[0]);
    over.set("offset", x[(i * 2) % n]);
    if (i % 2)
      c.merge(over);
    c.scale(1 + 0.01 * i);
    s += model(c, 0.31 + 0.04 * i) * (i + 1) + 0.01 * c.size();
    std::swap(i % 2 ? base : c, i % 2 ? base : c);
    if (i == 2)
      base = std::move(c),
      base.set("kind", std::string("linear")).set("slope", x[0]);
  }
  return s;
}
DERIVED(f)
