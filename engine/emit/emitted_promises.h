// What emission promises those that come after it.
#ifndef RETRO_EMIT_EMITTED_PROMISES_H
#define RETRO_EMIT_EMITTED_PROMISES_H

#include "base/unit.h"

namespace retro {

/// Ends the compiler with the promise that an emitted function breaks: each has
/// a body, and names no function of the unit, which is deleted next, and none
/// in the form that libraries have there.
void checkEmitted(const Unit &U, llvm::ArrayRef<llvm::Function *> New);

} // namespace retro

#endif
