// Containers of linked nodes, whose links a library without source arranges.
#include "../check.h"

#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

double listed(const double *x, int n) {
  std::list<double> a, b;
  for (int i = 0; i < n; ++i)
    (i % 2 ? a : b).push_back(x[i] * x[i]);
  a.splice(a.begin(), b);
  a.push_front(x[0] * x[1]);
  a.insert(std::next(a.begin(), 2), 3 * x[2]);
  a.erase(std::next(a.begin()));
  a.reverse();
  std::list<double> c(a), d;
  c.swap(d);
  d.remove_if([](double v) { return v > 100; });
  d.sort();
  a.merge(d);
  double s = 0, k = 1;
  for (double v : a)
    s += k++ * v;
  return s * double(a.size());
}

double mapped(const double *x, int n) {
  std::map<int, double> m;
  for (int i = 0; i < n; ++i)
    m[i * 7 % 5] += x[i] * x[i];
  m.erase(2);
  m.insert({11, x[0] * x[1]});
  m.emplace(-3, std::sin(x[2]));
  double s = 0;
  for (auto &[key, value] : m)
    s += key * value * value;
  for (auto it = m.rbegin(); it != m.rend(); ++it)
    s = s * 0.5 + it->second;
  auto it = m.lower_bound(2);
  std::map<int, double> copy(m);
  copy[3] *= 2;
  return s + it->second * copy[3] + double(m.count(4)) + double(m.size());
}

double hashed(const double *x, int n) {
  std::unordered_map<int, double> m;
  for (int i = 0; i < 20 * n; ++i)
    m[i * 101] = x[i % n] * (i + 1) * 0.1;
  m.erase(101);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += m[i * 101] * x[i];
  for (auto &kv : m)
    s += kv.second * kv.second * 0.01;
  return s;
}

/// The set decides what is read; its elements are no data.
double indexed(const double *x, int n) {
  std::set<int> some;
  std::unordered_set<int> others;
  for (int i = 0; i < n; ++i) {
    some.insert(i * 3 % 4);
    others.insert(i * 5 % 3);
  }
  double s = 0;
  for (int i : some)
    s += x[i] * x[i] * (others.count(i) ? 2 : 1);
  return s;
}

double queued(const double *x, int n) {
  std::deque<double> q;
  for (int i = 0; i < 80 * n; ++i)
    i % 2 ? q.push_back(x[i % n] * i) : q.push_front(x[i % n] + i);
  double s = 0;
  while (q.size() > 5) {
    s += q.front() * q.back() * 1e-4;
    q.pop_front();
    q.pop_back();
  }
  std::forward_list<double> f;
  for (double v : q)
    f.push_front(v * 0.01);
  for (double v : f)
    s = s * 0.9 + v * v;
  return s;
}

struct Body {
  double mass = 0, place = 0;
  int id = 0;
};
double keyed(const double *x, int n) {
  std::map<int, Body> bodies;
  std::multimap<double, Body *> by_place;
  for (int i = 0; i < n; ++i)
    bodies[i * 3 % n] = Body{x[i] * x[i], x[(i + 1) % n], i};
  for (auto &[id, b] : bodies)
    by_place.emplace(b.place, &b);
  double s = 0, w = 1;
  for (auto &[place, b] : by_place)
    s += (w += 0.5) * b->mass * place;
  return s;
}

/// Sorted by the numbers themselves.
double ordered(const double *x, int n) {
  std::set<double> v;
  for (int i = 0; i < n; ++i)
    v.insert(x[i] * x[i]);
  double s = 0, w = 1;
  for (double a : v)
    s += (w *= 1.5) * a;
  return s + *v.begin() * *v.rbegin();
}

template <double (*F)(const double *, int)> void check() {
  double x[5] = {0.8, -1.1, 0.9, 1.3, -0.6}, d[5] = {};
  double v[5] = {1, -0.5, 2, 0.25, 3};
  __enzyme_autodiff_void((void *)F, enzyme_dup, x, d, enzyme_const, 5);
  GRADIENT(F, x, d, 5);
  NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, 5),
       dot(d, v, 5), 1e-12);
}

/// A copied tree is balanced by the colours of its nodes, in the shadow as
/// well.
double copied(const double *x, int n) {
  std::map<int, double> m;
  std::set<double> s(x, x + n);
  for (int i = 0; i < 9; ++i)
    m[i * 5 % 11] = x[i % n] * x[(i + 1) % n];
  auto c = m;
  std::set<double> t(s);
  t.erase(t.begin());
  for (int i = 0; i < 5; ++i) {
    c.erase(c.begin());
    c[20 + i] = x[i % n] * c.begin()->second;
  }
  double sum = 0, k = 1;
  for (auto &[key, v] : c)
    sum += k++ * v;
  for (double v : t)
    sum += k++ * v * v;
  return sum;
}

/// A container of the caller's, with its shadow.
double total(std::list<double> *l, double k) {
  double s = 0;
  for (double &v : *l) {
    s += v * v * k;
    v *= 2;
  }
  l->push_back(s);
  return s * l->front();
}
void callers() {
  std::list<double> l{1.5, -0.5, 2}, d{0, 0, 0};
  __enzyme_autodiff_void((void *)total, enzyme_dup, &l, &d, enzyme_const, 3.);
  // s = 3 (a^2 + b^2 + c^2), f = 2 s a
  const double x[3] = {1.5, -0.5, 2};
  double s = 3 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  auto it = d.begin();
  for (int i = 0; i < 3; ++i, ++it)
    NEAR(*it, 12 * x[i] * x[0] + (i == 0 ? 2 * s : 0), 1e-12);
}

} // namespace

int main() {
  check<listed>();
  check<mapped>();
  check<hashed>();
  check<indexed>();
  check<queued>();
  check<keyed>();
  check<ordered>();
  check<copied>();
  callers();
  return finish();
}
