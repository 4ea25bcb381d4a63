// Indices that are remainders: they are less than what is divided by.
#ifndef RETRO_RANGES_REMAINDERS_H
#define RETRO_RANGES_REMAINDERS_H

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace retro {

/// Keeps ScalarEvolution from writing remainders in F as differences, in which
/// nobody would find them again. F is looked at, and not run.
void keepRemainders(llvm::Function &F);

/// Scale times the remainder, which has as many bits as it is computed with, or
/// is extended, with its sign or without.
struct ScaledRemainder {
  llvm::BinaryOperator *Of;
  int64_t Scale;
  bool SignExtended;
};
std::optional<ScaledRemainder> remainderOf(const llvm::SCEV *S);

} // namespace retro

#endif
