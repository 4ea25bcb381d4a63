// The share that a thread of a team has of a loop's iterations, in questions of
// which memory is accessed: two numbers between those of all iterations.
#ifndef RETRO_RANGES_SHARE_BOUNDS_H
#define RETRO_RANGES_SHARE_BOUNDS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"

namespace retro {

/// The variables with which F asks the runtime for shares get unknown numbers
/// of known bounds instead, by calls of functions that do not exist. F is not
/// to be run.
void nameShares(llvm::Function &F);
/// When variables have become values: the bound of a share that is clamped to
/// all iterations is the bound.
void joinClamps(llvm::Function &F);
/// These functions go, as far as they are not called.
void forgetShares(llvm::Module &M);

/// What is known of such numbers in expressions of one function.
class ShareBounds {
public:
  explicit ShareBounds(llvm::ScalarEvolution &SE)
      : SE(SE), I64(llvm::Type::getInt64Ty(SE.getContext())) {}

  static bool isShare(const llvm::Value *V);
  static bool contains(const llvm::SCEV *S);
  /// How often L of a share's iterations goes on, as i64; null: not known.
  const llvm::SCEV *mostTaken(const llvm::Loop &L,
                              const llvm::SCEV *Taken) const;
  /// The least or the most that S (i64) is, whatever the shares are; null: it
  /// is not known. What must not overflow is appended: counts of iterations,
  /// and factors of them.
  const llvm::SCEV *extreme(const llvm::SCEV *S, bool Most,
                            llvm::SetVector<const llvm::SCEV *> &Counts,
                            llvm::SetVector<const llvm::SCEV *> &Factors) const;

private:
  struct Bound {
    const llvm::SCEV *Of;           ///< the number, as i64
    const llvm::SCEV *First, *Last; ///< i64
  };
  std::optional<Bound> boundOf(const llvm::SCEV *S) const;
  std::optional<Bound> boundIn(const llvm::SCEV *S) const;

  llvm::ScalarEvolution &SE;
  llvm::Type *I64;
};

} // namespace retro

#endif
