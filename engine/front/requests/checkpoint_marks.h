// How a program marks a loop whose steps are to be run again in reverse mode
// (include/retrograde/checkpoint.h).
#ifndef RETRO_FRONT_REQUESTS_CHECKPOINT_MARKS_H
#define RETRO_FRONT_REQUESTS_CHECKPOINT_MARKS_H

#include "llvm/IR/Instructions.h"

namespace retro {

/// A call of retro_checkpoint, or of retro_checkpoint_state.
bool isCheckpointMark(const llvm::Instruction &I);
bool isStateMark(const llvm::Instruction &I);
inline bool isAnyCheckpointMark(const llvm::Instruction &I) {
  return isCheckpointMark(I) || isStateMark(I);
}

/// Of the function that is one step; of its parameters that are variables of
/// the function around the loop, kept with the state; and of the function that
/// stands for the loop.
constexpr const char *StepAttribute = "retro-checkpoint-step";
constexpr const char *LocalAttribute = "retro-checkpoint-local";
constexpr const char *LoopAttribute = "retro-checkpoint-loop";
/// Its value, of a loop that nobody marked: it writes variables of the function
/// around it, and they are arguments.
constexpr const char *WritesLocals = "locals";

} // namespace retro

#endif
