// Indices at the boundary of a grid in one form.
#ifndef RETRO_LOOPS_BOUNDARY_INDICES_H
#define RETRO_LOOPS_BOUNDARY_INDICES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Nests of two loops are not entered if the inner loop has no iterations in
/// any iteration of the outer one. Returns how many nests were changed.
unsigned guardNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// In nests, writes indices that clamp as maxima and minima, and periodic ones
/// as choices by equality. Returns how many it changed.
unsigned normalizeBoundaryIndices(llvm::Function &F,
                                  llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
