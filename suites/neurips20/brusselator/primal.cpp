#include "model.h"

extern "C" void RETRO_SYMBOL(brusselator)(int n, const double *u,
                                          const double *v, const double *p,
                                          double t, double *du, double *dv) {
  RETRO_MODEL::brusselator(n, u, v, p, t, du, dv);
}
