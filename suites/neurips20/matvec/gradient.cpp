#include "model.h"

// Adds the gradient to mb (n x n).
extern "C" void RETRO_SYMBOL(matvec_gradient)(int n, const double *m,
                                              double *mb, const double *v) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::squared_norm_of_product, //
                          enzyme_const, n, enzyme_dup, m, mb, enzyme_const, v);
}
