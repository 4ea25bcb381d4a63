//===- primal.cpp - miniBUDE: energies of poses ---------------------------===//
#include "model.h"

using namespace suites::minibude;

template <class Real> static void run(const Case<Real> &c, Real *energies) {
  RETRO_MODEL::with_group(c.group, [&]<int N>() {
    RETRO_MODEL::dock<Real, N>(&c, c.protein, c.poses, energies);
  });
}

extern "C" void RETRO_SYMBOL(minibude_float)(const Case<float> &c,
                                             float *energies) {
  run(c, energies);
}

extern "C" void RETRO_SYMBOL(minibude_double)(const Case<double> &c,
                                              double *energies) {
  run(c, energies);
}
