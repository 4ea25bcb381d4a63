// Adjoint operations on shadow memory: an adjoint is taken, put or added there,
// number by number of whatever type. Words that are not numbers stay as they
// are: in a shadow they may be pointers.
#ifndef RETRO_EMIT_WORDS_MEMORY_ADJOINT_H
#define RETRO_EMIT_WORDS_MEMORY_ADJOINT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Visits each scalar or vector of floats in T with its offset.
void forEachFloat(
    const llvm::DataLayout &DL, llvm::Type *T, uint64_t Offset,
    llvm::SmallVectorImpl<unsigned> &Path,
    llvm::function_ref<void(llvm::Type *, uint64_t, llvm::ArrayRef<unsigned>)>
        Visit);

/// The alignment of a shadow at an offset from a place that in the primal has
/// alignment A. Programs ask at run time how addresses are aligned before they
/// load vectors; only the alignment of numbers is the same in the shadow.
llvm::Align shadowAlign(const llvm::DataLayout &DL, llvm::Type *T,
                        llvm::Align A, uint64_t Offset);

/// The derivative D of a value as one of type T, in which a number may be the
/// bits of an integer or the other way round.
llvm::Value *derivativeAs(llvm::IRBuilder<> &B, llvm::Value *D, llvm::Type *T);

/// Reads the adjoint of type T from shadow memory and leaves zero there.
/// Words that are not floats are neither read nor written.
llvm::Value *takeFromMemory(llvm::IRBuilder<> &B, llvm::Value *Shadow,
                            llvm::Type *T, llvm::Align A);
/// Reads the adjoint likewise, but leaves it there: putInMemory follows.
llvm::Value *readFromMemory(llvm::IRBuilder<> &B, llvm::Value *Shadow,
                            llvm::Type *T, llvm::Align A);
/// Puts the adjoint G into shadow memory whatever is there.
void putInMemory(llvm::IRBuilder<> &B, llvm::Value *Shadow, llvm::Value *G,
                 llvm::Align A);
/// How an adjoint is added to shadow memory.
enum class Adding {
  Plain,
  Kept,   ///< the optimizer leaves the load and the store as they are (they are
          ///< volatile until the end)
  Atomic, ///< other threads may add to the same memory
  Reduced,  ///< all threads of a GPU's warp add to the same memory
  Combined, ///< they may; the thread adds up its own part first
  Apart,    ///< they do not if shadows by other names are apart
};
/// Adds the adjoint G to shadow memory, neither Combined nor Apart.
void addToMemory(llvm::IRBuilder<> &B, llvm::Value *Shadow, llvm::Value *G,
                 llvm::Align A, Adding How = Adding::Plain);
/// Combined: adds the number or vector G where the thread adds up its part.
void combineToMemory(llvm::IRBuilder<> &B, llvm::Value *Combiner,
                     llvm::Value *Shadow, llvm::Value *G);
/// Combined: hands over what the thread added up for a value of type T.
void settleMemory(llvm::IRBuilder<> &B, llvm::Value *Combiner,
                  llvm::Value *Shadow, llvm::Type *T);

/// Adds the number G atomically, or, where all threads of a warp are there and
/// add to one place, their sum.
void addAsWarp(llvm::IRBuilder<> &B, llvm::Value *Place, llvm::Value *G);

/// Lets the optimizer change what was kept.
void releaseKept(llvm::Module &M);
/// A shadow access is kept if the primal's is.
void keepLike(llvm::Instruction &Shadow, const llvm::Instruction &Primal);

} // namespace retro

#endif
