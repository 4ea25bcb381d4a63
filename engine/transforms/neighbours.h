// Adjoints of stencils on grids with clamped indices: which adjoints they read,
// what they add where, and how that is turned around (neighbours.cpp).
#ifndef RETRO_TRANSFORMS_NEIGHBOURS_H
#define RETRO_TRANSFORMS_NEIGHBOURS_H

#include "analyses/grid.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <vector>

namespace retro {

using Toward = Grid::Toward;
using Direction = Grid::Direction;
/// Addresses, by where they are from the iteration's place.
using Around = std::map<Direction, llvm::Value *>;

/// The adjoints of what the nest wrote: read, and set to zero.
struct Seed {
  llvm::LoadInst *Load;
  llvm::StoreInst *Zero;
  Grid::Place At;
  llvm::Value *ptr() const { return Load->getPointerOperand(); }
};

/// *Ptr += Added; null: a sum of several.
struct Addition {
  llvm::LoadInst *Load;
  llvm::StoreInst *Store;
  llvm::Value *Added;
  std::optional<Grid::Place> At;
  llvm::Value *ptr() const { return Load->getPointerOperand(); }
};

class Gatherer {
public:
  Gatherer(llvm::Loop &Innermost, llvm::ScalarEvolution &SE,
           llvm::AAResults &AA)
      : SE(SE), AA(AA), G(Innermost, SE), B(Innermost.getHeader()) {}

  unsigned run();

private:
  bool collect();
  bool collectStore(llvm::StoreInst &S);
  bool isSafe(llvm::StoreInst &S, llvm::LoadInst &From) const;
  bool isApart(const llvm::Instruction &I, const llvm::Instruction &J) const;
  bool isAlone(const Seed &S) const;
  bool isOnlyAddedTo(const Addition &A) const;
  bool isConstant(const llvm::LoadInst &L) const;
  llvm::LoadInst *
  scaled(llvm::Value *V,
         llvm::SmallVectorImpl<llvm::Instruction *> &Factors) const;
  unsigned gather(Seed &S);
  bool addTogether(Seed &S, const std::map<Direction, Addition> &Members);
  static void remove(Addition &A);
  void moveInSums(Seed &S);
  bool moveIn(Seed &S, llvm::Instruction &Product, llvm::Value *Sum);
  void findNeighbours(llvm::Value *V, llvm::SmallVectorImpl<llvm::Use *> &Found,
                      unsigned Depth);
  bool isSummedUp(llvm::Instruction &I) const;
  llvm::Value *rebase(llvm::Value *Ptr, llvm::Value *Base, int64_t Beyond,
                      llvm::IRBuilder<> &IR) const;
  llvm::Value *toArray(llvm::Value *Ptr, const Grid::Place &From,
                       llvm::Value *Like, const Grid::Place &To,
                       llvm::IRBuilder<> &IR);
  llvm::Value *sumOf(Seed &S, const Around &Addresses, const Grid::Place &Array,
                     llvm::IRBuilder<> &IR);
  const llvm::SCEV *begin(const Seed &S) const;
  const llvm::SCEV *bytes(const Seed &S) const;
  void zeroBehind(Seed &S);
  bool isSum(llvm::PHINode &P, unsigned Level) const;
  bool hasNoOrder() const;
  void mirror(const llvm::Loop &L);

  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  Grid G;
  llvm::BasicBlock *B;
  std::vector<Seed> Seeds;
  std::vector<Addition> Additions;
  llvm::SmallVector<llvm::Instruction *> Others; ///< that read or write memory
};

/// What a pointer is an offset of.
llvm::Value *baseOf(llvm::Value *Ptr);
/// Of sums, which have no order of their own.
llvm::FastMathFlags inAnyOrder();

} // namespace retro

#endif
