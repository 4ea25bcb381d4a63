// Integer recurrences whose steps grow by the same number each time: positions
// in triangles of matrices.
#ifndef RETRO_PREPARE_RECURRENCES_H
#define RETRO_PREPARE_RECURRENCES_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace retro {

/// The value of integer phi P of L's header in iteration number Counter,
/// emitted at B; null if P is no polynomial of the counter. What the loop does
/// not change is emitted before the loop.
llvm::Value *polynomialOf(llvm::PHINode &P, llvm::Loop &L, llvm::Value *Counter,
                          llvm::IRBuilder<> &B, llvm::ScalarEvolution &SE,
                          const llvm::DominatorTree &DT);

} // namespace retro

#endif
