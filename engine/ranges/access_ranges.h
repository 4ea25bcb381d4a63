// Ranges of memory that a loop accesses, which the program compares before it.
#ifndef RETRO_RANGES_ACCESS_RANGES_H
#define RETRO_RANGES_ACCESS_RANGES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <functional>
#include <optional>
#include <vector>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace retro {

/// A term of an address: a multiple of an index, which may be extended, with
/// its sign or without. An index that is not extended has a sign.
struct ScaledIndex {
  llvm::Value *Index;
  int64_t Scale = 1;
  bool Signed = true, Extended = false;
};
std::optional<ScaledIndex> scaledIndexOf(const llvm::SCEV *Term);

/// The ranges of memory that a loop of one block accesses, one for each pointer
/// that addresses are offsets of. An offset changes by a constant from one
/// iteration to the next, or with an index that is looked up. The least and the
/// greatest of these indices are found by a loop in front.
class AccessRanges {
public:
  /// Written: may the loop write what a load of it reads?
  AccessRanges(llvm::Loop &L, llvm::ScalarEvolution &SE,
               std::function<bool(const llvm::LoadInst &)> Written);

  /// Can the program compare the ranges of the two accesses?
  bool comparable(const llvm::Instruction &A, const llvm::Instruction &B);
  /// Makes apart() compare the two, which have to be comparable.
  void compareBoth(const llvm::Instruction &A, const llvm::Instruction &B);
  size_t pairs() const { return Pairs.size(); }

  /// Emits the comparison: true if no two ranges that are compared overlap, and
  /// false where the loop has so few iterations that it does not pay. Null if
  /// it cannot be computed. Taken (i64) is how many iterations follow the
  /// first. The loop may have another block in front of it afterwards, so
  /// dominators and LoopInfo have to be made anew.
  llvm::Value *apart(llvm::Value *Taken);

private:
  using Instructions = llvm::SmallPtrSet<llvm::Instruction *, 16>;
  /// The bytes from offset Low to before High, each plus Scale times an index,
  /// if there is one.
  struct Range {
    const llvm::SCEV *Low, *High;
    int64_t Scale = 0; ///< 0: there is none
    bool Signed = true;
    llvm::SmallSetVector<llvm::Value *, 8> Indices;
    llvm::Value *From = nullptr, *To = nullptr; ///< Low and High
  };
  struct Access {
    const llvm::SCEV *Base;
    Range Offsets;
  };
  /// The least and the greatest of a range's indices.
  struct Bounds {
    const Range *Of;
    llvm::Value *Least, *Greatest;
  };

  const std::optional<Access> &find(const llvm::Instruction &I);
  std::optional<Access> describe(const llvm::Instruction &I);
  bool addTerm(const llvm::SCEV *Term, Range &R);
  bool addIndex(const llvm::SCEV *Term, Range &R);
  bool addSlice(llvm::Value *V, Instructions &Slice) const;
  void add(const Access &A);
  bool expand();
  const Bounds *boundsOf(const Range &R) const;
  void findBounds(const Range &R, llvm::ValueToValueMapTy &VM,
                  llvm::BasicBlock &Look, llvm::BasicBlock &Before);
  void lookUp(llvm::Value *Taken, llvm::BasicBlock &Look,
              llvm::BasicBlock &Before, llvm::BasicBlock &Behind);
  std::pair<llvm::Value *, llvm::Value *> rangeOf(const llvm::SCEV *Base,
                                                  llvm::IRBuilder<> &IR,
                                                  llvm::Value *&AllInRange);

  llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  std::function<bool(const llvm::LoadInst &)> Written;
  llvm::DenseMap<const llvm::Instruction *, std::optional<Access>> Accesses;
  llvm::MapVector<const llvm::SCEV *, std::vector<Range>> Arrays;
  llvm::SetVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>> Pairs;
  std::vector<Bounds> Found;
};

} // namespace retro

#endif
