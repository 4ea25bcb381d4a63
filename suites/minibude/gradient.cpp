//===- gradient.cpp - miniBUDE: gradients made by the plugin --------------===//
//
// The only file with requests to the differentiation plugin: one evaluation of
// all poses, with respect to the protein's positions or to the poses.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::minibude;

template <class Real>
static void protein_gradient(const Case<Real> &c, Atom<Real> *shadow,
                             Real *energies, Real *seed) {
  RETRO_MODEL::with_group(c.group, [&]<int N>() {
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(RETRO_MODEL::dock<Real, N>), enzyme_const, &c,
        enzyme_dup, c.protein, shadow, enzyme_const, c.poses, enzyme_dup,
        energies, seed);
  });
}

template <class Real>
static void pose_gradient(const Case<Real> &c, Real *shadow, Real *energies,
                          Real *seed) {
  RETRO_MODEL::with_group(c.group, [&]<int N>() {
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(RETRO_MODEL::dock<Real, N>), enzyme_const, &c,
        enzyme_const, c.protein, enzyme_dup, c.poses, shadow, enzyme_dup,
        energies, seed);
  });
}

extern "C" void RETRO_SYMBOL(protein_float)(const Case<float> &c,
                                            Atom<float> *shadow,
                                            float *energies, float *seed) {
  protein_gradient(c, shadow, energies, seed);
}

extern "C" void RETRO_SYMBOL(protein_double)(const Case<double> &c,
                                             Atom<double> *shadow,
                                             double *energies, double *seed) {
  protein_gradient(c, shadow, energies, seed);
}

extern "C" void RETRO_SYMBOL(pose_float)(const Case<float> &c, float *shadow,
                                         float *energies, float *seed) {
  pose_gradient(c, shadow, energies, seed);
}

extern "C" void RETRO_SYMBOL(pose_double)(const Case<double> &c, double *shadow,
                                          double *energies, double *seed) {
  pose_gradient(c, shadow, energies, seed);
}
