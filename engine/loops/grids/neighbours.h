// Adjoints of stencils on grids with clamped or periodic indices: which
// adjoints they read and what they add where, and how that is turned around.
// Members of Gatherer: neighbours.cpp; contributions.cpp (what one place
// gives), neighbour_sums.cpp (sums over the nest), neighbour_ranges.cpp
// (versions).
#ifndef RETRO_LOOPS_GRIDS_NEIGHBOURS_H
#define RETRO_LOOPS_GRIDS_NEIGHBOURS_H

#include "facts/loops/grid.h"
#include "loops/scopes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <vector>

namespace llvm {
class DominatorTree;
}

namespace retro {

using Toward = Grid::Toward;
using Direction = Grid::Direction;
/// Addresses of neighbours, by where they are as seen from the iteration's
/// place.
using NeighbourAddresses = std::map<Direction, llvm::Value *>;

/// The adjoint of something that the nest wrote: it is read, and set to zero.
struct Seed {
  llvm::LoadInst *Load;
  llvm::StoreInst *Zero;
  Grid::Place At;
  llvm::Value *ptr() const { return Load->getPointerOperand(); }
};

/// *Ptr += Added. Added is null for a sum of several values.
struct Addition {
  llvm::LoadInst *Load;
  llvm::StoreInst *Store;
  llvm::Value *Added;
  std::optional<Grid::Place> At;
  llvm::Value *ptr() const { return Load->getPointerOperand(); }
};

/// What a place gives: steps, in their order, that begin with a seed and
/// numbers that are read at the place.
struct Contribution {
  llvm::LoadInst *Seed = nullptr;
  llvm::SmallVector<llvm::LoadInst *> Reads;
  llvm::SmallVector<llvm::Instruction *> Steps;
};

class Gatherer {
public:
  Gatherer(llvm::Loop &Innermost, llvm::ScalarEvolution &SE,
           llvm::AAResults &AA, const llvm::DominatorTree &DT)
      : SE(SE), AA(AA), G(Innermost, SE, DT), B(Innermost.getHeader()),
        Scopes(G.loops().empty() ? llvm::ArrayRef<llvm::BasicBlock *>()
                                 : G.outermost().getBlocks()) {}

  /// Returns how many fewer additions to neighbours there are.
  unsigned run();
  /// Where run() would change something if no arrays overlapped, makes a
  /// version of the nest for arrays that are apart.
  bool separate(llvm::LoopInfo &LI, llvm::DominatorTree &DT);

private:
  /// Summands are looked for in sums of this depth.
  static constexpr unsigned MostSummands = 8;

  bool collect();
  bool collectStore(llvm::StoreInst &S);
  bool isSafe(llvm::StoreInst &S, llvm::LoadInst &From) const;
  bool isApart(const llvm::Instruction &I, const llvm::Instruction &J) const {
    return Scopes.areApart(AA, I, J);
  }
  bool isAlone(const Seed &S) const;
  bool isOnlyAddedTo(const Addition &A) const;
  bool isConstant(const llvm::LoadInst &L) const;
  llvm::LoadInst *
  scaled(llvm::Value *V,
         llvm::SmallVectorImpl<llvm::Instruction *> &Factors) const;
  bool findParts(llvm::Value *V, Contribution &C) const;
  bool isGivenBy(llvm::Value *Added, const Seed &S);
  unsigned gather(Seed &S);
  bool addTogether(Seed &S, const std::map<Direction, Addition> &Members);
  /// An array's element at the iteration's place, and the sum of a seed's
  /// neighbours that it is multiplied by.
  struct Moved {
    llvm::LoadInst *OwnElement;
    llvm::Value *OfSeeds;
    Polynomial Array;
  };
  void moveInSums(Seed &S);
  std::vector<Moved> moveOut(Seed &S, llvm::Use &Sum, llvm::IRBuilder<> &IR);
  std::optional<Grid::Place> constantPlace(llvm::Value *V);
  void moveIn(Seed &S, llvm::Instruction &Product, llvm::Use &Sum);
  void findNeighbours(llvm::Value *V, llvm::SmallVectorImpl<llvm::Use *> &Found,
                      unsigned Depth);
  bool isSummedUp(llvm::Instruction &I) const;
  llvm::Value *rebase(llvm::Value *Ptr, llvm::Value *Base, int64_t Beyond,
                      llvm::IRBuilder<> &IR) const;
  llvm::Value *toArray(llvm::Value *Ptr, const Grid::Place &From,
                       llvm::Value *Like, const Grid::Place &To,
                       llvm::IRBuilder<> &IR);
  llvm::LoadInst *loadAt(llvm::LoadInst &L, llvm::Value *Ptr,
                         llvm::IRBuilder<> &IR) const;
  llvm::Value *contributionOf(Seed &S, const Contribution &C, llvm::Value *Ptr,
                              const Grid::Place &Array, llvm::IRBuilder<> &IR);
  llvm::Value *givenBy(Seed &S, llvm::Value *Added, llvm::Use *OwnSum,
                       const NeighbourAddresses &Addresses,
                       const Grid::Place &Array, llvm::IRBuilder<> &IR);
  llvm::Constant *takeMultiple(llvm::Use &Of,
                               llvm::function_ref<bool(llvm::Value *)> Is,
                               bool Minus, unsigned Depth) const;
  llvm::Value *withMultiple(llvm::Value *Sum, llvm::Use &OwnSum,
                            llvm::function_ref<bool(llvm::Value *)> Is,
                            llvm::Value *Of, llvm::IRBuilder<> &IR) const;
  llvm::Value *sumOf(Seed &S, const NeighbourAddresses &Addresses,
                     const Grid::Place &Array, llvm::IRBuilder<> &IR);
  uint64_t sizeOf(const Seed &S) const;
  void zeroBehind(Seed &S);
  bool isSum(llvm::PHINode &P, unsigned Level) const;
  bool isIndex(llvm::PHINode &P, const llvm::Loop &L) const;
  bool leavesOnlySums() const;
  bool hasNoOrder() const;
  void mirror(const llvm::Loop &L);

  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  Grid G;
  llvm::BasicBlock *B;
  DeclaredScopes Scopes;
  std::vector<Seed> Seeds;
  std::vector<Addition> Additions;
  llvm::SmallVector<llvm::Instruction *> Others; ///< that read or write memory
};

/// The pointer that Ptr is an offset of.
llvm::Value *baseOf(llvm::Value *Ptr);
/// The flags of sums whose order does not matter.
llvm::FastMathFlags inAnyOrder();

} // namespace retro

#endif
