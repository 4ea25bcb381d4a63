// Which memory does a function access through its arguments?
#ifndef RETRO_RANGES_REACHES_H
#define RETRO_RANGES_REACHES_H

#include "ranges/share_bounds.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace retro {

/// Bytes to where the first and the last access are, at most.
inline constexpr int64_t MostOffset = int64_t(1) << 46;

/// What is accessed through one argument: bytes, counted from where it points
/// to.
struct Reach {
  llvm::SmallSetVector<const llvm::SCEV *, 8> Low, High;
  bool Written = false;
};

/// Finds the memory that a function accesses, as expressions of its arguments.
class Reaches {
public:
  Reaches(llvm::Function &F, llvm::Instruction &At,
          llvm::FunctionAnalysisManager &FAM)
      : F(F), At(At), SE(FAM.getResult<llvm::ScalarEvolutionAnalysis>(F)),
        Shares(SE), I64(llvm::Type::getInt64Ty(F.getContext())) {}

  /// Finds it. False if something is not known.
  bool find();
  /// By argument; only those through which anything is accessed.
  llvm::MapVector<const llvm::Argument *, Reach> All;

  /// Emits, at the function's entry, the first and the last byte that R
  /// reaches.
  std::optional<std::pair<llvm::Value *, llvm::Value *>>
  emit(const Reach &R, llvm::IRBuilder<> &B);
  /// Emits whether none of the numbers in these expressions overflows.
  std::optional<llvm::Value *> emitBounds(llvm::IRBuilder<> &B);

private:
  using Terms = llvm::SmallSetVector<const llvm::SCEV *, 4>;
  /// From the least of some numbers to the greatest of others.
  struct Range {
    Terms Low, High;
  };
  Terms sums(const Terms &A, const Terms &B) const;
  bool add(llvm::Instruction &I);
  bool add(llvm::Value *Ptr, const llvm::SCEV *Bytes, bool Writes);
  bool isKnownBefore(const llvm::SCEV *S) const;
  std::optional<Range> rangeOf(const llvm::SCEV *S, unsigned Deep = 0);
  std::optional<Range> rangeOfChoice(const llvm::PHINode &P, unsigned Deep);
  std::optional<Range> rangeOfEnd(const llvm::SCEVAddRecExpr &Row,
                                  unsigned Deep);
  std::optional<Range> rangeOfRow(const llvm::SCEVAddRecExpr &Row,
                                  unsigned Deep);
  std::optional<Range> rangeOfRemainder(const llvm::SCEV *S);
  std::optional<Terms> mostTaken(const llvm::Loop &L, unsigned Deep);
  const llvm::SCEV *extreme(const Terms &Of, bool Most);
  std::optional<llvm::Value *> emit(const llvm::SCEV *S, llvm::IRBuilder<> &B);

  llvm::Function &F;
  llvm::Instruction &At; ///< in the entry block
  llvm::ScalarEvolution &SE;
  ShareBounds Shares;
  llvm::Type *I64;
  llvm::SetVector<const llvm::SCEV *> Counts,
      Steps; ///< have to be within bounds
};

/// Emits whether V is at least -Most and at most Most.
llvm::Value *isWithin(llvm::Value *V, int64_t Most, llvm::IRBuilder<> &B);

} // namespace retro

#endif
