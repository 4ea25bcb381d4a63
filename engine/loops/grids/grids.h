// Stencils: loops over a grid that read neighbours, with indices that clamp at
// the boundary or are periodic; and their adjoints, which add to neighbours.
// Stencils are recognized before a function is differentiated, and their
// adjoints are turned around behind emission. Without that no adjoint of a
// stencil could run in vectors.
#ifndef RETRO_LOOPS_GRIDS_GRIDS_H
#define RETRO_LOOPS_GRIDS_GRIDS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Does the function compute all of an array of two or more dimensions from
/// neighbours in another, with clamped or periodic indices?
bool readsNeighbours(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Where a nest of loops adds to neighbours what a place gives, lets each place
/// read what its neighbours give instead. Returns how many fewer additions
/// there are.
unsigned gatherNeighbours(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
