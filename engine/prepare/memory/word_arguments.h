// Words that are numbers at one time and pointers or integers at another, where
// functions take and return them in registers: structs that are a tag and a
// union.
#ifndef RETRO_PREPARE_MEMORY_WORD_ARGUMENTS_H
#define RETRO_PREPARE_MEMORY_WORD_ARGUMENTS_H

#include "facts/memory/memory_shape.h"

namespace retro {

/// Has such words go to functions of the unit, and come from them, in variables
/// of the callers. Returns whether there were any.
bool passWordsInMemory(Unit &U, const MemoryShape &Shape);

} // namespace retro

#endif
