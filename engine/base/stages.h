// The stages of the engine: each has a name and a reason, is timed, and what it
// leaves can be printed and verified. Without them a pass that breaks code
// would show where the compiler's backend ends, or not at all.
#ifndef RETRO_BASE_STAGES_H
#define RETRO_BASE_STAGES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Times one stage of the engine from here to the end of the block: printed
/// with -mllvm -retro-time when the compiler ends, and part of clang's
/// -ftime-trace. The time of a stage inside of another one is its own alone.
/// Name is one word.
class Stage {
public:
  Stage(llvm::StringRef Name, llvm::StringRef Description);
  ~Stage();
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

private:
  llvm::Timer *Timer = nullptr; ///< null where nobody asks
  Stage *Outer;
  llvm::TimeTraceScope Trace;
};

/// What a stage has left of F: printed with -retro-print-after=Name; verified
/// with -retro-verify-each, which ends the compiler at the stage that broke it.
void leaveStage(llvm::StringRef Name, const llvm::Function &F);

/// Runs a rewrite of F alone as a stage, from its timer to leaveStage.
void runStage(llvm::StringRef Name, llvm::StringRef Why, llvm::Function &F,
              llvm::function_ref<void()> Rewrite);

} // namespace retro

#endif
