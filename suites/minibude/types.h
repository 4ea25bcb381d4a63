//===- types.h - miniBUDE: the data of a deck -------------------*- C++ -*-===//
#ifndef SUITES_MINIBUDE_TYPES_H
#define SUITES_MINIBUDE_TYPES_H

namespace suites::minibude {

template <class Real> struct Atom {
  Real x, y, z;
  int type; ///< index into the force field
};

/// Parameters of one type of atom.
template <class Real> struct Parameters {
  int hbtype; ///< a letter
  Real radius, hphb, elsc;
};

/// Three angles and three lengths of a placement, each as an array over the
/// poses.
constexpr int degrees_of_freedom = 6;

/// What is docked; n_poses is a multiple of group, the poses that one work
/// item evaluates side by side.
template <class Real> struct Case {
  int n_ligand, n_protein, n_poses;
  int group; ///< 1, 2, 4, ... 128
  const Atom<Real> *ligand;
  const Parameters<Real> *parameters;
  const Atom<Real> *protein;
  const Real *poses; ///< [degrees_of_freedom][n_poses]
};

/// The signatures that primal and gradients are linked by. Gradients add
/// d(sum_i seed_i energy_i) to the shadow of the protein or of the poses; the
/// seed is consumed.
template <class Real> using Primal = void(const Case<Real> &, Real *energies);
template <class Real>
using ProteinGradient = void(const Case<Real> &, Atom<Real> *shadow,
                             Real *energies, Real *seed);
template <class Real>
using PoseGradient = void(const Case<Real> &, Real *shadow, Real *energies,
                          Real *seed);

} // namespace suites::minibude

#endif // SUITES_MINIBUDE_TYPES_H
