#include "model.h"

// Vector-Jacobian products: add to thetab (26) and stb (2 x count), consume
// errb (3 x count), leave err undefined.

extern "C" void RETRO_SYMBOL(hand_simple_vjp)(const double *theta,
                                              double *thetab,
                                              const HandData *data, double *err,
                                              double *errb) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::hand_simple, //
                          enzyme_dup, theta, thetab, enzyme_const, data,
                          enzyme_dupnoneed, err, errb);
}

extern "C" void RETRO_SYMBOL(hand_complicated_vjp)(
    const double *theta, double *thetab, const double *st, double *stb,
    const HandData *data, double *err, double *errb) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::hand_complicated, //
                          enzyme_dup, theta, thetab, enzyme_dup, st, stb,
                          enzyme_const, data, enzyme_dupnoneed, err, errb);
}
