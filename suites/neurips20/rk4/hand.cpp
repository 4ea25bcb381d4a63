#include "neurips20/ode/hand_adjoint.h"

namespace RETRO_MODEL {

struct Classic {
  static constexpr int stages = 4;
  static constexpr double a[4][3] = {
      {0, 0, 0}, {1.0 / 2, 0, 0}, {0, 1.0 / 2, 0}, {0, 0, 1}};
  static constexpr double b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};

struct DormandPrince {
  static constexpr int stages = 6;
  static constexpr double a[6][5] = {
      {0, 0, 0, 0, 0},
      {1.0 / 5, 0, 0, 0, 0},
      {3.0 / 40, 9.0 / 40, 0, 0, 0},
      {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176,
       -5103.0 / 18656}};
  static constexpr double b[6] = {
      35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
};

} // namespace RETRO_MODEL

extern "C" double RETRO_SYMBOL(dopri5_generic_gradient)(double end, long n) {
  using namespace RETRO_MODEL;
  return derivative_of_final_state<DormandPrince>(end, n);
}

extern "C" double RETRO_SYMBOL(dopri5_loop_gradient)(double end, long n) {
  using namespace RETRO_MODEL;
  return derivative_of_final_state<DormandPrince>(end, n);
}

extern "C" double RETRO_SYMBOL(classic_generic_gradient)(double end, long n) {
  using namespace RETRO_MODEL;
  return derivative_of_final_state<Classic>(end, n);
}

extern "C" double RETRO_SYMBOL(classic_loop_gradient)(double end, long n) {
  using namespace RETRO_MODEL;
  return derivative_of_final_state<Classic>(end, n);
}
