// The functions that answer a request. The splice (answer/) and the launches of
// kernels call them; what they take and return is said here alone.
#ifndef RETRO_EMIT_COMMON_DERIVATIVE_H
#define RETRO_EMIT_COMMON_DERIVATIVE_H

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
  /// What TapeBytes is where only Measure can say how many they are.
  static constexpr uint64_t Unknown = ~uint64_t(0);
  /// The tape lies in a pool: in place of memory for it, or of the tape, all
  /// functions take the pool, its bytes for a thread, which thread it is, and
  /// how many there are.
  bool Pooled = false;
  /// How many parts of which alignment the dynamic shared memory of a launch
  /// has, if there are shadows in it; else 0.
  unsigned SharedParts = 0;
  llvm::Align SharedAlign;
  /// On a GPU: Whole takes all registers that a thread can have.
  bool Crowded = false;
  /// i64 (arguments): the bytes of the pool that the tape of a thread takes.
  llvm::Function *Measure = nullptr;

  explicit operator bool() const {
    return Whole || (Augmented && Second) || Measure;
  }
};

} // namespace retro

#endif
