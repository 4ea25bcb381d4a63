// Which adjoints meet in shadow memory: memory that several threads read in
// the primal, several threads add to in the reverse pass. What one thread
// writes no other thread touches meanwhile, or the primal has a race.
//
// AffineProof: race_proofs.cpp, race_extents.cpp. The rest: races.cpp.
#ifndef RETRO_FACTS_THREADS_RACES_H
#define RETRO_FACTS_THREADS_RACES_H

#include "facts/writes/overwrite.h"

#include "llvm/Analysis/ScalarEvolution.h"

namespace retro {

/// One number, or several in a row, whose adjoints are added to memory.
struct SharedRead {
  const llvm::Instruction *At = nullptr;
  UnitFunction *In = nullptr;
  const llvm::Value *Ptr = nullptr; ///< null: of all that Classes says
  uint64_t Bytes = 0;               ///< 0: not known
  llvm::SmallVector<unsigned, 1> Classes;
};

/// How the adjoints of one function meet those of other threads. The plan has
/// fields of these names, and says there what they mean.
struct SharedAdjoints {
  llvm::MapVector<const llvm::Instruction *, Sharing> Shared;
  llvm::SmallVector<SharedExtent, 4> Extents;
  llvm::SetVector<std::pair<unsigned, unsigned>> ApartIf;
  llvm::SetVector<const llvm::Instruction *> Settled;
};

/// Finds out how each adjoint can be added to shadow memory, for a whole unit.
class RaceAnalysis {
public:
  RaceAnalysis(const ActivityAnalysis &Act, const WriteSummary &Writes);

  /// What UF adds, and why no atomic is needed.
  SharedAdjoints of(UnitFunction &UF);

private:
  void collect(UnitFunction &UF);
  bool isPrivate(UnitFunction &UF, const llvm::Value *Ptr);
  bool isPrivateObject(const llvm::Value *Object);
  bool isOnlyRead(unsigned Class) const;
  bool mayCoincide(const SharedRead &A, const SharedRead &B) const;
  void onHost(UnitFunction &UF, SharedAdjoints &Found);
  void combine(UnitFunction &UF, SharedAdjoints &Found);
  std::vector<const SharedRead *> among(const SharedRead &One) const;
  void onDevice(UnitFunction &UF, SharedAdjoints &Found);
  void remark(const UnitFunction &UF, const SharedRead &R, Sharing How,
              llvm::StringRef Reason);

  const ActivityAnalysis &Act;
  const WriteSummary &Writes;
  std::vector<SharedRead> Reads;
  llvm::DenseMap<const llvm::Value *, bool> Private;
  mutable llvm::DenseMap<unsigned, bool> OnlyRead; ///< by class
};

/// Does this thread overwrite what I reads before it meets another thread?
/// Then no other thread reads it meanwhile.
bool overwritesItself(const llvm::LoadInst &L, const Unit &U);

/// Proves that threads which share the iterations of a loop read different
/// memory, all of them by the same affine function of the iteration.
class AffineProof {
public:
  AffineProof(UnitFunction &UF, const ActivityAnalysis &Act,
              const WriteSummary &Writes);

  /// Are these reads of one function, together all that may coincide with one
  /// of them, of disjoint memory in different threads?
  bool disjoint(llvm::ArrayRef<const SharedRead *> Together,
                const SharedRead &One);
  /// Are they disjoint where different names lead to different memory? Adds to
  /// Found which memory has to be apart from which for that.
  bool disjointIfApart(llvm::ArrayRef<const SharedRead *> Together,
                       const SharedRead &One, SharedAdjoints &Found);

private:
  struct Form {
    const llvm::Loop *Share = nullptr; ///< its iterations are shared out
    const llvm::SCEV *Base = nullptr;  ///< the same for all threads
    const llvm::SCEV *First = nullptr; ///< the thread's first iteration
    int64_t Stride = 0;                ///< bytes from iteration to iteration
    int64_t Low = 0, High = 0;         ///< bytes beyond it: [Low, High)
  };
  const llvm::SCEV *startOfShare(const llvm::SCEV *S, Form &F) const;
  std::optional<Form> formOf(const SharedRead &R);
  bool isSharedOutOnce();
  bool disjoint(const Form &F, llvm::ArrayRef<const SharedRead *> Together);
  std::optional<SharedExtent> extentOf(const SharedRead &R);
  bool findIterations(const Form &F, SharedExtent &E) const;
  bool isFirst(const llvm::SCEV *S, const llvm::Loop *Share) const;
  bool isUniform(const llvm::Value *V, unsigned Depth = 0) const;
  bool isUniform(const llvm::SCEV *S) const;
  bool isSharedOut(const llvm::Loop &L) const;
  bool meets(const llvm::Loop &Share, const llvm::Instruction *Other) const;

  UnitFunction &UF;
  const ActivityAnalysis &Act;
  const WriteSummary &Writes;
  llvm::ScalarEvolution &SE;
  /// Where the runtime puts first and last iteration of a thread's share.
  llvm::SmallPtrSet<const llvm::Value *, 4> FirstAt, LastAt;
};

} // namespace retro

#endif
