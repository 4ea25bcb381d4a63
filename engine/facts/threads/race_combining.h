// May a thread of a team add up what it adds to shadow memory of several, and
// add the sum later?
#ifndef RETRO_FACTS_THREADS_RACE_COMBINING_H
#define RETRO_FACTS_THREADS_RACE_COMBINING_H

#include "facts/writes/overwrite.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace retro {

/// Answers for the loads of one function.
class Combining {
public:
  Combining(UnitFunction &UF, const ActivityAnalysis &Act,
            const WriteSummary &Summary);

  using Writes = llvm::SetVector<const llvm::Instruction *>;
  /// May the thread keep its part of what L adds to until it meets others?
  /// Then Settled gains what may write the place: before the adjoint of that it
  /// has to hand over its part.
  bool allows(const llvm::LoadInst &L, Writes &Settled) const;

private:
  struct Writer {
    llvm::Instruction *I;
    llvm::SmallVector<unsigned, 2> Classes;
    bool Unknown;
  };
  bool isOlder(const llvm::Value *Ptr) const;
  bool mayWrite(const Writer &W, const llvm::Value *Ptr) const;

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  mutable llvm::BatchAAResults AA; ///< of all iterations and threads
  std::vector<Writer> Writers;
  bool Possible = false;
  bool OnlyBarriers = false;  ///< threads meet nowhere else
  bool LoadedIsOlder = false; ///< loaded pointers lead to memory from outside
};

} // namespace retro

#endif
