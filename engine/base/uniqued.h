// Values of which LLVM has only one each: constants, and metadata as values.
// Nobody changes them, so a caller that has such a value as const may get it
// without.

#ifndef RETRO_BASE_UNIQUED_H
#define RETRO_BASE_UNIQUED_H

#include "llvm/IR/Constant.h"
#include "llvm/IR/Metadata.h"

namespace retro {

inline llvm::Constant *uniqued(const llvm::Constant *C) {
  return const_cast<llvm::Constant *>(C);
}

/// V if it is of no function and so the same wherever it is used; else null.
inline llvm::Value *uniqued(const llvm::Value *V) {
  return llvm::isa<llvm::Constant, llvm::MetadataAsValue>(V)
             ? const_cast<llvm::Value *>(V)
             : nullptr;
}

} // namespace retro

#endif
