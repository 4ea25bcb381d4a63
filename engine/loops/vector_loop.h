// Loops that LLVM is told to run in vectors, and what vectors cost.
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

/// May the instruction run in vectors, as far as it alone tells? Loads and
/// stores must be simple, and calls must be of intrinsics that exist for
/// vectors. An intrinsic that declares something for one iteration may not: it
/// does not hold for several.
bool isForVectors(const llvm::Instruction &I);

/// How many numbers of this width a vector register holds.
unsigned lanesOf(unsigned Bits, const llvm::TargetTransformInfo &TTI);

/// What an instruction on numbers costs for all lanes. Loads bring the lanes
/// together and stores take them apart, unless they access one element behind
/// the other (InRow).
llvm::InstructionCost vectorCost(const llvm::Instruction &I, unsigned Lanes,
                                 bool InRow,
                                 const llvm::TargetTransformInfo &TTI);

/// Does the access move by at least its own size in each iteration?
bool isApartInEach(const llvm::Instruction &LoadOrStore, const llvm::Loop &L,
                   llvm::ScalarEvolution &SE);
/// Does each iteration access the element before or behind that of the last
/// one?
bool isInRow(const llvm::Instruction &I, const llvm::Loop &L,
             llvm::ScalarEvolution &SE);

/// Tells LLVM that the iterations of the loop with these blocks, and this
/// branch back, do not depend on each other, and that it should run them in
/// vectors.
void runInVectors(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                  llvm::Instruction &Back, unsigned Lanes);

} // namespace retro

#endif
