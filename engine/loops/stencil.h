// Stencils: loops over a grid that read neighbours, with indices clamped at
// the boundary or periodic, and their adjoints, which add to neighbours; and
// loops of which there are versions.
#ifndef RETRO_LOOPS_STENCIL_H
#define RETRO_LOOPS_STENCIL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
}

namespace retro {

/// Offers each innermost loop once, in simplified form, to Change, which says
/// how much it changed; analyses are made anew after a change. Returns the sum.
unsigned
changeInnermostLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                     llvm::function_ref<unsigned(llvm::Loop &)> Change);

/// Splits innermost loops where a clamped index starts to clamp, or a periodic
/// one goes on at the other end. Returns how many. (The first iterations are
/// peeled.)
unsigned splitClampedLoops(llvm::Function &F,
                           llvm::FunctionAnalysisManager &FAM);

/// Loops with a recurrence that the reverse pass can run again, if it may go
/// from the first iteration to the last: where ranges of memory that may meet
/// decide that, the loop is there twice, and the program compares. Returns how
/// many loops more there are.
unsigned versionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Loads again what one iteration keeps for the next of memory that does not
/// change. Returns how many such values there were.
unsigned reloadCarried(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Sums what consecutive iterations add to one place in registers, and adds it
/// to memory once. Returns how many such sums were made.
unsigned carrySums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Does the function compute all of an array of two or more dimensions from
/// neighbours in another, with clamped or periodic indices?
bool readsNeighbours(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes versions of nests in which gatherNeighbours would do something but for
/// arrays that may overlap, for when they do not. Returns how many.
unsigned versionGrids(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// The same of nests that read neighbours, before they are differentiated.
unsigned versionPrimalGrids(llvm::Function &F,
                            llvm::FunctionAnalysisManager &FAM);
/// Is the loop of the version for arrays that overlap?
bool mayOverlap(const llvm::Loop &L);

/// Reads what a place's neighbours give to it, where a nest of loops adds to
/// neighbours what a place gives. Returns how many additions less there are.
unsigned gatherNeighbours(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

/// Keeps LLVM from taking iterations out of loops, until that is allowed again
/// (peeling.cpp).
void forbidPeeling(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// The same of a function that has nests and indices that may clamp, as the
/// front end or LLVM made it. Returns whether it is one.
bool keepNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
bool allowPeeling(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
bool isPeelingForbidden(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// Nests of two loops of which the inner one may have no iterations, ever, are
/// not entered then. Returns how many.
unsigned guardNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// Writes indices that clamp, in nests, as maxima and minima, and those that go
/// on at the other end as choices by equality. Returns how many it changed
/// (boundary_indices.cpp).
unsigned normalizeBoundaryIndices(llvm::Function &F,
                                  llvm::FunctionAnalysisManager &FAM);
/// Takes the first iteration out of loops of whatever size in which an index
/// clamps in it alone. Returns of how many.
unsigned peelClampedLoops(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
