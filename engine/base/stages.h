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

/// Times one stage of the engine, from here to the end of the block. Printed
/// with -mllvm -retro-time when the compiler ends, and part of clang's
/// -ftime-trace. A stage inside another one is not counted for the outer one.
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

/// Looks at what a stage has left of F: prints it with -retro-print-after=Name,
/// and verifies it with -retro-verify-each, which ends the compiler at the
/// stage that broke it.
void leaveStage(llvm::StringRef Name, llvm::Function &F);

/// Runs a rewrite of F as a stage, with its timer and leaveStage.
void runStage(llvm::StringRef Name, llvm::StringRef Why, llvm::Function &F,
              llvm::function_ref<void()> Rewrite);

} // namespace retro

#endif
