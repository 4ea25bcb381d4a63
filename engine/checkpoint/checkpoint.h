// Checkpointing of marked loops: the steps of such a loop are run again from a
// few kept states instead of being taped together.
//
// A request for a function with a marked loop is made one for a copy of it. In
// the copy a call stands for the loop: of a function with a gradient of the
// engine's own, which hands the loop's step, and the gradient of one step, to
// the runtime (runtime/checkpoint.c). The gradient of the step is a request
// like any other. So the marked loops in it, threads and messages need nothing
// further. Members of Checkpoints: checkpoint.cpp; loop_checkpoints.cpp (loops
// that nobody marked).
#ifndef RETRO_CHECKPOINT_CHECKPOINT_H
#define RETRO_CHECKPOINT_CHECKPOINT_H

#include "base/diagnostics.h"
#include "base/toggles.h"
#include "checkpoint/outline_loop.h"
#include "checkpoint/tape_estimate.h"
#include "front/registered/registrations.h"
#include "front/requests/request.h"

#include <map>
#include <utility>

namespace retro {

class Checkpoints {
public:
  explicit Checkpoints(Registrations &R) : Registered(R) {}
  ~Checkpoints();

  /// Does a marked loop stand in F, which is a step of another one?
  static bool isNested(llvm::Function &F);
  /// The target of the request, or the copy that stands for it; null after an
  /// error.
  llvm::Function *prepare(const Request &Req, Reporter &R);
  /// The same for loops without marks: returns the target, or a copy in which
  /// loops with large tapes and small states are checkpointed
  /// (loop_checkpoints.cpp). It reports no errors; where something does not
  /// fit, it returns the target.
  llvm::Function *prepareUnmarked(const Request &Req, Traits Modes,
                                  const Surroundings &S);
  /// The functions made since the last call that request the gradient of a
  /// step.
  std::vector<llvm::Function *> takeRequesters() {
    return std::exchange(Requesters, {});
  }

private:
  static llvm::Function *copyOf(llvm::Function &F);
  void add(OutlinedLoop Loop);

  Registrations &Registered;
  using ByRequest = std::map<std::pair<llvm::Function *, std::vector<Activity>>,
                             llvm::Function *>;
  ByRequest Copies;
  ByRequest Unmarked; ///< answers of prepareUnmarked
  std::vector<llvm::Function *> Requesters;
  std::vector<llvm::Function *> Loops; ///< declarations that stand for loops
};

/// Removes marks, which mean nothing in code that is not differentiated in
/// reverse.
bool dropCheckpointMarks(llvm::Module &M);

} // namespace retro

#endif
