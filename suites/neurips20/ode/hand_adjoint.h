// Discrete adjoint of an explicit Runge-Kutta method with n equal steps on x' =
// -a x: the states are kept, the stages are computed again. Of the adaptive
// method it is the adjoint where every interval takes one step.
#pragma once

#include "decay.h"

#include <algorithm>
#include <vector>

namespace RETRO_MODEL {

/// dx(T)/dT. Tableau::stages, a[stage][earlier], b[stage].
template <class Tableau> double derivative_of_final_state(double end, long n) {
  constexpr int s = Tableau::stages;
  const double h = end / n;
  std::vector<double> states(n);
  double x = 1, k[s];
  const auto run_stages = [&](double from) {
    for (int j = 0; j < s; ++j) {
      double stage = from;
      for (int m = 0; m < j; ++m)
        stage += h * Tableau::a[j][m] * k[m];
      k[j] = -rate * stage;
    }
  };
  for (long i = 0; i < n; ++i) {
    states[i] = x;
    run_stages(x);
    for (int j = 0; j < s; ++j)
      x += h * Tableau::b[j] * k[j];
  }
  double xb = 1, hb = 0, kb[s];
  for (long i = n; i > 0;) {
    // All steps add about the same: one by one, rounding would add up, too.
    double part = 0;
    const long stop = std::max(i - 1024, 0L);
    while (i > stop) {
      run_stages(states[--i]);
      for (int j = 0; j < s; ++j) {
        part += Tableau::b[j] * k[j] * xb;
        kb[j] = h * Tableau::b[j] * xb;
      }
      for (int j = s; j-- > 0;) {
        const double stageb = -rate * kb[j];
        xb += stageb;
        for (int m = 0; m < j; ++m) {
          part += Tableau::a[j][m] * k[m] * stageb;
          kb[m] += h * Tableau::a[j][m] * stageb;
        }
      }
    }
    hb += part;
  }
  return hb / n;
}

} // namespace RETRO_MODEL
