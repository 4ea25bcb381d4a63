// Euler's method on x' = -a x: specification section 8.
#pragma once

#include "neurips20/ode/decay.h"
#include "neurips20/ode/integrator.h"

namespace RETRO_MODEL {

/// x(end) after n steps, by the template library.
double euler_generic(double end, long n) {
  EulerStepper<State> stepper;
  Decay system;
  State x{1.0};
  integrate_n_steps(stepper, system, x, end / n, n);
  return x[0];
}

/// x(end) after n steps, as a plain loop.
double euler_loop(double end, long n) {
  const double h = end / n;
  double x[1] = {1.0}, slope[1];
  for (long i = 0; i < n; ++i) {
    decay(x, slope, i * h);
    x[0] += h * slope[0];
  }
  return x[0];
}

} // namespace RETRO_MODEL
