#include "model.h"

// Both entries add to ub, vb (n x n) and pb (3), and consume the output
// adjoints dub and dvb.

// Computes du and dv as well.
extern "C" void RETRO_SYMBOL(brusselator_gradient_dup)(
    int n, const double *u, double *ub, const double *v, double *vb,
    const double *p, double *pb, double t, double *du, double *dub, double *dv,
    double *dvb) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::brusselator, //
                          enzyme_const, n, enzyme_dup, u, ub, enzyme_dup, v, vb,
                          enzyme_dup, p, pb, enzyme_const, t, //
                          enzyme_dup, du, dub, enzyme_dup, dv, dvb);
}

// Leaves du and dv undefined.
extern "C" void RETRO_SYMBOL(brusselator_gradient_dupnoneed)(
    int n, const double *u, double *ub, const double *v, double *vb,
    const double *p, double *pb, double t, double *du, double *dub, double *dv,
    double *dvb) {
  __enzyme_autodiff<void>((void *)RETRO_MODEL::brusselator, //
                          enzyme_const, n, enzyme_dup, u, ub, enzyme_dup, v, vb,
                          enzyme_dup, p, pb, enzyme_const, t, //
                          enzyme_dupnoneed, du, dub, enzyme_dupnoneed, dv, dvb);
}
