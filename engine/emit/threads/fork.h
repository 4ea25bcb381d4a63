// Parallel regions in derivatives: the team that runs a pass of a region, and
// what each of its threads does.
#ifndef RETRO_EMIT_THREADS_FORK_H
#define RETRO_EMIT_THREADS_FORK_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

class UnitEmitter;

/// What one thread of a team is given: the values that the region reads, and
/// places of its own.
struct ThreadPart {
  llvm::SmallVector<llvm::Value *> Values; ///< as they were captured
  llvm::Value *Arena = nullptr;            ///< memory for its arena
  llvm::Value *Frame = nullptr;            ///< where its frame's address is
  llvm::Value *Thread = nullptr, *Bound = nullptr; ///< places of its number
};

/// How a team is started: by functions of runtime/openmp.c, or in the open
/// (emit/threads/open_team.h).
enum class Team {
  Plain,   ///< nothing is kept
  Forward, ///< returns the team, for the reverse pass
  Reverse, ///< the threads of an earlier team
  Both,    ///< each thread runs both passes; nothing is kept
};

/// Emits at B the start of a team, each thread of which runs what Part emits
/// into a new function, and the wait for its end. Captured values reach the
/// threads through a variable put before Entry. Earlier: the team of the
/// forward pass (Reverse). Returns what starting returned.
llvm::Value *
emitTeam(UnitEmitter &E, llvm::IRBuilder<> &B, llvm::Instruction *Entry,
         Team Kind, const llvm::Twine &Name,
         llvm::ArrayRef<llvm::Value *> Captured, llvm::Value *Earlier,
         llvm::function_ref<void(llvm::IRBuilder<> &, ThreadPart &)> Part);

/// The same for one thread, which goes on beside this one; Reverse may be
/// null. Release frees its arena (null: it has none). Made is told of each
/// function that was made for it, and whether that is the reverse pass's.
/// Returns the thread.
llvm::Value *
emitThread(UnitEmitter &E, llvm::IRBuilder<> &B, llvm::Instruction *Entry,
           const llvm::Twine &Name, llvm::ArrayRef<llvm::Value *> Captured,
           llvm::Function *Release,
           llvm::function_ref<void(llvm::IRBuilder<> &, ThreadPart &)> Forward,
           llvm::function_ref<void(llvm::IRBuilder<> &, ThreadPart &)> Reverse,
           llvm::function_ref<void(llvm::Function *, bool)> Made);

} // namespace retro

#endif
