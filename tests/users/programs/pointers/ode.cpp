// flags: -std=c++17
#include "../user.h"
#include <functional>
#include <string>
#include <vector>
// adaptive integrator with callbacks and event handlers
using State = std::vector<double>;
using Rhs = std::function<void(double, const State &, State &)>;
struct Stats {
  int accepted = 0, rejected = 0;
  double hmin = 1e9;
  std::string method;
};
class Integrator {
  Rhs rhs_;
  double tol_;
  std::function<void(double, const State &)> on_step_;
  Stats st_;

public:
  Integrator(Rhs r, double tol) : rhs_(std::move(r)), tol_(tol) {
    st_.method = "bogacki-shampine 3(2), adaptive";
  }
  void on_step(std::function<void(double, const State &)> h) {
    on_step_ = std::move(h);
  }
  const Stats &stats() const { return st_; }
  State run(State y, double t, double tend) {
    double h = 0.1;
    size_t m = y.size();
    State k1(m), k2(m), k3(m), k4(m), u(m), v(m);
    rhs_(t, y, k1);
    while (t < tend - 1e-12) {
      if (t + h > tend)
        h = tend - t;
      for (size_t i = 0; i < m; ++i)
        u[i] = y[i] + 0.5 * h * k1[i];
      rhs_(t + 0.5 * h, u, k2);
      for (size_t i = 0; i < m; ++i)
        u[i] = y[i] + 0.75 * h * k2[i];
      rhs_(t + 0.75 * h, u, k3);
      double err = 0;
      for (size_t i = 0; i < m; ++i)
        v[i] = y[i] + h * (2.0 / 9 * k1[i] + 1.0 / 3 * k2[i] + 4.0 / 9 * k3[i]);
      rhs_(t + h, v, k4);
      for (size_t i = 0; i < m; ++i) {
        double e = h * (-5.0 / 72 * k1[i] + 1.0 / 12 * k2[i] + 1.0 / 9 * k3[i] -
                        0.125 * k4[i]);
        err += e * e;
      }
      err = sqrt(err / m + 1e-20);
      if (err < tol_) {
        t += h;
        y.swap(v);
        k1.swap(k4);
        st_.accepted++;
        if (on_step_)
          on_step_(t, y);
      } else
        st_.rejected++;
      double fac = 0.9 * cbrt(tol_ / err);
      h *= fac > 3 ? 3 : fac < 0.3 ? 0.3 : fac;
    }
    return y;
  }
};
static double f(const double *x, int n) {
  double work = 0;
  State mass(x, x + n);
  Rhs rhs = [&mass, n](double t, const State &y, State &dy) {
    for (int i = 0; i < n; ++i) {
      double left = i ? y[i - 1] : 0, right = i + 1 < n ? y[i + 1] : 0;
      dy[i] = y[n + i];
      dy[n + i] =
          (left - 2 * y[i] + right - 0.1 * y[n + i] + 0.2 * sin(t)) / mass[i];
    }
  };
  Integrator in(rhs, 3e-3);
  in.on_step([&](double t, const State &y) {
    for (int i = 0; i < n; ++i)
      work += 0.01 * y[n + i] * y[n + i] * exp(-t);
  });
  State y(2 * n);
  for (int i = 0; i < n; ++i)
    y[i] = 0.3 * x[i];
  y = in.run(std::move(y), 0.0, 1.0);
  double e = 0;
  for (int i = 0; i < n; ++i)
    e += y[i] * y[i] + 0.5 * mass[i] * y[n + i] * y[n + i];
  return e + work + in.stats().method.size() * 1e-3;
}
DERIVED(f)
