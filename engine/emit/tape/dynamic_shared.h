// Shared memory of a size that the launch gives (extern __shared__). All arrays
// of it begin at one address. Where it has a shadow, a launch gives room for
// both: equal parts, the first of which is the primal's.
#ifndef RETRO_EMIT_TAPE_DYNAMIC_SHARED_H
#define RETRO_EMIT_TAPE_DYNAMIC_SHARED_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace retro {

struct Unit;

/// The alignment of the parts of such an array's memory.
llvm::Align partAlign(const llvm::GlobalVariable &G);

/// Arrays that begin at one address become one array.
void uniteDynamicShared(llvm::Module &M);

/// The bytes of each of Parts, a multiple of A.
llvm::Value *dynamicSharedPart(llvm::IRBuilder<> &B, unsigned Parts,
                               llvm::Align A);

/// What Shadow stood for so far is part Number of Parts, behind Of. Deletes
/// Shadow.
void placeInPart(llvm::GlobalVariable &Shadow, llvm::GlobalVariable &Of,
                 unsigned Number, unsigned Parts);

/// Ends the program if Bytes do not fit into each of Parts.
void requireDynamicShared(llvm::IRBuilder<> &B, llvm::Value *Bytes,
                          unsigned Parts, llvm::Align A);

} // namespace retro

#endif
