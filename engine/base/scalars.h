// The scalars of a type: itself, or those of its elements and fields.
#ifndef RETRO_BASE_SCALARS_H
#define RETRO_BASE_SCALARS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"

namespace retro {

/// Are there floats among the scalars of T?
inline bool containsFloat(const llvm::Type *T) {
  return T->isFPOrFPVectorTy() || any_of(T->subtypes(), containsFloat);
}

/// Is each element and field of T, down to what has none, of such a type?
inline bool isOnly(const llvm::Type *T,
                   llvm::function_ref<bool(const llvm::Type *)> Such) {
  if (!T->isAggregateType())
    return Such(T);
  return all_of(T->subtypes(),
                [&](const llvm::Type *E) { return isOnly(E, Such); });
}

} // namespace retro

#endif
