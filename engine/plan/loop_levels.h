// In which of the loops around it a value can differ from one iteration to the
// next: only those need a dimension of the tape.
#ifndef RETRO_PLAN_LOOP_LEVELS_H
#define RETRO_PLAN_LOOP_LEVELS_H

#include "facts/writes/overwrite.h"

namespace retro {

class LoopLevels {
public:
  LoopLevels(UnitFunction &UF, const Unit &U, OverwriteAnalysis &Overwrite)
      : UF(UF), U(U), Overwrite(Overwrite) {}

  /// The loops around I in whose iterations it may differ, innermost first.
  llvm::ArrayRef<const llvm::Loop *> of(const llvm::Instruction &I);
  /// All loops around B, innermost first.
  llvm::ArrayRef<const llvm::Loop *> around(const llvm::BasicBlock &B);

private:
  bool isSame(const llvm::Value *V, const llvm::Loop *L, unsigned Depth = 0);
  bool dependsOnOperands(const llvm::Instruction &I) const;
  bool isInnerCounter(const llvm::PHINode &P, const llvm::Loop *L) const;

  UnitFunction &UF;
  const Unit &U;
  OverwriteAnalysis &Overwrite;
  using Loops = llvm::SmallVector<const llvm::Loop *, 4>;
  llvm::DenseMap<const llvm::Instruction *, Loops> Known;
  llvm::DenseMap<const llvm::BasicBlock *, Loops> Around;
};

} // namespace retro

#endif
