// The leaves of a first-class type, in order: the scalars of nested structs and
// arrays. Each of them is a content of its own to the shape of memory.
#ifndef RETRO_FACTS_MEMORY_LEAVES_H
#define RETRO_FACTS_MEMORY_LEAVES_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Type;
} // namespace llvm

namespace retro {

void leavesOf(llvm::Type *T, llvm::SmallVectorImpl<llvm::Type *> &Out);
unsigned leafCount(llvm::Type *T);
/// The number of the first leaf below an index path.
unsigned leafIndex(llvm::Type *T, llvm::ArrayRef<unsigned> Path);

} // namespace retro

#endif
