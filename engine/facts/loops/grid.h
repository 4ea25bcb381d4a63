// Nests of loops over all places of a dense array, and the places that they
// touch: the iteration's own, or the next or prior one in some direction, which
// at the boundary is the iteration's own again (a clamped index), or the one at
// the other end (a periodic one).
//
// Members: grid.cpp; grid_choices.cpp (indices that are chosen).
#ifndef RETRO_FACTS_LOOPS_GRID_H
#define RETRO_FACTS_LOOPS_GRID_H

#include "facts/polynomials/polynomials.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace retro {

/// The iterations of a nest of loops, as places of a dense array: each
/// iteration of the innermost loop has a place of its own, all together have
/// all of it.
class Grid {
public:
  /// Around: at the boundary, the place at the other end.
  enum class Toward { Same, Next, Prior, NextAround, PriorAround };
  static Toward opposite(Toward To);
  /// Array is the distance in bytes, the same for all places of one array, from
  /// the array that gave the grid its shape.
  struct Place {
    Polynomial Array;
    Toward To = Toward::Same;
    unsigned Level = 0; ///< of the loop along which the others are
  };

  /// A level, and a way along it.
  using Direction = std::pair<unsigned, Toward>;

  /// Keeps what is along a level in both ways.
  template <typename T> static void keepPairs(std::map<Direction, T> &All) {
    for (auto It = All.begin(); It != All.end();) {
      auto [Level, To] = It->first;
      It = All.contains({Level, opposite(To)}) ? std::next(It) : All.erase(It);
    }
  }

  /// The nest around the innermost loop: as many loops as are each nothing but
  /// the next one and what leads to it, and whose trips are known.
  Grid(llvm::Loop &Innermost, llvm::ScalarEvolution &SE,
       const llvm::DominatorTree &DT);

  /// All loops around that count.
  llvm::ArrayRef<llvm::Loop *> nest() const {
    return llvm::ArrayRef(Loops).take_front(Last.size());
  }
  /// The extremum, smin or smax, of its two values that a choice of indices
  /// always is.
  std::optional<llvm::Intrinsic::ID> extremum(llvm::SelectInst &S);
  bool isNonNegative(llvm::Value *V) const;
  /// A comparison that says whether the iteration is its loop's first, or last:
  /// it holds where the counter plus Offset is the bound, or, Negated, is not.
  struct Equality {
    int Offset;
    bool Negated;
  };
  std::optional<Equality> equality(llvm::ICmpInst &C);
  /// What a choice by a comparison for equality is in all iterations of the
  /// innermost loop but its first, or its last; null: it is no such choice.
  llvm::Value *exceptAtEnd(llvm::SelectInst &Choice, bool AtLast);
  /// The neighbour's index that a remainder is.
  std::optional<Toward> remainder(llvm::BinaryOperator &I);

  /// Takes the shape of the array that has its elements of Size bytes at Ptr,
  /// and with it the loops that go over it; false: it is not dense, or has not
  /// two directions.
  bool shapeLike(llvm::Value *Ptr, uint64_t Size);
  /// The place that Ptr is in each iteration.
  std::optional<Place> place(llvm::Value *Ptr);
  /// Bytes from one pointer that the nest does not change to another, beyond
  /// what the arrays' places differ by: an address of array From, with pointer
  /// FromBase in it replaced by ToBase, is that many bytes before To's.
  std::optional<int64_t> beyond(const Place &From, llvm::Value *FromBase,
                                const Place &To, llvm::Value *ToBase);
  /// The lowest address of the array that Ptr, the place of each iteration, is
  /// in; null: it is not known before the nest.
  const llvm::SCEV *begin(llvm::Value *Ptr) const;
  /// How many bytes an array has, with elements of Size bytes.
  const llvm::SCEV *bytes(uint64_t Size) const;
  /// Does the array that gave the shape go down where the level's loop goes on?
  bool isBackward(unsigned Level) const { return Backward[Level]; }

  /// From the innermost one.
  llvm::ArrayRef<llvm::Loop *> loops() const {
    return llvm::ArrayRef(Loops).take_front(Levels);
  }
  llvm::Loop &outermost() const { return *loops().back(); }

private:
  using Maybe = std::optional<Polynomial>;
  bool isNested(const llvm::Loop &L, const llvm::Loop &Inner) const;
  bool isNonNegative(const llvm::SCEV *S) const;
  bool isImplied(const llvm::Value *V) const;
  /// Variables are first the numbers of iterations, by level.
  bool isIteration(unsigned V) const { return V < Levels; }
  /// A clamped difference, or an end?
  bool isDerived(unsigned V) const {
    return V >= Loops.size() && !Leaves[V - Loops.size()];
  }
  Maybe of(llvm::Value *V, unsigned Depth = 24);
  bool isNear(const Polynomial &Difference) const;
  int signOf(const Polynomial &Difference) const;
  bool compares(const llvm::ICmpInst &C) const;
  /// A level, and whether it is its loop's last iteration.
  using End = std::pair<unsigned, bool>;
  std::optional<End> endWhereZero(const Polynomial &Difference) const;
  Maybe ofInstruction(llvm::Instruction &I, unsigned Depth);
  Maybe ofChoice(llvm::SelectInst &I, unsigned Depth);
  Maybe ofExtremum(llvm::MinMaxIntrinsic &I, unsigned Depth);
  Maybe ofAddress(llvm::GetElementPtrInst &I, unsigned Depth);
  Maybe of(const llvm::SCEV *S);
  bool isNarrow(const llvm::SCEV *S, unsigned Bits) const;
  const llvm::SCEV *wide(llvm::Value *V) const;
  bool cannotWrap(const llvm::BinaryOperator &I) const;
  Maybe leaf(llvm::Value *V);
  /// max(P, 0), as a variable.
  Polynomial clamped(const Polynomial &P);
  /// 1 in the first or last iteration of a level's loop, otherwise 0.
  Polynomial end(unsigned Level, bool AtLast);
  Polynomial derived(unsigned &Variable);
  Polynomial moved(unsigned Level, Toward To);

  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &DT;
  llvm::SmallVector<llvm::Loop *, 3> Loops; ///< and others around
  unsigned Levels = 0;                      ///< those that the array has
  std::vector<Polynomial> Last;             ///< the last iteration's number
  std::vector<llvm::Value *> Leaves;        ///< null: a derived number
  std::map<Polynomial, unsigned> Clamped;
  std::map<std::pair<unsigned, bool>, unsigned> Ends;
  llvm::DenseMap<llvm::Value *, unsigned> Known;
  Polynomial Shape;
  llvm::SmallVector<bool, 3> Backward; ///< by level
};

/// Does the nest around an innermost loop compute a whole array of two or more
/// dimensions from neighbours in another, with clamped or periodic indices?
bool readsNeighbours(llvm::Loop &L, llvm::ScalarEvolution &SE,
                     const llvm::DominatorTree &DT);

} // namespace retro

#endif
