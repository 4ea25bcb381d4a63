//===- deck.h - miniBUDE: ligand, protein, force field, poses ---*- C++ -*-===//
#ifndef SUITES_MINIBUDE_DECK_H
#define SUITES_MINIBUDE_DECK_H

#include "types.h"

#include <string>
#include <vector>

namespace suites::minibude {

/// A deck as its files hold it, in single precision.
struct Deck {
  std::vector<Atom<float>> protein, ligand;
  std::vector<Parameters<float>> parameters;
  std::vector<float> poses;               ///< six arrays, one after the other
  std::vector<double> reference_energies; ///< empty where there is none

  std::size_t n_poses() const { return poses.size() / degrees_of_freedom; }
};

/// Reads protein.in, ligand.in, forcefield.in, poses.in and, if it is there,
/// ref_energies.out. Throws std::runtime_error.
Deck read_deck(const std::string &folder);

/// The deck of section 3.6: bm1's ligand and force field, a random protein of
/// 256 atoms and 512 random poses.
Deck synthetic_deck();

} // namespace suites::minibude

#endif // SUITES_MINIBUDE_DECK_H
