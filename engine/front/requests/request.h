// A request: one call of an entry point of the calling convention, parsed.
#ifndef RETRO_FRONT_REQUESTS_REQUEST_H
#define RETRO_FRONT_REQUESTS_REQUEST_H

#include "base/diagnostics.h"
#include "base/plan.h"
#include "front/known/entry_points.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <vector>

namespace retro {

/// What __enzyme_todense makes: a shadow, or an argument itself. It is no
/// memory, but two functions that give and take the number at a byte offset.
struct SparseShadow {
  llvm::Function *Load = nullptr;  ///< number (i64 offset, Extra…); null: none
  llvm::Function *Store = nullptr; ///< void (number, i64 offset, Extra…)
  llvm::SmallVector<llvm::Value *, 2> Extra;
};

/// What the request says of one parameter of the differentiated function.
struct BoundArgument {
  Activity Act = Activity::Const;
  llvm::Value *Primal = nullptr;
  /// Dup, DupNoNeed: the shadow or tangent of each lane.
  llvm::SmallVector<llvm::Value *, 1> Shadows;
  /// One for each lane if some shadow is sparse, else empty.
  llvm::SmallVector<SparseShadow, 1> Sparse;
  /// The argument itself is no memory.
  SparseShadow Whole;
  /// Batch: the value of each lane; empty if all lanes share Primal.
  llvm::SmallVector<llvm::Value *, 1> Lanes;
};

/// Memory for the tapes of all threads of a launch. Two words of one thread's
/// tape are as far apart as there are threads.
struct PoolPlace {
  llvm::Value *Memory = nullptr;
  llvm::Value *Bytes = nullptr; ///< for each thread
  /// The thread's number, and how many there are; null if that is found out
  /// where it runs.
  llvm::Value *Thread = nullptr, *Threads = nullptr;
};

struct Request {
  llvm::CallBase *Call = nullptr;
  Entry Kind = Entry::Autodiff;
  llvm::Function *Target = nullptr;
  std::vector<BoundArgument> Args; ///< one per parameter of Target
  unsigned Width = 1;              ///< lanes of vector mode
  bool PrimalReturn = false;
  bool ConstReturn = false;
  bool RuntimeActivity = false;
  bool StrongZero = false;     ///< zero times what is not finite is zero
  llvm::Value *Sret = nullptr; ///< where the caller wants the result struct

  // In split mode.
  llvm::SmallVector<llvm::Value *, 1> Seeds; ///< adjoint of the result, a lane
  llvm::Value *Tape = nullptr; ///< the tape, or the caller's memory for it
  std::optional<uint64_t> Allocated; ///< bytes at Tape, if the caller's
  /// Stands in Allocated for as many bytes as __enzyme_augmentsize says, in
  /// requests of the engine's own.
  static constexpr uint64_t Fitting = ~uint64_t(0);
  PoolWish Pool = PoolWish::None;
  PoolPlace Place;
  /// The size of the primal's dynamic shared memory, where the launch gives as
  /// much again for a shadow; else null.
  llvm::Value *SharedBytes = nullptr;
  bool NoFree = false;        ///< keep the tape for another reverse pass
  bool BothPasses = false;    ///< a gradient by two functions in a row
  bool ForwardSecond = false; ///< the second pass of this first is forward
  /// In requests of the engine's own: these arguments point to memory that does
  /// not overlap, those of Bounded are numbers within bounds, and a tape that
  /// weighs less than Lighter is wanted.
  std::vector<unsigned> Apart;
  NumberBounds Bounded;
  uint64_t Lighter = 0;
  bool isSecondVersion() const { return Lighter != 0; }

  Mode mode() const {
    return isForwardPass(Kind) || Kind == Entry::FwdSplit || ForwardSecond
               ? Mode::Forward
               : Mode::Reverse;
  }
  bool estimatesErrors() const { return Kind == Entry::ErrorEstimate; }
  bool isSparse() const {
    return llvm::any_of(Args, [](const BoundArgument &A) {
      return A.Whole.Load || !A.Sparse.empty();
    });
  }
  /// The arguments with a sparse shadow. What they point to counts as separate
  /// from everything else, since equal pointers would have equal shadows.
  std::vector<unsigned> sparseArgs() const;
  bool isSplit() const {
    return Kind == Entry::AugmentFwd || Kind == Entry::AugmentSize ||
           Kind == Entry::Reverse || Kind == Entry::FwdSplit || BothPasses ||
           Pool == PoolWish::Launch;
  }
  /// The activities of the parameters. Requests share code only if these are
  /// equal.
  std::vector<Activity> activities() const;
};

/// The functions of a module for which a second pass in forward direction is
/// requested: their first pass must make a tape for that.
using ForwardSplits = llvm::DenseSet<const llvm::Function *>;
ForwardSplits forwardSplitsIn(llvm::Module &M);

/// Parses the request. If it is wrong, reports that and returns nothing.
std::optional<Request> parseRequest(llvm::CallBase &Call,
                                    const ForwardSplits &Forward, Reporter &R);

/// The type that the adjoint of a function's result has, or null.
llvm::Type *resultAdjointType(const llvm::Function &F);

} // namespace retro

#endif
