// Puts a call in the place of a loop: of a function with a gradient of the
// engine's own, which runs the loop's steps again from a few kept states
// (runtime/checkpoint.c).
#ifndef RETRO_CHECKPOINT_OUTLINE_LOOP_H
#define RETRO_CHECKPOINT_OUTLINE_LOOP_H

#include "base/diagnostics.h"
#include "front/registered/registrations.h"
#include "front/requests/request.h"

namespace retro {

struct OutlinedLoop {
  Registration Registered;             ///< of the function that is called
  llvm::Function *Requester = nullptr; ///< it requests the gradient of a step
  /// All that was made of the loop.
  llvm::SmallVector<llvm::GlobalObject *, 12> Parts;
};

/// The loop of F with this mark, or the loop with marks around it. Activities:
/// of the parameters of F. Nothing is returned after a report.
std::optional<OutlinedLoop> outlineLoop(llvm::Function &F, llvm::CallInst &Mark,
                                        llvm::ArrayRef<Activity> Activities,
                                        Reporter &R);

/// The loop with this header, of which all that goes from step to step is in
/// numbers and local variables; so many states are kept at a time.
std::optional<OutlinedLoop> outlineLoop(llvm::BasicBlock &Header,
                                        uint64_t States,
                                        llvm::ArrayRef<Activity> Activities,
                                        Reporter &R);

} // namespace retro

#endif
