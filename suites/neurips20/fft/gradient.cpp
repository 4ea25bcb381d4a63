#include "model.h"

// All entries turn datab from the output adjoint into the input adjoint. They
// transform data, but for the one that leaves it undefined.

extern "C" void RETRO_SYMBOL(fft_roundtrip_gradient)(double *data,
                                                     double *datab, int n) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::roundtrip, //
                          enzyme_dup, data, datab, enzyme_const, n);
}

extern "C" void RETRO_SYMBOL(fft_roundtrip_dupnoneed_gradient)(double *data,
                                                               double *datab,
                                                               int n) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::roundtrip, //
                          enzyme_dupnoneed, data, datab, enzyme_const, n);
}

extern "C" void RETRO_SYMBOL(fft_forward_gradient)(double *data, double *datab,
                                                   int n) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::forward, //
                          enzyme_dup, data, datab, enzyme_const, n);
}
