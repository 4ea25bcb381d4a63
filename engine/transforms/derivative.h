// The functions that answer a request.
#ifndef RETRO_TRANSFORMS_DERIVATIVE_H
#define RETRO_TRANSFORMS_DERIVATIVE_H

#include "llvm/IR/Function.h"

namespace retro {

struct Derivative {
  /// Combined gradient or tangent:
  ///   {primal?, adjoints of Out | tangent} (arguments, shadows of Dup)
  llvm::Function *Whole = nullptr;
  /// Split mode. Both take the arguments and the shadows of Dup, then
  ///   Augmented: memory for the tape or null
  ///              -> {tape, primal?, shadows of a pointer result}
  ///   Second:    the seeds (reverse) and the tape
  ///              -> {adjoints of Out} or {tangent}
  llvm::Function *Augmented = nullptr, *Second = nullptr;
  uint64_t TapeBytes = 0; ///< of the tape itself, without what grows

  explicit operator bool() const { return Whole || (Augmented && Second); }
};

} // namespace retro

#endif
