// What an operand of a request is at compile time.
#ifndef RETRO_FRONT_KNOWN_OPERANDS_H
#define RETRO_FRONT_KNOWN_OPERANDS_H

#include "base/plan.h"

#include "llvm/IR/Argument.h"
#include <optional>

namespace retro {

/// Where a value comes from, seen through casts, aliases, constant tables and
/// what -O0 leaves of variables.
llvm::Value *originOf(llvm::Value *V, unsigned Depth = 0);

/// The number that an operand is, or nothing.
std::optional<uint64_t> constantOf(llvm::Value *V, unsigned Depth = 0);

/// The marker (without its prefix) that an operand is, or "".
llvm::StringRef markerOf(const llvm::Value *V);

/// Are floats among the scalars of T?
bool containsFloat(llvm::Type *T);

/// The activity of a parameter for which no marker is given.
Activity defaultActivity(const llvm::Argument &A, Mode M);

/// Converts what was passed to the parameter's type where C promotion or the
/// ABI changed it; null when that is not possible.
llvm::Value *coerce(llvm::Value *V, llvm::Type *T, llvm::Instruction *Before);

} // namespace retro

#endif
