// How values and addresses in device code depend on the numbers of a thread:
// polynomials in values that differ between threads and in values that do not,
// through the request into the kernel that makes it.
//
// The polynomials are of integers. A value of less than 64 bits is one only if
// its arithmetic does not wrap around, and else a variable of its own; of
// indices in 64 bits it is taken for granted.
#ifndef RETRO_FACTS_THREADS_THREAD_TERMS_H
#define RETRO_FACTS_THREADS_THREAD_TERMS_H

#include "base/unit.h"
#include "facts/polynomials/polynomials.h"
#include "front/requests/request.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace retro {

/// What a polynomial is in.
struct Variable {
  std::string Name;
  bool Uniform = false; ///< the same in all threads of the launch
  /// A loop's counter: another one in each iteration, from 0. Else null.
  const llvm::BasicBlock *Loop = nullptr;
  std::optional<int64_t> Low, High; ///< both are possible
};

/// Memory that a thread accesses: At bytes behind Base, which is one variable
/// for all threads.
struct Place {
  const llvm::Value *Base = nullptr;
  Polynomial At;
};

class ThreadTerms {
public:
  ThreadTerms(Unit &U, const Request &Req);

  /// What an integer of a unit's function or of the kernel is.
  Polynomial of(const llvm::Value *V);
  /// Where a pointer of a unit's function points, or its shadow does; nothing
  /// where all threads do not begin at one base.
  std::optional<Place> place(const llvm::Value *Ptr, bool Shadow);
  /// Is this the block's shared memory?
  bool isShared(const llvm::Value *Ptr) const;
  /// What holds where the request is made.
  const std::vector<Comparison> &atRequest() const { return Known; }
  /// What else holds when an instruction of a unit's function runs.
  std::vector<Comparison> at(const llvm::Instruction &I);
  const std::vector<Variable> &variables() const { return Variables; }
  /// The terms in which a variable is that differs between threads, those
  /// with a loop's counter, and the others.
  struct Parts {
    Polynomial Varying, Counted, Uniform;
  };
  Parts split(const Polynomial &P) const;
  /// Bounds of a polynomial, if they are known.
  std::optional<std::pair<int64_t, int64_t>> range(const Polynomial &P) const;
  /// Does a thread make the request at most once?
  bool requestedOnce() const { return Once; }
  /// From the function with the request to the kernel; empty: several may be.
  llvm::ArrayRef<const llvm::Function *> chain() const { return Chain; }

private:
  Polynomial expand(const llvm::Value *V, unsigned Depth);
  Polynomial operation(const llvm::Instruction &I, unsigned Depth);
  Polynomial induction(const llvm::PHINode &P, unsigned Depth);
  Polynomial wrapping(const llvm::Value *V, Polynomial P, bool Exact);
  Polynomial opaque(const llvm::Value *V);
  std::optional<Polynomial> loadOfUniform(const llvm::LoadInst &L);
  unsigned variable(Variable V) {
    Variables.push_back(std::move(V));
    return static_cast<unsigned>(Variables.size() - 1);
  }
  const llvm::Value *given(const llvm::Value *V, bool Shadow) const;
  const llvm::Value *strip(const llvm::Value *Ptr, bool Shadow) const;
  const llvm::Value *
  baseOf(const llvm::Value *Ptr, bool Shadow,
         llvm::function_ref<bool(const llvm::GEPOperator &)> Add) const;
  bool isUniform(const llvm::Value *V, unsigned Depth = 0);
  bool isUniformMemory(const llvm::Value *Base) const;
  const llvm::Argument *kernelArgument(const llvm::Value *V) const;
  void conditionsAt(const llvm::Instruction &At, const llvm::DominatorTree &DT,
                    std::vector<Comparison> &Out);
  void condition(const llvm::Value *C, bool Holds,
                 std::vector<Comparison> &Out);

  Unit &U;
  const Request &Req;
  llvm::SmallVector<llvm::Function *, 4> Chain; ///< the kernel last
  llvm::DenseMap<const llvm::Value *, llvm::CallBase *> CallOf;
  std::vector<Variable> Variables;
  llvm::DenseMap<const llvm::Value *, Polynomial> Values;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Counters;
  llvm::DenseMap<unsigned, unsigned> Indices; ///< by the intrinsic
  std::map<std::tuple<const llvm::Value *, int64_t, llvm::Type *>, unsigned>
      Loads;
  std::vector<Comparison> Known;
  bool Once = true;
};

} // namespace retro

#endif
