#include "model.h"

// Both return dx(end)/d(end).

extern "C" double RETRO_SYMBOL(euler_generic_gradient)(double end, long n) {
  return __enzyme_autodiff<double>((void *)RETRO_MODEL::euler_generic, //
                                   enzyme_out, end, enzyme_const, n);
}

extern "C" double RETRO_SYMBOL(euler_loop_gradient)(double end, long n) {
  return __enzyme_autodiff<double>((void *)RETRO_MODEL::euler_loop, //
                                   enzyme_out, end, enzyme_const, n);
}
