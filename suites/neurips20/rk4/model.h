// Runge-Kutta methods on x' = -a x: specification section 8. The classical
// method, and the adaptive pair of Dormand and Prince run over n intervals.
#pragma once

#include "neurips20/ode/decay.h"
#include "neurips20/ode/integrator.h"

#include <algorithm>

namespace RETRO_MODEL {

// Each returns x(end) after n steps or intervals.

double classic_generic(double end, long n) {
  ClassicStepper<State> stepper;
  Decay system;
  State x{1.0};
  integrate_n_steps(stepper, system, x, end / n, n);
  return x[0];
}

double classic_loop(double end, long n) {
  const double h = end / n;
  double x[1] = {1.0}, stage[1], k1[1], k2[1], k3[1], k4[1];
  for (long i = 0; i < n; ++i) {
    const double t = i * h;
    decay(x, k1, t);
    stage[0] = x[0] + h / 2 * k1[0];
    decay(stage, k2, t + h / 2);
    stage[0] = x[0] + h / 2 * k2[0];
    decay(stage, k3, t + h / 2);
    stage[0] = x[0] + h * k3[0];
    decay(stage, k4, t + h);
    x[0] += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
  }
  return x[0];
}

double dopri5_generic(double end, long n) {
  const double h = end / n;
  ControlledStepper<State> stepper(h);
  Decay system;
  State x{1.0};
  integrate_n_intervals(stepper, system, x, h, n);
  return x[0];
}

double dopri5_loop(double end, long n) {
  const double h = end / n;
  double trial = h;
  double x[1] = {1.0}, s[1], k1[1], k2[1], k3[1], k4[1], k5[1], k6[1], k7[1];
  for (long i = 0; i < n; ++i) {
    double t = i * h;
    const double stop = i * h + h;
    decay(x, k1, t);
    while (stop - t > std::numeric_limits<double>::epsilon()) {
      if (t + trial > stop)
        trial = stop - t;
      const double d = trial;
      s[0] = x[0] + d * (1.0 / 5 * k1[0]);
      decay(s, k2, t + d / 5);
      s[0] = x[0] + d * (3.0 / 40 * k1[0] + 9.0 / 40 * k2[0]);
      decay(s, k3, t + d * 3 / 10);
      s[0] =
          x[0] + d * (44.0 / 45 * k1[0] - 56.0 / 15 * k2[0] + 32.0 / 9 * k3[0]);
      decay(s, k4, t + d * 4 / 5);
      s[0] = x[0] + d * (19372.0 / 6561 * k1[0] - 25360.0 / 2187 * k2[0] +
                         64448.0 / 6561 * k3[0] - 212.0 / 729 * k4[0]);
      decay(s, k5, t + d * 8 / 9);
      s[0] = x[0] + d * (9017.0 / 3168 * k1[0] - 355.0 / 33 * k2[0] +
                         46732.0 / 5247 * k3[0] + 49.0 / 176 * k4[0] -
                         5103.0 / 18656 * k5[0]);
      decay(s, k6, t + d);
      s[0] = x[0] + d * (35.0 / 384 * k1[0] + 500.0 / 1113 * k3[0] +
                         125.0 / 192 * k4[0] - 2187.0 / 6784 * k5[0] +
                         11.0 / 84 * k6[0]);
      decay(s, k7, t + d);
      const double difference =
          d * ((35.0 / 384 - 5179.0 / 57600) * k1[0] +
               (500.0 / 1113 - 7571.0 / 16695) * k3[0] +
               (125.0 / 192 - 393.0 / 640) * k4[0] +
               (-2187.0 / 6784 + 92097.0 / 339200) * k5[0] +
               (11.0 / 84 - 187.0 / 2100) * k6[0] - 1.0 / 40 * k7[0]);
      const double error =
          std::fabs(difference) /
          (1e-6 + 1e-6 * (std::fabs(x[0]) + std::fabs(d) * std::fabs(k1[0])));
      if (error > 1) {
        trial *= std::max(0.9 * std::pow(error, -1.0 / 3), 0.2);
        continue;
      }
      if (error < 0.5)
        trial *= 0.9 * std::pow(std::max(error, 1.0 / 3125), -1.0 / 5);
      t += d;
      x[0] = s[0];
      k1[0] = k7[0];
    }
  }
  return x[0];
}

} // namespace RETRO_MODEL
