// Two loops, one in the other, of which the outer one may run in vectors.
#ifndef RETRO_POLISH_NESTS_LANE_NEST_H
#define RETRO_POLISH_NESTS_LANE_NEST_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

namespace retro {

/// A loop of three blocks, the second of which is a loop of its own: some
/// iterations of the outer one run side by side, the inner one's in order. All
/// of what is in front of the inner loop then runs before it, and all of what
/// is behind it after it.
class LaneNest {
public:
  LaneNest(llvm::Loop &Outer, llvm::ScalarEvolution &SE, llvm::AAResults &AA)
      : Outer(Outer), SE(SE), AA(AA) {}

  /// May the outer loop's iterations run side by side if the program finds that
  /// the guards hold, and does it pay: is there an access which goes from one
  /// element to the next in the outer loop, and further in the inner one?
  bool find();

  /// How the place of an access moves: from Start by OuterStep bytes in each
  /// iteration of the outer loop, and by InnerStep in each of the inner one.
  struct Place {
    const llvm::SCEV *Start, *InnerStep;
    int64_t OuterStep;
  };
  /// What a value of the inner loop is to the lanes: the same, an address (or
  /// what it is computed from) of each, or a number of each.
  enum class Kind { Same, Address, Number };

  const Place &placeOf(const llvm::Instruction &LoadOrStore) const {
    return Places.find(&LoadOrStore)->second;
  }
  /// Of a value that the inner loop computes, or that it uses.
  Kind kindOf(const llvm::Value *V) const;
  /// The operand that S adds to what it finds, or subtracts from it, in a place
  /// that is the same for all lanes; null if it does something else.
  static const llvm::Use *addendOf(const llvm::StoreInst &S);

  /// The guards: what two accesses touch must be apart, and steps that are not
  /// known must be this wide, in bytes.
  using Pair = std::pair<const llvm::Instruction *, const llvm::Instruction *>;
  llvm::ArrayRef<Pair> comparedPairs() const { return Compared; }
  llvm::ArrayRef<const llvm::SCEV *> wideSteps() const { return Wide; }
  int64_t leastStep() const { return Lanes * Bytes; }

  unsigned lanes() const { return Lanes; }
  llvm::BasicBlock *head() const { return Outer.getHeader(); }
  llvm::BasicBlock *body() const { return Body; }
  llvm::BasicBlock *tail() const { return Outer.getLoopLatch(); }
  const llvm::SCEV *outerTaken() const { return OuterTaken; }
  const llvm::SCEV *innerTaken() const { return InnerTaken; }

private:
  bool hasShape();
  bool hasResults() const;
  bool findCounters() const;
  bool findPlaces();
  bool findPlace(const llvm::Instruction &I);
  bool findKinds();
  std::optional<Kind> kindOfPhi(const llvm::PHINode &P) const;
  std::optional<Kind> kindOfOther(const llvm::Instruction &I) const;
  bool isForAddresses(const llvm::Instruction &I) const;
  bool findOrder();
  std::optional<bool> areApart(const llvm::Instruction &A,
                               const llvm::Instruction &B) const;
  bool keepsOrder(const llvm::Instruction &A, const llvm::Instruction &B);
  bool keepsOrderOfSame(const llvm::Instruction &A, const llvm::Instruction &B);
  bool pays() const;

  llvm::Loop &Outer;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  llvm::BasicBlock *Body = nullptr;
  const llvm::SCEV *OuterTaken = nullptr, *InnerTaken = nullptr;
  unsigned Lanes = 0;
  int64_t Bytes = 0; ///< of the widest number that lies in a row
  llvm::MapVector<const llvm::Instruction *, Place> Places;
  llvm::DenseMap<const llvm::Instruction *, Kind> Kinds;
  llvm::SmallVector<Pair, 8> Compared;
  llvm::SmallVector<const llvm::SCEV *, 4> Wide;
};

} // namespace retro

#endif
