// flags: -std=c++20
// deque as a rolling window, list with splice / sort / merge / remove_if, deque
// of lists
#include "../user.h"
#include <deque>
#include <list>
#include <numeric>
static double moving(const double *x, int n, int w) {
  std::deque<double> win;
  double sum = 0, out = 0;
  for (int i = 0; i < 3 * n; ++i) {
    win.push_back(x[i % n] * (1 + 0.01 * i));
    sum += win.back();
    if ((int)win.size() > w) {
      sum -= win.front();
      win.pop_front();
    }
    double m = sum / win.size(), v = 0;
    for (double e : win)
      v += (e - m) * (e - m);
    out += sqrt(v + 1);
    if (i % 4 == 3)
      win.push_front(m), sum += m;
  }
  return out;
}
static double lists(const double *x, int n) {
  std::list<double> a, b;
  for (int i = 0; i < n; ++i)
    (i % 2 ? a : b).push_front(x[i] * x[i] + 0.05 * i);
  a.push_back(3 * x[0]);
  a.sort();
  b.sort([](double p, double q) { return p < q; });
  std::list<double> c = a;
  a.merge(b);
  c.splice(std::next(c.begin()), a, a.begin());
  c.remove_if([](double v) { return v < 0.2; });
  double s = 0, k = 1;
  for (auto it = c.begin(); it != c.end(); ++it)
    s += (k += 0.5) * *it;
  for (auto it = a.begin(); it != a.end();) {
    s += cos(*it) * k;
    if (*it > 1)
      it = a.erase(it);
    else {
      *it *= 1.5;
      ++it;
    }
  }
  return s + std::accumulate(a.begin(), a.end(), 0.0);
}
static double f(const double *x, int n) {
  std::deque<std::list<double>> d;
  for (int i = 0; i < n; ++i) {
    if (d.empty() || d.back().size() == 3)
      d.emplace_back();
    d.back().push_back(x[i]);
    if (d.size() > 4)
      d.pop_front();
  }
  d.front().splice(d.front().end(), d.back());
  double s = 0;
  for (auto &l : d) {
    double p = 1;
    for (double e : l)
      p *= e;
    s += p;
  }
  return s + moving(x, n, 5) + lists(x, n);
}
DERIVED(f)
