#include "model.h"

extern "C" void RETRO_SYMBOL(lstm)(int l, int c, int b,
                                   const double *main_parameters,
                                   const double *extra_parameters,
                                   double *state, const double *sequence,
                                   double *loss) {
  RETRO_MODEL::lstm_objective(l, c, b, main_parameters, extra_parameters, state,
                              sequence, loss);
}
