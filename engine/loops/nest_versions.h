// Two versions of a nest of loops, of which the program runs one.
#ifndef RETRO_LOOPS_NEST_VERSIONS_H
#define RETRO_LOOPS_NEST_VERSIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class Metadata;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace retro {

/// Where an array begins, and where it ends; null if that is not known.
using ArrayBounds = std::pair<const llvm::SCEV *, const llvm::SCEV *>;

/// Computes, in front of At, whether the two arrays of no pair overlap; null if
/// the bounds of one cannot be computed there. Name is what the expressions'
/// values are called.
llvm::Value *compareArrays(llvm::ArrayRef<std::pair<unsigned, unsigned>> Pairs,
                           llvm::function_ref<ArrayBounds(unsigned)> BoundsOf,
                           llvm::ScalarEvolution &SE, llvm::Instruction *At,
                           const char *Name);

/// Puts a copy of the nest, which is left at its latch alone, beside it; that
/// runs where Apart is true. VM maps the nest's instructions to the copy's.
void versionNest(llvm::Loop &Nest, llvm::Value *Apart, llvm::LoopInfo &LI,
                 llvm::DominatorTree &DT, llvm::ValueToValueMapTy &VM);

/// Says of an access in the copy that what it touches, of that scope, is apart
/// from Others: to LLVM, and to the engine with metadata of this kind.
void markApart(llvm::Instruction &Access, llvm::Metadata *Scope,
               llvm::ArrayRef<llvm::Metadata *> Others, llvm::StringRef Kind);

/// The metadata of the outermost loop of a nest in which places are apart as
/// the accesses' ApartInNest says.
inline constexpr const char *ApartNest = "retro.apart.nest";

} // namespace retro

#endif
