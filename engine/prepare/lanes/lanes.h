// Words that travel in lanes of vectors and in parts of wide integers are
// followed and moved one by one.
#ifndef RETRO_PREPARE_LANES_LANES_H
#define RETRO_PREPARE_LANES_LANES_H

#include "base/unit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

#include <map>
#include <tuple>

namespace retro {

/// Gives the words of vectors and wide integers types of their own.
class Lanes {
public:
  explicit Lanes(llvm::Function &F);
  bool run();
  /// Notes what memory says of word N of a load: it is a pointer (Surely), or
  /// it is a pointer or a number.
  void note(llvm::LoadInst &L, unsigned N, bool Surely) {
    (Surely ? Pointers : Words).insert({&L, N});
  }
  llvm::SmallVector<llvm::Instruction *> moves() const;
  bool movesWords(const llvm::LoadInst &L) const;

  /// A value, and which of its words.
  using Place = std::pair<llvm::Value *, unsigned>;
  /// The places from which V's word, as wide as a pointer, may come.
  llvm::SmallVector<Place> wordsOf(llvm::Value &V, unsigned Word) const {
    return origins(&V, Word, PointerBits);
  }

  unsigned bits(llvm::Type *T) const;
  unsigned laneBits(const llvm::Value *V) const;

private:
  Place origin(llvm::Value *V, unsigned Word, unsigned W, bool &Zero) const;
  /// The same, followed through phis and selects; words that are zero are left
  /// out.
  llvm::SmallVector<Place> origins(llvm::Value *V, unsigned Word,
                                   unsigned W) const;
  /// Adds to Seen the places from which the word at At comes in one step.
  void addSources(Place At, unsigned W, llvm::SetVector<Place> &Seen) const;
  bool travels(llvm::Value *V, unsigned W) const;
  bool isPointer(llvm::Value *V, unsigned Word) const;
  bool isRead(llvm::Value *V, unsigned N, llvm::DenseSet<Place> &Seen) const;

  /// Word number Word of V as a value of type T, where words have T's width.
  llvm::Value *word(llvm::Value *V, unsigned Word, llvm::Type *T);
  llvm::Constant *wordOf(llvm::Constant &C, unsigned Word, llvm::Type *T) const;
  llvm::Value *taken(llvm::Value *V, unsigned Word, llvm::Type *T);
  llvm::Value *loaded(llvm::LoadInst &L, unsigned Word, llvm::Type *T);
  llvm::Value *addressed(llvm::GetElementPtrInst &G, unsigned Lane);
  llvm::Value *chosen(llvm::Instruction &I, unsigned Word, llvm::Type *T);

  bool besidePointer(llvm::Value *V) const;
  llvm::Value *joined(llvm::Instruction &I);

  void findPointers();
  void replaceSinks();
  bool followNumber(llvm::BitCastInst &C);
  bool split(llvm::StoreInst &S);
  void split(llvm::LoadInst &L);
  void clear();

  llvm::Function &F;
  const llvm::DataLayout &DL;
  llvm::Type *Pointer;
  unsigned PointerBits;
  /// Words of loads that are pointers.
  llvm::DenseSet<Place> Pointers;
  /// Words of loads that are pointers or numbers, it is not known which.
  llvm::DenseSet<Place> Words;
  llvm::SmallVector<llvm::Instruction *> Sinks;
  std::map<std::tuple<llvm::Value *, unsigned, llvm::Type *>, llvm::Value *>
      NewWords;
  llvm::SmallVector<llvm::WeakTrackingVH> Dead;
};

/// Moves pointers, and numbers in wide integers, one by one.
bool followLanes(llvm::Function &F);

} // namespace retro

#endif
