// Two versions of a nest of loops, of which the program runs one.
#ifndef RETRO_LOOPS_NEST_VERSIONS_H
#define RETRO_LOOPS_NEST_VERSIONS_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class Value;
} // namespace llvm

namespace retro {

/// Puts a copy of the nest, which is left at its latch alone, beside it; that
/// runs where Apart is true. VM maps the nest's instructions to the copy's.
void versionNest(llvm::Loop &Nest, llvm::Value *Apart, llvm::LoopInfo &LI,
                 llvm::DominatorTree &DT, llvm::ValueToValueMapTy &VM);

/// The metadata of the outermost loop of a nest in which places are apart as
/// the accesses' ApartInNest says.
inline constexpr const char *ApartNest = "retro.apart.nest";

} // namespace retro

#endif
