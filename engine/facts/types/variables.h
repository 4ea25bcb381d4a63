// The program's own names of the memory that it writes, from debug information.
#ifndef RETRO_FACTS_TYPES_VARIABLES_H
#define RETRO_FACTS_TYPES_VARIABLES_H

#include "llvm/IR/Value.h"

namespace retro {

/// The variable that an address lies in, or that it was reached from: of `x[i]`
/// and of `x->y[i]` it is `x`. Empty: debug information names none.
llvm::StringRef variableBehind(const llvm::Value &Address);

} // namespace retro

#endif
