// Which iterations of a loop a comparison can hold in, where what is compared
// are indices: sums over the loop's counter, and what programs make of them at
// the ends of a ring.
#ifndef RETRO_POLISH_SPARSE_SPARSE_CONDITIONS_H
#define RETRO_POLISH_SPARSE_SPARSE_CONDITIONS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace retro {

/// A comparison that is true for the iterations k with 0 <= a + c k <= b.
struct Condition {
  const llvm::SCEV *A, *C, *B;
};
using Conditions =
    llvm::DenseMap<const llvm::Instruction *, bool>; ///< value when idle

class LoopConditions {
public:
  LoopConditions(llvm::Function &F, llvm::ScalarEvolution &SE)
      : F(F), SE(SE), I64(llvm::Type::getInt64Ty(F.getContext())) {}
  /// Conditions of which one holds in each iteration in which a comparison has
  /// not the value that Idle gives it.
  void find(llvm::Loop &L, Conditions &Idle, std::vector<Condition> &All);
  bool isSafe(const llvm::SCEV *S);
  /// Test is 0 <= X <= Bound: a restricted loop begins with it.
  void noteRange(const llvm::Instruction &Test, llvm::Value *X,
                 llvm::Value *Bound) {
    Ranges[&Test] = {X, Bound};
  }

  /// So many conditions a loop may have.
  static constexpr unsigned Most = 128;

private:
  const llvm::SCEV *quotient(const llvm::SCEV *S, const llvm::APInt &D);
  const llvm::SCEV *number(llvm::Value *V);
  bool addCondition(llvm::Loop &L, const llvm::SCEV *Difference,
                    const llvm::SCEV *Bound, std::vector<Condition> &All,
                    bool MayBeFixed = false);
  /// A sum over loop counters; wherever it is meant, it may be known not to be
  /// negative.
  struct Term {
    const llvm::SCEV *S;
    bool NonNegative;
  };
  using Terms = llvm::SmallVector<Term, 4>;
  bool addNegative(llvm::Loop &L, const Term &T, std::vector<Condition> &All);
  bool termsOf(llvm::Loop &L, llvm::Value *V, Terms &Out,
               std::vector<Condition> &All, unsigned Depth);
  bool termsOfChoice(llvm::Loop &L, llvm::SelectInst &S, Terms &Out,
                     std::vector<Condition> &All, unsigned Depth);
  bool keepsIndex(const llvm::Value &V, const llvm::APInt &Mask) const;
  bool operate(llvm::Loop &L, llvm::BinaryOperator &B, const Term &T,
               Terms &Out, std::vector<Condition> &All);
  bool isSolved(llvm::Loop &L, llvm::ICmpInst &C, std::vector<Condition> &All,
                unsigned Depth = 0);

  /// How far a value is followed, how many terms it may have, and no index is
  /// so large.
  static constexpr unsigned MostSteps = 6, MostTerms = 16;
  static constexpr uint64_t Far = uint64_t(1) << 61;

  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::Type *I64;
  llvm::DenseMap<const llvm::Instruction *,
                 std::pair<llvm::Value *, llvm::Value *>>
      Ranges;
};

} // namespace retro

#endif
