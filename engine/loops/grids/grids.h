// Stencils: loops over a grid that read neighbours, with indices clamped at the
// boundary or periodic, and their adjoints, which add to neighbours. Recognized
// before a function is differentiated, and turned around behind that.
#ifndef RETRO_LOOPS_GRIDS_GRIDS_H
#define RETRO_LOOPS_GRIDS_GRIDS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Does the function compute all of an array of two or more dimensions from
/// neighbours in another, with clamped or periodic indices?
bool readsNeighbours(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes versions of nests in which gatherNeighbours would do something but for
/// arrays that may overlap, for when they do not. Returns how many.
unsigned versionGrids(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The same of nests that read neighbours, before they are differentiated.
unsigned versionPrimalGrids(llvm::Function &F,
                            llvm::FunctionAnalysisManager &FAM);

/// Reads what a place's neighbours give to it, where a nest of loops adds to
/// neighbours what a place gives. Returns how many additions less there are.
unsigned gatherNeighbours(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
