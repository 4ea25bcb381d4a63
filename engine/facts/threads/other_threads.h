// What the threads run that functions of a unit start, beside the one that
// called the derivative.
#ifndef RETRO_FACTS_THREADS_OTHER_THREADS_H
#define RETRO_FACTS_THREADS_OTHER_THREADS_H

#include "facts/activity/activity.h"

namespace retro {

class OtherThreads {
public:
  explicit OtherThreads(const ActivityAnalysis &Act);

  /// Might another thread than the one that makes I, an atomic operation, write
  /// what I reads? Two atomic operations on one object have its size.
  bool mayWrite(const llvm::Instruction &I) const;

private:
  const ActivityAnalysis &Act;
  llvm::SmallSetVector<const llvm::Function *, 8> Run; ///< by them
  llvm::SmallVector<const llvm::Instruction *> Writes; ///< in these functions
  bool Unknown = false; ///< do they call what might write anything?
};

} // namespace retro

#endif
