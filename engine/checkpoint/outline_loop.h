// Puts a call in the place of a loop. The function that is called has a
// gradient of the engine's own, which runs the loop's steps again from a few
// kept states (runtime/checkpoint.c).
#ifndef RETRO_CHECKPOINT_OUTLINE_LOOP_H
#define RETRO_CHECKPOINT_OUTLINE_LOOP_H

#include "base/diagnostics.h"
#include "front/registered/registrations.h"
#include "front/requests/request.h"

namespace retro {

struct OutlinedLoop {
  Registration Registered;             ///< of the function that is called
  llvm::Function *Requester = nullptr; ///< it requests the gradient of a step
  /// Everything that was made for the loop.
  llvm::SmallVector<llvm::GlobalObject *, 12> Parts;
};

/// Outlines the loop of F with this mark, or the marked loop around it.
/// Activities are those of F's parameters. Returns nothing after a report.
std::optional<OutlinedLoop> outlineLoop(llvm::Function &F, llvm::CallInst &Mark,
                                        llvm::ArrayRef<Activity> Activities,
                                        Reporter &R);

/// Outlines the loop with this header, whose state consists of numbers and
/// local variables. At most States states are kept at a time.
std::optional<OutlinedLoop> outlineLoop(llvm::BasicBlock &Header,
                                        uint64_t States,
                                        llvm::ArrayRef<Activity> Activities,
                                        Reporter &R);

} // namespace retro

#endif
