// Indices that are computed as 32-bit numbers are computed as 64-bit ones.
#ifndef RETRO_LOOPS_WIDE_INDICES_H
#define RETRO_LOOPS_WIDE_INDICES_H

namespace llvm {
class Function;
}

namespace retro {

/// Computes what F extends with its sign from sums and products that may not
/// wrap with as many bits as it is extended to. True if F has changed.
bool widenIndices(llvm::Function &F);
/// Does the same for what remainders are taken of.
bool widenRemainders(llvm::Function &F);

} // namespace retro

#endif
