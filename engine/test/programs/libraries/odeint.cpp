// HEADER: boost/numeric/odeint.hpp
// LEVELS: O0,O2
// Boost odeint: steppers with fixed and adaptive steps, and observers.
#include <array>
#include <boost/numeric/odeint.hpp>
#include <vector>

#include "slopes.h"

namespace {

namespace ode = boost::numeric::odeint;
using State = std::array<double, 2>;
using Vector = std::vector<double>;

struct VanDerPol {
  double mu;
  void operator()(const Vector &x, Vector &d, double) const {
    d[0] = x[1];
    d[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
  }
};

double fixedSteps(const double *x, int) {
  Vector s{x[0], x[1]};
  ode::integrate_const(ode::runge_kutta4<Vector>(), VanDerPol{x[2]}, s, 0.0,
                       1.0, 0.1);
  return s[0] * s[0] + s[1];
}
double observed(const double *x, int) {
  Vector s{x[0], x[1]};
  std::vector<Vector> states;
  std::vector<double> times;
  ode::integrate_const(ode::runge_kutta4<Vector>(), VanDerPol{x[2]}, s, 0.0,
                       0.5, 0.1, [&](const Vector &y, double t) {
                         states.push_back(y);
                         times.push_back(t);
                       });
  double r = 0;
  for (size_t i = 0; i < states.size(); ++i)
    r += states[i][0] * states[i][1] * times[i];
  return r;
}
double controlled(const double *x, int) {
  State s{x[0], x[1]};
  double w = x[2];
  ode::integrate_adaptive(
      ode::make_controlled(1e-9, 1e-9, ode::runge_kutta_dopri5<State>()),
      [w](const State &y, State &d, double) {
        d[0] = y[1];
        d[1] = -w * w * sin(y[0]);
      },
      s, 0.0, 1.0, 0.01);
  return s[0] + 2 * s[1];
}
double symplectic(const double *x, int) {
  std::pair<State, State> s{{x[0], x[1]}, {x[2], x[3]}};
  ode::symplectic_rkn_sb3a_mclachlan<State> stepper;
  double k = x[1];
  auto force = [k](const State &q, State &dp) {
    double r = sqrt(q[0] * q[0] + q[1] * q[1]);
    for (int i = 0; i < 2; ++i)
      dp[i] = -k * q[i] / (r * r * r);
  };
  for (int i = 0; i < 10; ++i)
    stepper.do_step(force, s, 0.02 * i, 0.02);
  return s.first[0] * s.second[1] + s.first[1];
}

template <double (*F)(const double *, int)> void check(double tolerance) {
  const int n = 4;
  double x[n] = {1.1, 0.9, 1.3, 0.6}, v[n] = {0.3, -0.7, 0.2, 0.5};
  double d[n] = {};
  check_slopes<F, n>(x, d, v, tolerance, 1e-9);
}

} // namespace

int main() {
  check<fixedSteps>(1e-7);
  check<observed>(1e-7);
  // Steps that are chosen are the same on both sides of a difference.
  check<controlled>(1e-6);
  check<symplectic>(1e-7);
  return finish();
}
