// Cuts a loop's block into parts whose code fits the first-level cache.
#ifndef RETRO_POLISH_SCATTERS_LOOP_PARTS_H
#define RETRO_POLISH_SCATTERS_LOOP_PARTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// Cuts a loop of one block into loops that run one after the other, each for
/// all iterations, which must not depend on each other. What one part computes
/// and a later one needs lies in memory between them; addresses, counters and
/// conditions are computed again. It pays for long blocks, since processors
/// fetch code from the second-level cache at a fraction of the speed.
class LoopParts {
public:
  /// Finds where to cut the block B of a loop. Moved: is this instruction going
  /// to be moved out of the block before it is cut?
  LoopParts(llvm::BasicBlock &B,
            llvm::function_ref<bool(const llvm::Instruction *)> Moved);

  /// The bytes that lie between the parts for each iteration.
  uint64_t bytes() const { return Bytes; }

  /// Cuts the block. It is entered from Entry, and counts its iterations, no
  /// more than Most, in Count. Returns the parts.
  llvm::SmallVector<llvm::BasicBlock *>
  cut(llvm::BasicBlock &Entry, llvm::PHINode &Count, unsigned Most);

private:
  struct Crossing {
    int64_t Values = 0, Bytes = 0;
  };
  void findCrossings(llvm::ArrayRef<llvm::Instruction *> All);
  void findCuts(llvm::ArrayRef<llvm::Instruction *> All);
  void hoistControl(llvm::Instruction &First);
  void cutAt(llvm::Instruction &First);
  llvm::Value *inPart(llvm::Value *V, llvm::Instruction &User);
  llvm::Value *reload(llvm::Instruction &V, llvm::Instruction &User);

  llvm::SmallVector<llvm::Instruction *> Firsts; ///< of all parts but one
  llvm::SmallVector<Crossing> Crossings;         ///< before each instruction
  uint64_t Bytes = 0;
  // The part at hand.
  llvm::BasicBlock *Entry = nullptr, *From = nullptr, *Between = nullptr,
                   *Part = nullptr;
  llvm::PHINode *Count = nullptr;
  unsigned Most = 0;
  llvm::DenseMap<llvm::Value *, llvm::Value *>
      InThisPart; ///< what is in it again
};

} // namespace retro

#endif
