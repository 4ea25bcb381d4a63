// The share that a thread of a team has of a loop's iterations, for questions
// about the memory that is accessed: two numbers between the bounds of all
// iterations.
#ifndef RETRO_RANGES_SHARE_BOUNDS_H
#define RETRO_RANGES_SHARE_BOUNDS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"

namespace retro {

/// Replaces what the runtime stores as a thread's share in F by unknown numbers
/// with known bounds, which are calls of functions that do not exist. F must
/// not run.
void nameShares(llvm::Function &F);
/// Removes the clamp of a share's bound to that of all iterations, when
/// variables have become values: the bound is within it already.
void joinClamps(llvm::Function &F);
/// Deletes those functions that nothing calls.
void forgetShares(llvm::Module &M);

/// What is known of such numbers in expressions of one function.
class ShareBounds {
public:
  explicit ShareBounds(llvm::ScalarEvolution &SE)
      : SE(SE), I64(llvm::Type::getInt64Ty(SE.getContext())) {}

  static bool isShare(const llvm::Value *V);
  static bool contains(const llvm::SCEV *S);
  /// How often L goes on within a share, as i64; null if that is not known.
  const llvm::SCEV *mostTaken(const llvm::Loop &L,
                              const llvm::SCEV *Taken) const;
  /// The least or the greatest value of S (i64), whatever the shares are; null
  /// if that is not known. What must not overflow is appended: counts of
  /// iterations, and factors of these.
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
