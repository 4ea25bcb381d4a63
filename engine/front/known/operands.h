// What the operands of a request are at compile time.
#ifndef RETRO_FRONT_KNOWN_OPERANDS_H
#define RETRO_FRONT_KNOWN_OPERANDS_H

#include "base/plan.h"
#include "base/scalars.h"

#include "llvm/IR/Argument.h"
#include <optional>

namespace retro {

/// Where a value comes from, looked up through casts, aliases, constant tables,
/// and variables at -O0.
llvm::Value *originOf(llvm::Value *V);
const llvm::Value *originOf(const llvm::Value *V);

/// The integer that an operand is, if it is a constant.
std::optional<uint64_t> constantOf(llvm::Value *V, unsigned Depth = 0);

/// The marker that an operand is, without its prefix; "" if it is none.
llvm::StringRef markerOf(const llvm::Value *V);

/// The activity of a parameter that has no marker.
Activity defaultActivity(const llvm::Argument &A, Mode M);

/// Converts what was passed to the parameter's type, where promotions of C or
/// the ABI changed it. Null if that is impossible.
llvm::Value *coerce(llvm::Value *V, llvm::Type *T, llvm::Instruction *Before);

} // namespace retro

#endif
