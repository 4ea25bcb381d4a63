// Which threads of a launch add to the same shadow memory.
//
// The primal has no race, so places that threads write are different ones:
// from a store that each thread executes follows that no two threads have the
// values in common that its address is made of, whatever these are. Where
// addresses of shadows are made of the same values, threads add to different
// places. What that does not decide, a solver may: it also knows the
// conditions under which the code runs.
//
// Members: device_races.cpp; device_digits.cpp (addresses as digits).
#ifndef RETRO_FACTS_THREADS_DEVICE_RACES_H
#define RETRO_FACTS_THREADS_DEVICE_RACES_H

#include "facts/threads/races.h"
#include "facts/threads/thread_terms.h"

#include "llvm/Analysis/PostDominators.h"

namespace retro {

/// Says that a request in F has been met: its derivative adds to shadows, too.
void markAnswered(llvm::Function &F);
bool isAnswered(const llvm::Function &F);

class DeviceProof {
public:
  DeviceProof(const ActivityAnalysis &Act, UnitFunction &UF);

  struct Verdict {
    Sharing How = Sharing::Atomic;
    std::string Reason;
  };
  /// How the adjoint of One is added; Together: One and all that may coincide
  /// with it.
  Verdict decide(const SharedRead &One,
                 llvm::ArrayRef<const SharedRead *> Together);

  /// A place that is read, whose adjoint is added to, or stored to.
  struct Access {
    const llvm::Instruction *At;
    Place Where;
    int64_t Bytes;
  };
  using Accesses = std::vector<Access>;

private:
  void findObstacles();
  void findOrder(const llvm::Function &F);
  void findStores();
  bool accompanies(const llvm::Instruction &Store,
                   const llvm::Instruction &Read) const;
  const llvm::BasicBlock *firstRun(const llvm::Instruction &I) const;
  bool areSeparate(const llvm::Value *A, const llvm::Value *B) const;
  Verdict prove(const Accesses &Reads);
  bool isAffine(const Accesses &Reads, const Accesses &Stores);
  bool haveDigits(const Accesses &Reads, const Accesses &Stores);
  std::string script(const Accesses &Reads, const Accesses &With,
                     bool Multiply);

  const ActivityAnalysis &Act;
  UnitFunction &UF;
  llvm::PostDominatorTree PDT;
  std::optional<ThreadTerms> Terms;
  std::string Obstacle; ///< why nothing can be proven; or empty
  /// The kernel and all that it calls, but for the derivative.
  llvm::SmallSetVector<const llvm::Function *, 8> Kernel;
  /// What may order the accesses of different threads.
  bool Barriers = false, Flags = false;
  Accesses Stores; ///< of active numbers, in no two threads at one place
  std::map<std::vector<const llvm::Instruction *>, Verdict> Known;
};

} // namespace retro

#endif
