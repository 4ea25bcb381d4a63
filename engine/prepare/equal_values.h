#ifndef RETRO_PREPARE_EQUAL_VALUES_H
#define RETRO_PREPARE_EQUAL_VALUES_H

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace retro {

/// What is computed the same way on every way to a block is computed in it, so
/// that the reverse pass need not know which was taken (equal_values.cpp).
void joinEqualValues(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace retro

#endif
