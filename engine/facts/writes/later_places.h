// Places that are stored to after one has been read: is that one among them?
#ifndef RETRO_FACTS_WRITES_LATER_PLACES_H
#define RETRO_FACTS_WRITES_LATER_PLACES_H

#include "base/plan.h"
#include "facts/polynomials/executions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

#include <map>
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace retro {

/// An address in bytes, or a number of iterations: a constant, and numbers of
/// iterations with factors. Constant and factors are polynomials in the
/// function's arguments. What else is in it has one value for as long as the
/// function runs.
struct IterationSum {
  Polynomial Constant;
  llvm::SmallMapVector<const llvm::Loop *, Polynomial, 4> Loops;
  llvm::SmallMapVector<const llvm::SCEV *, Polynomial, 2> Others;
};

/// Answers for the accesses of one function in one call of it by one thread.
class LaterPlaces {
public:
  /// Bounded: arguments that may be factors, the length of a row, say.
  LaterPlaces(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
              const NumberBounds &Bounded);

  /// Is I of those that have a place here: loads, stores, and what fills or
  /// copies memory, which has the place that it writes?
  static bool isPlaced(const llvm::Instruction &I);
  /// Is whatever S stores after an execution of L apart from what that read?
  bool areApart(const llvm::LoadInst &L, const llvm::Instruction &S);
  /// Is whatever one of them accesses in an execution of the loop of that
  /// header, which both are in, apart from whatever the other one does in it?
  bool areApartIn(const llvm::BasicBlock &Header, const llvm::Instruction &A,
                  const llvm::Instruction &B);
  /// The arguments that have been met, whose bounds the answers rest on.
  llvm::ArrayRef<unsigned> argumentsMet() const { return Met.getArrayRef(); }
  /// The arguments of F that might be bounded.
  static llvm::SmallVector<unsigned, 4>
  possiblyBounded(const llvm::Function &F);

private:
  using Sum = std::optional<IterationSum>;
  /// The loops around, the outermost first.
  using Chain = llvm::SmallVector<const llvm::Loop *, 4>;

  class View;

  bool areComparable(const llvm::Instruction &A, const llvm::Instruction &B);
  bool areApart(const llvm::LoadInst &L, const llvm::Instruction &S,
                const Chain &Common, size_t Later);
  bool areApart(const llvm::Instruction &A, const llvm::Instruction &B,
                const Executions &E, const View &OfA, const View &OfB);
  bool followsWithin(const llvm::Loop *L, const llvm::BasicBlock &First,
                     const llvm::BasicBlock &Second);
  bool isOfFirst(const llvm::BasicBlock &B, const llvm::Loop &L);
  Chain around(const llvm::Loop *Innermost) const;
  bool add(IterationSum &To, const llvm::SCEV *S, const Polynomial &Times,
           const Chain &Around);
  bool addAtMost(IterationSum &To, const llvm::SCEV *S, const llvm::Loop &L,
                 const Chain &Around);
  std::optional<Polynomial> largerThanZero(const llvm::SCEV *S,
                                           const llvm::Loop &L);
  bool isNotZeroIn(const llvm::Value &V, const llvm::BasicBlock &B) const;
  std::optional<Polynomial> numberOf(const llvm::SCEV *S);
  std::optional<Polynomial> mostOfProduct(const llvm::SCEV *S);
  std::optional<Polynomial> bytesOf(const llvm::Instruction &Access);
  const llvm::SCEV *addressOf(const llvm::Value *Ptr);
  const llvm::SCEV *offsetOf(const llvm::Value *V, unsigned Deep);
  const llvm::SCEV *extended(const llvm::Value *V, bool Signed, unsigned Deep);
  const Sum &placeOf(const llvm::Instruction &Access);
  const Sum &lastOf(const llvm::Loop &L);

  const llvm::DataLayout &DL;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  NumberBounds Bounded;
  llvm::SmallSetVector<unsigned, 4> Met;
  /// Blocks that follow one in an iteration of a loop.
  std::map<std::pair<const llvm::Loop *, const llvm::BasicBlock *>,
           llvm::SmallSetVector<const llvm::BasicBlock *, 16>>
      Following;
  llvm::DenseMap<const llvm::Instruction *, Sum> Places;
  llvm::DenseMap<const llvm::Loop *, Sum> Last; ///< the last iteration's number
};

} // namespace retro

#endif
