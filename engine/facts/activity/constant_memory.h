// Memory of which only the running derivative knows whether it has a shadow,
// and what must not be done with it where it has none.
#ifndef RETRO_FACTS_ACTIVITY_CONSTANT_MEMORY_H
#define RETRO_FACTS_ACTIVITY_CONSTANT_MEMORY_H

#include "facts/activity/activity.h"

namespace retro {

/// What an instruction loses if memory at Place is constant.
struct ConstantUse {
  enum LossKind {
    Written, ///< active numbers, or shadows of pointers
    Pointer, ///< the shadow of a pointer, unless it leads to constant memory
    Copied,  ///< what a copy moves, unless that is from constant memory
    Read,    ///< the derivative of what is read
  };
  const llvm::Value *Place;
  LossKind Loss;
};

/// What I would lose, where that can be.
llvm::SmallVector<ConstantUse, 2> usesIfConstant(const ActivityAnalysis &Act,
                                                 const llvm::Instruction &I);

} // namespace retro

#endif
