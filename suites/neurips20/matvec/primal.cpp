#include "model.h"

extern "C" double RETRO_SYMBOL(matvec)(int n, const double *m,
                                       const double *v) {
  return RETRO_MODEL::squared_norm_of_product(n, m, v);
}
