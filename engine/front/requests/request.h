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

/// A shadow made by __enzyme_todense: no memory, but functions that give and
/// take the derivative at a byte offset.
struct SparseShadow {
  llvm::Function *Load = nullptr;  ///< number (i64 offset, Extra…); null: none
  llvm::Function *Store = nullptr; ///< void (number, i64 offset, Extra…)
  llvm::SmallVector<llvm::Value *, 2> Extra;
};

/// One parameter of the differentiated function as the request binds it.
struct BoundArgument {
  Activity Act = Activity::Const;
  llvm::Value *Primal = nullptr;
  /// Dup, DupNoNeed: shadow or tangent, one a lane.
  llvm::SmallVector<llvm::Value *, 1> Shadows;
  /// One a lane where some shadow is sparse, else empty.
  llvm::SmallVector<SparseShadow, 1> Sparse;
  /// Batch: the value of each lane; empty where all share Primal.
  llvm::SmallVector<llvm::Value *, 1> Lanes;
};

/// Memory for the tapes of all threads of a launch: the addresses of a thread's
/// words are as far apart as there are threads.
struct PoolPlace {
  llvm::Value *Memory = nullptr;
  llvm::Value *Bytes = nullptr; ///< for each thread
  /// Which thread of how many; null: that is found out where it runs.
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
  llvm::Value *Sret = nullptr; ///< where the caller wants the result struct

  // Split mode.
  llvm::SmallVector<llvm::Value *, 1> Seeds; ///< adjoint of the result, a lane
  llvm::Value *Tape = nullptr; ///< the tape, or the caller's memory for it
  std::optional<uint64_t> Allocated; ///< bytes at Tape, if the caller's
  /// Allocated: as many as __enzyme_augmentsize says, in requests of our own.
  static constexpr uint64_t Fitting = ~uint64_t(0);
  PoolWish Pool = PoolWish::None;
  PoolPlace Place;
  /// What the primal takes of the shared memory whose size the launch gives,
  /// where that has room for a shadow; else null.
  llvm::Value *SharedBytes = nullptr;
  bool NoFree = false;        ///< keep the tape for another reverse pass
  bool BothPasses = false;    ///< a gradient by two functions in a row
  bool ForwardSecond = false; ///< the second pass of this first is forward
  /// Requests of our own: what these arguments point to is apart, and a tape of
  /// fewer fields is wanted.
  std::vector<unsigned> Apart;
  unsigned FewerFields = 0;

  Mode mode() const {
    return Kind == Entry::Fwddiff || Kind == Entry::FwdSplit || ForwardSecond
               ? Mode::Forward
               : Mode::Reverse;
  }
  bool isSparse() const {
    return llvm::any_of(
        Args, [](const BoundArgument &A) { return !A.Sparse.empty(); });
  }
  /// The arguments with a sparse shadow. What they point to is separate from
  /// all else: equal pointers would have equal shadows.
  std::vector<unsigned> sparseArgs() const;
  bool isSplit() const {
    return Kind == Entry::AugmentFwd || Kind == Entry::AugmentSize ||
           Kind == Entry::Reverse || Kind == Entry::FwdSplit || BothPasses ||
           Pool == PoolWish::Launch;
  }
  /// The activities, part of the key under which equal requests share code.
  std::vector<Activity> activities() const;
};

/// The functions of a module of which a second pass in forward direction is
/// requested: the first pass must make the tape for that.
using ForwardSplits = llvm::DenseSet<const llvm::Function *>;
ForwardSplits forwardSplitsIn(llvm::Module &M);

/// Parses; reports and returns nothing when the request is wrong.
std::optional<Request> parseRequest(llvm::CallBase &Call,
                                    const ForwardSplits &Forward, Reporter &R);

/// The type of the adjoint that a function's result has, or null.
llvm::Type *resultAdjointType(const llvm::Function &F);

} // namespace retro

#endif
