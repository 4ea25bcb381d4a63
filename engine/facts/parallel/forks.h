// Which calls are of teams and threads: a region is a direct call of its body,
// marked as a fork (prepare/threads/regions.h makes it one).
#ifndef RETRO_FACTS_PARALLEL_FORKS_H
#define RETRO_FACTS_PARALLEL_FORKS_H

#include "llvm/IR/InstrTypes.h"
namespace llvm {
class AtomicRMWInst;
} // namespace llvm

namespace retro {

/// Attributes of calls.
inline constexpr const char *ForkMark = "retro-fork",
                            *SpawnMark = "retro-spawn";

/// Does every thread of a new team make this call? Its first two operands are
/// the places of the thread's number; each thread has its own.
bool isFork(const llvm::CallBase &C);

/// Does another thread make this call, until it is joined?
bool isSpawn(const llvm::CallBase &C);

/// The call that this use of a function is, on the same thread; else null.
const llvm::CallBase *plainCall(const llvm::Use &X);

/// Does A add to a number, and nobody looks at the sum so far?
bool isCommutingSum(const llvm::AtomicRMWInst &A);

} // namespace retro

#endif
