// Pointers to the characters of strings, which the library moves with the
// strings, and which have no shadow.
#ifndef RETRO_FACTS_LOSSES_CHARACTERS_H
#define RETRO_FACTS_LOSSES_CHARACTERS_H

#include "base/unit.h"

#include "llvm/ADT/SetVector.h"

namespace retro {

using ValueSet = llvm::SmallSetVector<const llvm::Value *, 16>;

/// The pointers that functions of std::string load, and what is computed of
/// them, passed on and returned, as far as they are not stored.
ValueSet charactersIn(Unit &U);

} // namespace retro

#endif
