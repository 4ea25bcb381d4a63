// Input: a module with requests, as the front end wrote it. Output: the same
// module, where the addresses of a container's own nodes are marked: that of a
// list's end, of what stands before a hash table's first element, of its only
// bucket. Each leads to memory that is like the other nodes and buckets, and
// so they lead to the container with all that lies around it. What memory holds
// is told of the two apart.
#ifndef RETRO_PREPARE_MEMORY_CONTAINER_HEADS_H
#define RETRO_PREPARE_MEMORY_CONTAINER_HEADS_H

#include "llvm/IR/Module.h"

namespace retro {

/// Marks such addresses of libstdc++'s containers where they are stored, passed
/// on or chosen. A mark is a call that LLVM keeps apart. True if there is one.
bool markHeads(llvm::Module &M);

bool isHeadMark(const llvm::Instruction &I);

/// The marks of one function become addresses with metadata of their own:
/// behind the simplification, which would forget them.
void lowerHeads(llvm::Function &F);

/// Takes the marks out again.
bool dropHeads(llvm::Module &M);

} // namespace retro

#endif
