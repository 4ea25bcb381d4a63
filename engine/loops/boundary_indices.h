// Indices at the boundary of a grid in one form.
#ifndef RETRO_LOOPS_BOUNDARY_INDICES_H
#define RETRO_LOOPS_BOUNDARY_INDICES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Nests of two loops of which the inner one may have no iterations, ever, are
/// not entered then. Returns how many.
unsigned guardNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Writes indices that clamp, in nests, as maxima and minima, and those that go
/// on at the other end as choices by equality. Returns how many it changed
/// (boundary_indices.cpp).
unsigned normalizeBoundaryIndices(llvm::Function &F,
                                  llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
