// flags: -std=c++20
// adaptive RK45 (Bogacki-Shampine) with std::function right side, events, dense
// output kept in a vector of structs
#include "../user.h"
#include <algorithm>
#include <functional>
#include <vector>
using State = std::vector<double>;
using Rhs = std::function<void(double, const State &, State &)>;
struct Step {
  double t, h;
  State y;
};
static std::vector<Step> integrate(const Rhs &f, State y, double t, double t1,
                                   double tol) {
  std::vector<Step> out;
  double h = 0.05;
  int m = y.size();
  State k1(m), k2(m), k3(m), k4(m), z(m), w(m);
  out.push_back({t, 0, y});
  f(t, y, k1);
  int guard = 0;
  while (t < t1 - 1e-12 && ++guard < 400) {
    h = t + h > t1 ? t1 - t : h;
    for (int i = 0; i < m; ++i)
      z[i] = y[i] + h / 2 * k1[i];
    f(t + h / 2, z, k2);
    for (int i = 0; i < m; ++i)
      z[i] = y[i] + 0.75 * h * k2[i];
    f(t + 0.75 * h, z, k3);
    for (int i = 0; i < m; ++i)
      w[i] = y[i] + h * (2 * k1[i] + 3 * k2[i] + 4 * k3[i]) / 9;
    f(t + h, w, k4);
    double err = 0;
    for (int i = 0; i < m; ++i) {
      double e = h * (-5 * k1[i] / 72 + k2[i] / 12 + k3[i] / 9 - k4[i] / 8);
      err += e * e;
    }
    err = sqrt(err) / tol;
    if (err <= 1) {
      t += h;
      y = w;
      std::swap(k1, k4);
      out.push_back({t, h, y});
      h *= 1.5;
    } else
      h *= 0.5;
  }
  return out;
}
static double f(const double *x, int n) {
  State y0(x, x + n);
  double mu = x[0];
  std::vector<double> rate(n);
  for (int i = 0; i < n; ++i)
    rate[i] = 0.3 + 0.1 * x[(i * 2) % n];
  int calls = 0;
  Rhs rhs = [&calls, mu, rate, n](double t, const State &y, State &d) {
    ++calls;
    for (int i = 0; i < n; ++i)
      d[i] = -rate[i] * y[i] +
             0.5 * sin(mu * t) * y[(i + 1) % n] / (1 + y[i] * y[i]);
  };
  auto traj = integrate(rhs, y0, 0, 1.0, 1e-3);
  double s = 0;
  for (auto &p : traj)
    for (double e : p.y)
      s += p.h * e * e;
  rhs = [old = std::move(rhs)](double t, const State &y, State &d) {
    old(t, y, d);
    for (auto &e : d)
      e *= 0.5;
  };
  auto second = integrate(rhs, traj.back().y, 0, 0.5, 1e-3);
  for (double e : second.back().y)
    s += e;
  return s;
}
DERIVED(f)
