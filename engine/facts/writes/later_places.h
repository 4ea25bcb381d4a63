// Places that are stored to after one has been read: is that one among them?
#ifndef RETRO_FACTS_WRITES_LATER_PLACES_H
#define RETRO_FACTS_WRITES_LATER_PLACES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace retro {

/// An address in bytes, or a number of iterations: a constant, and numbers of
/// iterations with factors. What else is in it has one value for as long as the
/// function runs.
struct IterationSum {
  int64_t Constant = 0;
  llvm::SmallMapVector<const llvm::Loop *, int64_t, 4> Loops;
  llvm::SmallMapVector<const llvm::SCEV *, int64_t, 2> Others;
};

/// Answers for the accesses of one function in one call of it by one thread.
class LaterPlaces {
public:
  LaterPlaces(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  /// Is whatever S stores after an execution of L apart from what that read?
  bool areApart(const llvm::LoadInst &L, const llvm::StoreInst &S);

private:
  using Sum = std::optional<IterationSum>;
  /// The loops around, the outermost first.
  using Chain = llvm::SmallVector<const llvm::Loop *, 4>;

  class View;

  bool areApart(const llvm::LoadInst &L, const llvm::StoreInst &S,
                const Chain &Common, size_t Later);
  Chain around(const llvm::Loop *Innermost) const;
  bool add(IterationSum &To, const llvm::SCEV *S, int64_t Times,
           const Chain &Around) const;
  const Sum &placeOf(const llvm::Instruction &Access);
  const Sum &lastOf(const llvm::Loop &L);

  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::DenseMap<const llvm::Instruction *, Sum> Places;
  llvm::DenseMap<const llvm::Loop *, Sum> Last; ///< the last iteration's number
};

} // namespace retro

#endif
