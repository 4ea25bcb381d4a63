// How an index into memory steps: which multiples it takes, from which start.
#ifndef RETRO_FACTS_MEMORY_STEPS_H
#define RETRO_FACTS_MEMORY_STEPS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

namespace retro {

/// Offset, plus a multiple of Every, plus the distances between some pointers.
struct Steps {
  /// The distance from the second pointer to the first one.
  using Distance = std::pair<const llvm::Value *, const llvm::Value *>;
  int64_t Every = 0; ///< 0: it is constant, but for the distances
  int64_t Offset = 0;
  llvm::SmallVector<Distance, 1> Distances;
  /// Distances that are added in some cases and not in others.
  llvm::SmallVector<Distance, 1> Perhaps;

  void add(const Steps &S);
  void scale(int64_t Factor);
};

/// The steps that an integer takes, as far as its computation shows them.
Steps stepsOf(const llvm::Value *V, const llvm::DataLayout &DL);

} // namespace retro

#endif
