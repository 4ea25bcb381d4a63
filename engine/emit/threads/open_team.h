// Teams in a derivative that is going to be derived itself: OpenMP's own calls
// and code around them, as programs have them, which a derivative can be made
// of. All other derivatives start teams by functions of runtime/openmp.c.
#ifndef RETRO_EMIT_THREADS_OPEN_TEAM_H
#define RETRO_EMIT_THREADS_OPEN_TEAM_H

#include "emit/threads/fork.h"

namespace retro {

class Runtime;

/// Emits at B the start of a team, each thread of which runs Part (context,
/// arena, frame, thread, bound), and the wait for its end. Context: a
/// variable. Earlier (Reverse): the team of the forward pass. Returns that
/// (Forward), or null.
llvm::Value *startOpenTeam(UnitEmitter &E, llvm::IRBuilder<> &B,
                           llvm::Instruction *Entry, Team Kind,
                           llvm::Function &Part, llvm::Value *Context,
                           llvm::Value *Earlier);

/// void (team, i64, i64): frees what a team of the kind Forward keeps.
llvm::Function *openTeamFree(llvm::Module &M, Runtime &RT);

/// Emits a barrier of the running thread's team.
void emitOpenBarrier(llvm::IRBuilder<> &B);

/// Emits the begin or the end of what one thread alone runs as a team.
void emitOpenSequential(llvm::IRBuilder<> &B, llvm::Value *Place, bool End);

} // namespace retro

#endif
