// What a loop accesses, compared before it by the program.
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
/// its sign or without. What is not extended has one.
struct ScaledIndex {
  llvm::Value *Index;
  int64_t Scale = 1;
  bool Signed = true, Extended = false;
};
std::optional<ScaledIndex> scaledIndexOf(const llvm::SCEV *Term);

/// The ranges of memory that a loop of one block accesses, one for each pointer
/// that addresses are offsets of. An offset changes by a constant from one
/// iteration to the next, or with an index that is looked up: the least and the
/// greatest of these are found in a loop before.
class AccessRanges {
public:
  /// Written: may the loop write what a load of it reads?
  AccessRanges(llvm::Loop &L, llvm::ScalarEvolution &SE,
               std::function<bool(const llvm::LoadInst &)> Written);

  /// Can the program compare what the two access?
  bool comparable(const llvm::Instruction &A, const llvm::Instruction &B);
  /// It has to. They are comparable.
  void compareBoth(const llvm::Instruction &A, const llvm::Instruction &B);
  size_t pairs() const { return Pairs.size(); }

  /// Whether no two that are compared meet; false where the loop has so few
  /// iterations that asking does not pay. Null: it cannot be computed.
  /// Taken (i64): how many iterations follow the first. The loop has another
  /// block before it then, and what is known of the function's loops is wrong.
  llvm::Value *apart(llvm::Value *Taken);

private:
  using Instructions = llvm::SmallPtrSet<llvm::Instruction *, 16>;
  /// Offsets in bytes from Low to before High, each plus Scale times an index,
  /// where there is one.
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
