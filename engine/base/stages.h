// Where the engine's own time goes.
#ifndef RETRO_BASE_STAGES_H
#define RETRO_BASE_STAGES_H

#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"

namespace retro {

/// Times one stage of the engine from here to the end of the block: printed
/// with -mllvm -retro-time when the compiler ends, and part of clang's
/// -ftime-trace. Stages do not nest. Name is one word.
class Stage {
public:
  Stage(llvm::StringRef Name, llvm::StringRef Description);

private:
  llvm::NamedRegionTimer Timer;
  llvm::TimeTraceScope Trace;
};

} // namespace retro

#endif
