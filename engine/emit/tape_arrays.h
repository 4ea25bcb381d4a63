// Where the arrays of a loop nest's tape lie, and their elements: the forward
// pass that writes them, the reverse pass that reads them and the measure of a
// pool have to agree to the byte.
#ifndef RETRO_EMIT_TAPE_ARRAYS_H
#define RETRO_EMIT_TAPE_ARRAYS_H

#include "emit/common/unit_emitter.h"

namespace retro {

/// Offsets of the fields of an indexed tape, from the trips of its loops, and
/// bytes from one element to the next.
struct IndexedLayout {
  llvm::SmallVector<llvm::Value *, 4> Offsets;
  llvm::SmallVector<uint64_t, 4> Steps;
  llvm::Value *Total = nullptr;
};

IndexedLayout layoutIndexed(
    llvm::IRBuilder<> &B, UnitEmitter &E, const LoopTape &Tape,
    llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Trips);

/// The place of one element of a field.
llvm::Value *elementAt(llvm::IRBuilder<> &B, llvm::Type *T, llvm::Value *Array,
                       llvm::Value *Index, uint64_t Step);

/// The element number in a nest, from counters and trips of its loops.
llvm::Value *
nestIndex(llvm::IRBuilder<> &B, llvm::ArrayRef<const llvm::BasicBlock *> Nest,
          llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Counter,
          llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Trips);

} // namespace retro

#endif
