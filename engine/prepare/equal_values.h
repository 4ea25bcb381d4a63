// Values that are the same on every way to a block.
#ifndef RETRO_PREPARE_EQUAL_VALUES_H
#define RETRO_PREPARE_EQUAL_VALUES_H

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace retro {

/// Computes in a block what is computed the same way on every way to it, so
/// that the reverse pass need not know which way was taken.
void joinEqualValues(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace retro

#endif
