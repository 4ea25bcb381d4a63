// flags: -std=c++20
// map<string, map<int, vector<pair<double,float>>>>, unordered_map of variants,
// list<variant<monostate, ...>>, multimap, nested moves
#include "../user.h"
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
using Deep =
    std::map<std::string, std::map<int, std::vector<std::pair<double, float>>>>;
using Any = std::variant<std::monostate, double, std::pair<double, std::string>,
                         std::shared_ptr<std::vector<double>>, const double *>;
static double get(const Any &a) {
  if (auto *d = std::get_if<double>(&a))
    return *d;
  if (auto *p = std::get_if<2>(&a))
    return p->first * p->second.size();
  if (auto *v = std::get_if<3>(&a)) {
    double s = 0;
    for (double e : **v)
      s += e * e;
    return s;
  }
  if (auto *q = std::get_if<4>(&a))
    return **q * 0.7;
  return 0;
}
static double f(const double *x, int n) {
  Deep d;
  for (int i = 0; i < 2 * n; ++i)
    d[i % 3 ? "one" : "another, longer key for the map"][i % 4].push_back(
        {x[i % n], 0.5f * (i % 3)});
  Deep e = d;
  e["one"][7] = std::move(d.begin()->second.begin()->second);
  e["three"].swap(d.begin()->second);
  double s = 0;
  for (auto &[k, m] : e)
    for (auto &[i, v] : m)
      for (auto &[a, b] : v) {
        s += a * (b + 0.1) * (i + 1);
        a = s * 0.01;
      }
  std::list<Any> l;
  std::unordered_map<int, Any> u;
  std::multimap<int, Any> mm;
  for (int i = 0; i < n + 5; ++i) {
    Any a;
    switch (i % 5) {
    case 0:
      a = x[i % n] * s * 0.01;
      break;
    case 1:
      a = std::pair<double, std::string>(x[i % n], "abc");
      break;
    case 2:
      a = std::make_shared<std::vector<double>>(2, x[i % n]);
      break;
    case 3:
      a = x + i % n;
      break;
    }
    if (i % 2)
      l.push_back(a);
    else
      l.push_front(a);
    u[(i * 3) % 4].swap(a);
    mm.emplace(i % 2, std::move(a));
    if (auto *v = std::get_if<3>(&l.front()))
      (*v)->push_back(x[0]);
    std::swap(l.front(), l.back());
    for (auto &e : l)
      s += get(e) * 0.03;
    for (int k = 0; k < 4; ++k)
      if (auto it = u.find(k); it != u.end())
        s += get(it->second) * 0.1 * (k + 1);
  }
  for (auto &[k, a] : mm)
    s = 0.95 * s + get(a) * (k + 1);
  for (auto &[k, m] : d)
    for (auto &[i, v] : m)
      if (!v.empty())
        s += v.back().first;
  return s;
}
#include <memory>
DERIVED(f)
