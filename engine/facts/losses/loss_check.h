// The class that looks for words and calls at which a derivative would be lost.
// Its parts stand in losses.cpp (bits), lost_words.cpp and lost_calls.cpp.
#ifndef RETRO_FACTS_LOSSES_LOSS_CHECK_H
#define RETRO_FACTS_LOSSES_LOSS_CHECK_H

#include "facts/activity/activity.h"
#include "front/known/known_functions.h"

#include "llvm/IR/Instructions.h"

namespace retro {

/// Is V a call of an operation of a GPU of which the table of known functions
/// says nothing?
bool isUnknownOfDevice(const llvm::Value &V);

class LossCheck {
public:
  LossCheck(const ActivityAnalysis &Act, Reporter &R)
      : Act(Act), Shape(Act.shape()), R(R) {}

  void run();

private:
  bool carriesBits(const llvm::Value *V) const {
    return Bits.contains(V) ||
           (Act.varied(V) && !V->getType()->isFPOrFPVectorTy() &&
            !V->getType()->isAggregateType());
  }
  bool mayBeBits(const llvm::Value &V) const {
    return V.getType()->isAggregateType() || !Act.adjointType(&V);
  }
  bool isMovedHalf(const llvm::IntToPtrInst &I) const;
  bool isPartOfWord(const llvm::Instruction &Access) const;
  bool mayBePart(const llvm::Instruction &Access) const;
  bool reachesExponent(const llvm::Instruction &Access) const;
  bool takesHalf(const llvm::Value *V, int64_t At,
                 llvm::function_ref<bool(const Cell &)> Of) const;
  bool joinsNumber(const llvm::Instruction &I) const;
  bool joinsPointer(const llvm::Value &Word) const;
  bool isOfIntegers(const llvm::Value *Word) const;
  bool takesBits(const llvm::Instruction &I);
  bool takesByte(const llvm::LoadInst &L);
  bool isOtherField(const llvm::LoadInst &L, const Cell &X);
  bool givesByte(const llvm::StoreInst &S) const;
  bool takesPiece(const llvm::LoadInst &L);
  bool isPiece(const llvm::Instruction &Access) const;
  bool isInPieces(unsigned Class, const Cell &X, bool IsStored);
  bool givesPiece(const llvm::StoreInst &S);
  void findPieces();
  bool movesUnaligned(const llvm::StoreInst &S) const;
  bool movesPart(const llvm::StoreInst &S) const;
  void spread();
  bool takesApart(const llvm::CallBase &C) const;
  void lostPointer(llvm::IntToPtrInst &I);
  void halfOfPointer(llvm::Instruction &Choice);
  void lostNumber(llvm::BitCastInst &I);
  void brokenBits(llvm::Instruction &I);
  bool reachesNumbers(const llvm::Value *V) const;
  void unknown(llvm::CallBase &C);
  void unknownIntrinsic(llvm::CallBase &C);
  bool movesAsPointer(const llvm::LoadInst &L) const;
  void ambiguousWord(llvm::LoadInst &L);
  bool keepsBits();
  bool holdsOnlyNumbers(const llvm::LoadInst &L) const;
  llvm::APInt mantissaIn(const llvm::Value *V, unsigned Depth = 8) const;
  void hiddenNumber(llvm::LoadInst &L);
  void misalignedWord(llvm::Instruction &I);
  bool wholeNumber(llvm::Instruction &I, llvm::Type *F);
  void variadic(llvm::CallBase &C);
  llvm::SmallVector<const Cell *, 8> overwrittenAt(const llvm::CallBase &C,
                                                   const KnownFunction &Row,
                                                   const llvm::Value *A);
  void overwritten(llvm::CallBase &C);
  void ofResource(const llvm::CallBase &C);
  void custom(llvm::CallBase &C);
  void inactive(llvm::CallBase &C);
  bool isRead(unsigned Class, const Cell &X) const;

  const ActivityAnalysis &Act;
  const MemoryShape &Shape;
  Reporter &R;
  /// Integers that hold a part of the bits of a varied number, and no number.
  llvm::DenseSet<const llvm::Value *> Bits;
  llvm::DenseSet<const Cell *> BitsInMemory;
  /// By class: the bytes, of a period if it is indexed, that
  /// are accessed in pieces of numbers.
  llvm::DenseMap<unsigned, llvm::DenseSet<int64_t>> Loaded, Stored;
  bool PiecesFound = false;
  std::optional<bool> KeepsBits; ///< keepsBits, when it has been asked
};

} // namespace retro

#endif
