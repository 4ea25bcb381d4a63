// A path is kept while it is needed; one that pays nothing has no adjoint.
#include "model.h"

#include <vector>

namespace RETRO_MODEL {

RETRO_KERNEL_HAND(heston) {
  const int paths = n, steps = m;
  std::uint64_t state = 1;
  const double dt = 1.0 / steps, root = std::sqrt(dt);
  const double other = std::sqrt(1 - x[6] * x[6]);
  const double discount = std::exp(-x[2]);
  std::vector<double> space(4 * std::size_t(steps));
  double *RETRO_RESTRICT first = space.data();
  double *RETRO_RESTRICT second = first + steps;
  double *RETRO_RESTRICT variances = second + steps;
  double *RETRO_RESTRICT deviations = variances + steps;
  double sum = 0;
  double b[8] = {};
  for (int p = 0; p < paths; ++p) {
    double price = x[0], variance = x[1];
    for (int s = 0; s < steps; ++s) {
      first[s] = draw(state);
      second[s] = draw(state);
      variances[s] = variance;
      const double positive = variance > 0 ? variance : 0;
      const double deviation = std::sqrt(positive + 1e-12) * root;
      deviations[s] = deviation;
      price *= std::exp((x[2] - 0.5 * positive) * dt + deviation * first[s]);
      variance += x[3] * (x[4] - positive) * dt +
                  x[5] * deviation * (x[6] * first[s] + other * second[s]);
    }
    if (price <= x[7])
      continue;
    sum += price - x[7];
    b[7] -= 1;
    // The logarithm of the price has one adjoint all along the path.
    b[0] += price / x[0];
    b[2] += price;
    double varianceb = 0;
    for (int s = steps - 1; s >= 0; --s) {
      const double positive = variances[s] > 0 ? variances[s] : 0;
      const double mixed = x[6] * first[s] + other * second[s];
      const double deviationb = price * first[s] + varianceb * x[5] * mixed;
      b[3] += varianceb * (x[4] - positive) * dt;
      b[4] += varianceb * x[3] * dt;
      b[5] += varianceb * deviations[s] * mixed;
      b[6] += varianceb * x[5] * deviations[s] *
              (first[s] - x[6] / other * second[s]);
      if (variances[s] > 0)
        varianceb += -varianceb * x[3] * dt - 0.5 * price * dt +
                     0.5 * deviationb * dt / deviations[s];
    }
    b[1] += varianceb;
  }
  b[2] -= sum;
  for (int i = 0; i < 8; ++i)
    xb[i] += b[i] * discount / paths;
}

} // namespace RETRO_MODEL
