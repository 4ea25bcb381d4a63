// How a program marks a loop whose steps are to be run again in reverse mode
// (include/retrograde/checkpoint.h).
#ifndef RETRO_FRONT_REQUESTS_CHECKPOINT_MARKS_H
#define RETRO_FRONT_REQUESTS_CHECKPOINT_MARKS_H

#include "llvm/IR/Instructions.h"

namespace retro {

/// Is I a call of retro_checkpoint or of retro_checkpoint_state?
bool isCheckpointMark(const llvm::Instruction &I);
bool isStateMark(const llvm::Instruction &I);
inline bool isAnyCheckpointMark(const llvm::Instruction &I) {
  return isCheckpointMark(I) || isStateMark(I);
}

/// Attributes: of the function that is one step; of its parameters that are
/// variables of the function around the loop, and part of the state; and of the
/// function that stands for the loop.
constexpr const char *StepAttribute = "retro-checkpoint-step";
constexpr const char *LocalAttribute = "retro-checkpoint-local";
constexpr const char *LoopAttribute = "retro-checkpoint-loop";
/// The last attribute's value for a loop that nobody marked: it writes
/// variables of the function around it, which are its arguments.
constexpr const char *WritesLocals = "locals";

} // namespace retro

#endif
