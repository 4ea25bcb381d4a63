#include "model.h"

// Each returns dx(end)/d(end).

extern "C" double RETRO_SYMBOL(dopri5_generic_gradient)(double end, long n) {
  return __enzyme_autodiff<double>((void *)RETRO_MODEL::dopri5_generic, //
                                   enzyme_out, end, enzyme_const, n);
}

extern "C" double RETRO_SYMBOL(dopri5_loop_gradient)(double end, long n) {
  return __enzyme_autodiff<double>((void *)RETRO_MODEL::dopri5_loop, //
                                   enzyme_out, end, enzyme_const, n);
}

extern "C" double RETRO_SYMBOL(classic_generic_gradient)(double end, long n) {
  return __enzyme_autodiff<double>((void *)RETRO_MODEL::classic_generic, //
                                   enzyme_out, end, enzyme_const, n);
}

extern "C" double RETRO_SYMBOL(classic_loop_gradient)(double end, long n) {
  return __enzyme_autodiff<double>((void *)RETRO_MODEL::classic_loop, //
                                   enzyme_out, end, enzyme_const, n);
}
