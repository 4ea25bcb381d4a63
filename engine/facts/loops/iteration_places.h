// What the iterations of a loop access: can two accesses meet, one of them in
// another iteration than the other?
#ifndef RETRO_FACTS_LOOPS_ITERATION_PLACES_H
#define RETRO_FACTS_LOOPS_ITERATION_PLACES_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace retro {

class IterationPlaces {
public:
  IterationPlaces(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  /// Is all that A touches in one iteration apart from all that B touches in
  /// another?
  bool apart(const llvm::Loop &L, const llvm::Instruction &A,
             const llvm::Instruction &B);
  /// The same of one iteration of L, or where L is null, of straight code.
  bool apartWithin(const llvm::Loop *L, const llvm::Instruction &A,
                   const llvm::Instruction &B);
  /// Iterations are apart if Distance is at least Needed, as signed numbers.
  struct Condition {
    const llvm::SCEV *Distance, *Needed;
    bool operator==(const Condition &O) const {
      return Distance == O.Distance && Needed == O.Needed;
    }
  };
  std::optional<Condition> apartIf(const llvm::Loop &L,
                                   const llvm::Instruction &A,
                                   const llvm::Instruction &B);
  /// Where I lies from the other, if both move by Step in each iteration.
  const llvm::SCEV *distance(const llvm::Loop &L, const llvm::Instruction &I,
                             const llvm::Instruction &From, int64_t &Step);
  uint64_t sizeOf(const llvm::Instruction &I) const;
  /// Does loop L, which is of another analysis, read neighbours on a grid
  /// (grid.h)?
  bool readsNeighbours(const llvm::Loop &L);

private:
  bool areFar(const llvm::Loop &L, const llvm::Instruction &A,
              const llvm::Instruction &B);
  bool isFar(const llvm::Loop &L, const llvm::SCEV *Distance, int64_t Step,
             uint64_t Size);
  const llvm::SCEV *reachOf(const llvm::Loop &L, llvm::Type *T, int64_t Step,
                            uint64_t Size);
  /// The analyses' own loop.
  const llvm::Loop *own(const llvm::Loop &L) const;

  llvm::Function &F;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  llvm::DominatorTree &DT;
};

} // namespace retro

#endif
