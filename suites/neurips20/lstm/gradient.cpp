#include "model.h"

// Adds the gradient to mainb and extrab; overwrites state; stateb comes in as
// zero. The state is not an input of interest, but its buffer carries active
// values between steps, so it must have a shadow.
extern "C" void
RETRO_SYMBOL(lstm_gradient)(int l, int c, int b, const double *main_parameters,
                            double *mainb, const double *extra_parameters,
                            double *extrab, double *state, double *stateb,
                            const double *sequence) {
  double loss = 0, lossb = 1;
  __enzyme_autodiff<void>((void *)RETRO_MODEL::lstm_objective, //
                          enzyme_const, l, enzyme_const, c, enzyme_const, b,
                          enzyme_dup, main_parameters, mainb,   //
                          enzyme_dup, extra_parameters, extrab, //
                          enzyme_dup, state, stateb,            //
                          enzyme_const, sequence,               //
                          enzyme_dupnoneed, &loss, &lossb);
}
