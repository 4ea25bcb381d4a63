// What debug information says of a type: where its numbers, pointers and
// integers lie.
#ifndef RETRO_FACTS_TYPES_DEBUG_TYPES_H
#define RETRO_FACTS_TYPES_DEBUG_TYPES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Type.h"

namespace retro {

struct DebugField {
  int64_t Offset;
  unsigned Size;
  llvm::Type *Float = nullptr;           ///< a number of this type
  const llvm::DIType *Pointee = nullptr; ///< a pointer to this type
  bool Pointer = false;
};

struct DebugLayout {
  llvm::SmallVector<DebugField, 8> Fields;
  /// Parts of which all is known: what is no field there is padding.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> Described;
};

/// The layout of a type. Where the members of a union or of an enum's variants
/// disagree, nothing is known.
DebugLayout layoutOf(const llvm::DIType *T, llvm::LLVMContext &C);

/// What a pointer of this type points to, or null. A struct around a pointer
/// is one.
const llvm::DIType *pointeeOf(const llvm::DIType *T, llvm::LLVMContext &C);

} // namespace retro

#endif
