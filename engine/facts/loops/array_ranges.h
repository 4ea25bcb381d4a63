// Loads of a nest that read a range of memory which the nest does not change,
// and which is known before the nest.
#ifndef RETRO_FACTS_LOOPS_ARRAY_RANGES_H
#define RETRO_FACTS_LOOPS_ARRAY_RANGES_H

#include "facts/writes/overwrite.h"

#include "llvm/Analysis/ScalarEvolution.h"

namespace retro {

/// What a number that is not known is taken for: so long the plan takes loops
/// to be.
inline constexpr double UnknownSize = 16;
/// How large an expression is in that measure.
double expectedSize(const llvm::SCEV *S);

class ArrayRanges {
public:
  ArrayRanges(UnitFunction &UF, const Unit &U, OverwriteAnalysis &Overwrite);

  /// What a load reads, as part of a range; null if it is of none.
  const CopiedLoad *find(const llvm::LoadInst &L) const;
  /// The range of a load that is the first of one.
  const ArrayRange &of(const llvm::LoadInst &First) const {
    return promised(Ranges, &First, "plan", UF.F,
                    "a load of a range has its first");
  }
  /// What a copy costs each time that the nest is run, in the measure in which
  /// a value of N bytes that each of its iterations keeps costs N times 16 for
  /// each loop.
  uint64_t cost(const ArrayRange &R) const;
  /// The values that an expression is computed from.
  static void leaves(const llvm::SCEV *S,
                     llvm::SmallVectorImpl<const llvm::Value *> &Out);

private:
  std::optional<ArrayRange> describe(const llvm::LoadInst &L);
  bool addLoop(const llvm::LoadInst &L, const llvm::Loop &Next, ArrayRange &R);
  bool isRunThrough(const llvm::Loop &L);
  bool areTripsKnown(const ArrayRange &R, const llvm::Loop &Nest) const;
  bool isPlain(const llvm::SCEV *S, const llvm::Loop &Nest, bool Fixed) const;
  bool isNear(const llvm::SCEV *Distance, const ArrayRange &R) const;
  void add(const llvm::LoadInst &L, const ArrayRange &R);

  UnitFunction &UF;
  OverwriteAnalysis &Overwrite;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI; ///< of the same analyses
  llvm::DenseMap<const llvm::Loop *, bool> RunThrough;
  llvm::MapVector<const llvm::LoadInst *, ArrayRange> Ranges; ///< by the first
  llvm::DenseMap<const llvm::LoadInst *, CopiedLoad> Loads;
};

} // namespace retro

#endif
