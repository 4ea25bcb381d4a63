// Two versions of a nest over a grid, of which the program runs the one for
// arrays that are apart wherever they are.
#ifndef RETRO_LOOPS_GRIDS_NEIGHBOUR_RANGES_H
#define RETRO_LOOPS_GRIDS_NEIGHBOUR_RANGES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Where gatherNeighbours would work if no arrays overlapped, makes two
/// versions of the nest and a comparison. Returns how many.
unsigned versionGrids(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The same for nests that read neighbours, before they are differentiated.
unsigned versionPrimalGrids(llvm::Function &F,
                            llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
