// Objects that are thrown and caught.
#ifndef RETRO_FACTS_MEMORY_THROWN_OBJECTS_H
#define RETRO_FACTS_MEMORY_THROWN_OBJECTS_H

#include "base/unit.h"

namespace retro {

/// Is C an object that is going to be thrown, or one that a handler is given?
bool isThrownObject(const llvm::CallBase &C);
bool isCaughtObject(const llvm::CallBase &C);
/// May C destroy such an object?
bool endsCatch(const llvm::CallBase &C);

/// Does a handler find each object that U throws where that begins? A pointer
/// that is thrown is given to it as what it points to, and a base class may lie
/// further on.
bool isCaughtWhole(const Unit &U);

} // namespace retro

#endif
