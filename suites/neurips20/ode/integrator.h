// Explicit integrators as a template library: state, algebra and operations are
// types, steps are built from function objects. The layers are what makes these
// programs hard on a differentiation tool.
#pragma once

#include "common/kernel.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace RETRO_MODEL {

/// Applies an operation to the corresponding entries of states.
struct ElementwiseAlgebra {
  template <class Operation, class Out, class... In>
  static void for_each(Operation operation, Out &out, const In &...in) {
    for (std::size_t i = 0; i < out.size(); ++i)
      operation(out[i], in[i]...);
  }

  /// The largest |entry|.
  template <class State> static double maximum_norm(const State &state) {
    double largest = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const double size = std::fabs(state[i]);
      largest = size > largest ? size : largest;
    }
    return largest;
  }
};

struct LinearOperations {
  /// out = sum_i weight_i in_i.
  template <std::size_t Count> struct WeightedSum {
    std::array<double, Count> weights;

    template <class... In> void operator()(double &out, const In &...in) const {
      std::size_t i = 0;
      double sum = 0;
      ((sum += weights[i++] * in), ...);
      out = sum;
    }
  };

  /// error / (absolute + relative (|x| + |step| |x'|))
  struct RelativeError {
    double absolute, relative, step;

    void operator()(double &error, const double &x, const double &slope) const {
      error /= absolute +
               relative * (std::fabs(x) + std::fabs(step) * std::fabs(slope));
    }
  };

  template <class... Weight>
  static WeightedSum<sizeof...(Weight)> weighted(Weight... weights) {
    return {{weights...}};
  }
};

template <class State, class Algebra = ElementwiseAlgebra,
          class Operations = LinearOperations>
class EulerStepper {
public:
  template <class System>
  void do_step(System &system, State &x, double t, double h) {
    system(x, slope, t);
    Algebra::for_each(Operations::weighted(1.0, h), x, x, slope);
  }

private:
  State slope;
};

/// The classical four-stage method of order four.
template <class State, class Algebra = ElementwiseAlgebra,
          class Operations = LinearOperations>
class ClassicStepper {
public:
  template <class System>
  void do_step(System &system, State &x, double t, double h) {
    system(x, k1, t);
    Algebra::for_each(Operations::weighted(1.0, h / 2), stage, x, k1);
    system(stage, k2, t + h / 2);
    Algebra::for_each(Operations::weighted(1.0, h / 2), stage, x, k2);
    system(stage, k3, t + h / 2);
    Algebra::for_each(Operations::weighted(1.0, h), stage, x, k3);
    system(stage, k4, t + h);
    Algebra::for_each(Operations::weighted(1.0, h / 6, h / 3, h / 3, h / 6), x,
                      x, k1, k2, k3, k4);
  }

private:
  State stage, k1, k2, k3, k4;
};

/// One step of the pair of Dormand and Prince, orders 5 and 4.
template <class State, class Algebra = ElementwiseAlgebra,
          class Operations = LinearOperations>
class DormandPrinceStepper {
public:
  /// From x with slope k1 at t: out is x(t + h), slope_out its slope, error the
  /// estimated error of out.
  template <class System>
  void do_step(System &system, const State &x, const State &k1, double t,
               double h, State &out, State &slope_out, State &error) {
    using O = Operations;
    Algebra::for_each(O::weighted(1.0, h * (1.0 / 5)), stage, x, k1);
    system(stage, k2, t + h * (1.0 / 5));
    Algebra::for_each(O::weighted(1.0, h * (3.0 / 40), h * (9.0 / 40)), stage,
                      x, k1, k2);
    system(stage, k3, t + h * (3.0 / 10));
    Algebra::for_each(
        O::weighted(1.0, h * (44.0 / 45), h * (-56.0 / 15), h * (32.0 / 9)),
        stage, x, k1, k2, k3);
    system(stage, k4, t + h * (4.0 / 5));
    Algebra::for_each(O::weighted(1.0, h * (19372.0 / 6561),
                                  h * (-25360.0 / 2187), h * (64448.0 / 6561),
                                  h * (-212.0 / 729)),
                      stage, x, k1, k2, k3, k4);
    system(stage, k5, t + h * (8.0 / 9));
    Algebra::for_each(O::weighted(1.0, h * (9017.0 / 3168), h * (-355.0 / 33),
                                  h * (46732.0 / 5247), h * (49.0 / 176),
                                  h * (-5103.0 / 18656)),
                      stage, x, k1, k2, k3, k4, k5);
    system(stage, k6, t + h);
    Algebra::for_each(O::weighted(1.0, h * (35.0 / 384), h * (500.0 / 1113),
                                  h * (125.0 / 192), h * (-2187.0 / 6784),
                                  h * (11.0 / 84)),
                      out, x, k1, k3, k4, k5, k6);
    system(out, slope_out, t + h);
    Algebra::for_each(O::weighted(h * (35.0 / 384 - 5179.0 / 57600),
                                  h * (500.0 / 1113 - 7571.0 / 16695),
                                  h * (125.0 / 192 - 393.0 / 640),
                                  h * (-2187.0 / 6784 + 92097.0 / 339200),
                                  h * (11.0 / 84 - 187.0 / 2100),
                                  h * (-1.0 / 40)),
                      error, k1, k3, k4, k5, k6, slope_out);
  }

private:
  State stage, k2, k3, k4, k5, k6;
};

/// Chooses the step so that the error of DormandPrinceStepper stays below the
/// tolerances; the trial step is remembered.
template <class State, class Algebra = ElementwiseAlgebra,
          class Operations = LinearOperations>
class ControlledStepper {
public:
  explicit ControlledStepper(double trial) : trial(trial) {}

  /// Integrates x from t to end.
  template <class System>
  void integrate(System &system, State &x, double t, double end) {
    constexpr double smallest = std::numeric_limits<double>::epsilon();
    system(x, slope, t);
    while (end - t > smallest) {
      if (t + trial > end)
        trial = end - t;
      stepper.do_step(system, x, slope, t, trial, next, next_slope, error);
      if (!adapt(x))
        continue;
      t += taken;
      x = next;
      slope = next_slope;
    }
  }

private:
  /// Judges the step just tried, sets the next trial; returns whether it is
  /// accepted.
  bool adapt(const State &x) {
    Algebra::for_each(typename Operations::RelativeError{1e-6, 1e-6, trial},
                      error, x, slope);
    const double size = Algebra::maximum_norm(error);
    taken = trial;
    if (size > 1) {
      const double factor = 0.9 * std::pow(size, -1.0 / 3);
      trial *= factor > 0.2 ? factor : 0.2;
      return false;
    }
    if (size < 0.5) {
      constexpr double least = 1.0 / 3125; // 5^-5: grows by 4.5 at most
      trial *= 0.9 * std::pow(size > least ? size : least, -1.0 / 5);
    }
    return true;
  }

  DormandPrinceStepper<State, Algebra, Operations> stepper;
  State slope, next, next_slope, error;
  double trial, taken = 0;
};

/// n steps of length h from time 0, counted with an integer.
template <class Stepper, class System, class State>
void integrate_n_steps(Stepper &stepper, System &system, State &x, double h,
                       long n) {
  for (long i = 0; i < n; ++i)
    stepper.do_step(system, x, i * h, h);
}

/// n intervals of length h from time 0, each integrated with error control.
template <class Stepper, class System, class State>
void integrate_n_intervals(Stepper &stepper, System &system, State &x, double h,
                           long n) {
  for (long i = 0; i < n; ++i)
    stepper.integrate(system, x, i * h, i * h + h);
}

} // namespace RETRO_MODEL
