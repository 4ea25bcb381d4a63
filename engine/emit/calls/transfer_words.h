// The words that a copy or fill of memory moves, visited one by one: in code
// for each, or in loops.
#ifndef RETRO_EMIT_CALLS_TRANSFER_WORDS_H
#define RETRO_EMIT_CALLS_TRANSFER_WORDS_H

#include "facts/activity/transfer_layout.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Where a word lies: at an offset, or an element of an array at one.
struct Place {
  llvm::Type *T;
  llvm::Value *Offset;
  llvm::Value *Index = nullptr;

  llvm::Value *in(llvm::IRBuilder<> &B, llvm::Value *Base) const {
    auto *Zero = llvm::dyn_cast<llvm::ConstantInt>(Offset);
    llvm::Value *P =
        Zero && Zero->isZero() ? Base : B.CreatePtrAdd(Base, Offset);
    return Index ? B.CreateGEP(T, P, Index) : P;
  }
};

/// Is the memory an array of these words and nothing else?
bool isArray(const TransferLayout &L, llvm::ArrayRef<Run> Runs,
             const llvm::DataLayout &DL);

/// Emits Body for each word of the runs that lies in the first Bytes bytes.
void forEachWord(llvm::IRBuilder<> &B, const TransferLayout &L,
                 llvm::ArrayRef<Run> Runs, llvm::Value *Bytes,
                 llvm::function_ref<void(const Place &)> Body);

} // namespace retro

#endif
