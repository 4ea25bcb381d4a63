// The body of a function of the unit, copied into one that is emitted. What is
// emitted must not call the clones of a unit, which go when it has been
// derived.
#ifndef RETRO_EMIT_COMMON_CLONED_BODY_H
#define RETRO_EMIT_COMMON_CLONED_BODY_H

#include "facts/activity/activity.h"

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace retro {

/// Fills T with the body of a unit's function, for this module alone.
llvm::SmallVector<llvm::ReturnInst *> cloneInto(llvm::Function &T,
                                                const UnitFunction &UF,
                                                llvm::ValueToValueMapTy &VM);

/// Lets a call of a function of the unit enter the user's function.
void callSource(llvm::CallBase &C, llvm::Function &Source);

} // namespace retro

#endif
