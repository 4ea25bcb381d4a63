// Units in the last place of numbers.
#ifndef RETRO_EMIT_WORDS_LAST_PLACE_H
#define RETRO_EMIT_WORDS_LAST_PLACE_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// One unit in the last place of V, or of each of its lanes; infinite where V
/// is no finite number. With Underflows, at least the smallest number.
llvm::Value *unitInLastPlace(llvm::IRBuilder<> &B, llvm::Value *V,
                             bool Underflows);

/// Up to this size, each integer is a number of type T.
llvm::Value *largestExact(llvm::Type *T);

} // namespace retro

#endif
