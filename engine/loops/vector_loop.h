// Loops that LLVM is told to run in vectors, and what that costs.
#ifndef RETRO_LOOPS_VECTOR_LOOP_H
#define RETRO_LOOPS_VECTOR_LOOP_H

#include "llvm/IR/Instructions.h"
#include "llvm/Support/InstructionCost.h"

namespace llvm {
class Loop;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace retro {

/// May it be run in vectors, as far as the instruction alone tells? Loads and
/// stores are simple, and calls are of intrinsics that exist for vectors.
/// (Those that declare something for an iteration do not: it does not hold for
/// several.)
bool isForVectors(const llvm::Instruction &I);

/// How many numbers of so many bits a vector register holds.
unsigned lanesOf(unsigned Bits, const llvm::TargetTransformInfo &TTI);

/// What an instruction on numbers costs for all lanes. Loads bring them
/// together, and stores take them apart, but where InRow, an iteration's lies
/// behind the last one's.
llvm::InstructionCost vectorCost(const llvm::Instruction &I, unsigned Lanes,
                                 bool InRow,
                                 const llvm::TargetTransformInfo &TTI);

/// Does each iteration go on by at least what it accesses?
bool isApartInEach(const llvm::Instruction &LoadOrStore, const llvm::Loop &L,
                   llvm::ScalarEvolution &SE);
/// Does each iteration access the element behind, or before, the last one's?
bool isInRow(const llvm::Instruction &I, const llvm::Loop &L,
             llvm::ScalarEvolution &SE);

/// The iterations of the loop with these blocks, and this branch back, do not
/// depend on each other, and run in vectors.
void runInVectors(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                  llvm::Instruction &Back, unsigned Lanes);

} // namespace retro

#endif
