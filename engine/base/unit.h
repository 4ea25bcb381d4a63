// The unit of one request: private clones of the target and of all that it
// calls and that was not inlined. Analyses read the clones; emission reads
// them too and writes new functions. Users' functions are never changed.
// Members: prepare/unit.cpp. areApart: loops/grids/neighbour_ranges.cpp;
// areApartIn: loops/nest_versions.cpp.
#ifndef RETRO_BASE_UNIT_H
#define RETRO_BASE_UNIT_H

#include "base/plan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <vector>

namespace retro {

/// Marks the call of a thunk, one of those that this module has: with none of
/// them there is nothing to call.
inline constexpr const char *DeferredCall = "retro-deferred";

/// Metadata of a pointer that differs from its base in a tag, or in the bytes
/// that align it: for what memory holds it is the base.
inline constexpr llvm::StringLiteral TaggedPointer = "retro.tag";
inline constexpr llvm::StringLiteral AlignedPointer = "retro.align";

/// Metadata of a pointer to the node or bucket that a container holds itself,
/// with the number of pointers in it: what lies there is told apart from the
/// container.
inline constexpr llvm::StringLiteral HeadPointer = "retro.head";

/// Metadata of an access in a version of a nest for arrays that are apart: its
/// array's alias scope, and those of the others. The nest runs once.
inline constexpr llvm::StringLiteral ApartFrom = "retro.apart";
/// Are both in such a nest, and their arrays apart?
bool areApart(const llvm::Instruction &A, const llvm::Instruction &B);

/// The same of a nest that may run more than once: the arrays are apart in each
/// of its runs.
inline constexpr llvm::StringLiteral ApartInNest = "retro.apart.in";
/// Are two accesses in L, a loop of such a nest, of arrays that are apart?
bool areApartIn(const llvm::Loop &L, const llvm::Instruction &A,
                const llvm::Instruction &B);

/// Metadata of an atomic operation that counts references: it orders nothing
/// but who frees memory.
inline constexpr llvm::StringLiteral ReferenceCount = "retro.count";

/// Attribute of a call by an address: "1" if it stands in what counts
/// references for std::shared_ptr, else "0". Objects that count are called
/// there alone. (LLVM drops metadata where it makes one call of two.)
inline constexpr llvm::StringLiteral CallsCounts = "retro.calls-counts";

/// What the canonical form of a loop guarantees: a counter from 0 by 1, and
/// the number of header executions where it is known on entry.
struct CanonicalLoop {
  llvm::PHINode *Counter = nullptr;
  /// i64, defined outside the loop; or null. What replaces the value in the
  /// code that is prepared further, replaces it here.
  llvm::WeakTrackingVH Trips;
  /// Header of the outermost loop before which Trips holds, whether this loop
  /// is then reached or not. The value may be computed further out, from where
  /// it is the number of trips only if the loop is reached.
  llvm::BasicBlock *KnownBefore = nullptr;
  /// Without Trips: the counter's last value, as a phi of each exit block.
  llvm::DenseMap<llvm::BasicBlock *, llvm::PHINode *> LastCounter;
};

/// Is I known when C has run, whatever the way to C?
inline bool isKnownAfter(const Item &I, const llvm::Instruction &C,
                         const llvm::DominatorTree &DT) {
  auto *V = llvm::dyn_cast<llvm::Instruction>(I.V);
  return V && I.K != Item::Last && I.K != Item::LastShadow &&
         (V == &C || DT.dominates(V, &C));
}

/// One function of the unit.
struct UnitFunction {
  llvm::Function *F = nullptr;      ///< the prepared clone
  llvm::Function *Source = nullptr; ///< the user's function
  /// What is called where nothing is derived: Source, or what brings it words
  /// that F takes by their addresses (prepare/memory/word_arguments.h).
  llvm::Function *Plain = nullptr;
  /// The request's function, with both passes in one function.
  bool Root = false;
  /// The request's function in split mode: its result's adjoint is passed.
  bool Seeded = false;
  bool Recursive = false;  ///< can call itself
  bool Concurrent = false; ///< several threads may run it at once
  /// Returns where an exception leaves it
  /// (prepare/exceptions/returned_exceptions.h).
  bool ReturnsExceptions = false;
  /// Clones made for one entry into a set of mutually recursive functions.
  std::shared_ptr<llvm::DenseMap<llvm::Function *, llvm::Function *>> Family;
  llvm::MapVector<const llvm::BasicBlock *, CanonicalLoop> Loops; ///< by header
  /// Variables that begin to live, undefined, at the end of one block alone
  /// or earlier in it, whenever that is reached.
  std::vector<std::pair<llvm::WeakVH, llvm::WeakVH>> Lives;
  /// Alias scopes, and the blocks that declare them (loops/scopes.h).
  std::vector<std::pair<llvm::WeakVH, llvm::MDNode *>> Scopes;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;

  /// The canonical form of the loop with this header.
  const CanonicalLoop &loopAt(const llvm::BasicBlock *Header) const {
    return promised(Loops, Header, "control-flow", F,
                    "every loop has a counter");
  }
  /// The canonical form of L; null where it is not known.
  CanonicalLoop *loop(const llvm::Loop *L) {
    auto It = Loops.find(L->getHeader());
    return It == Loops.end() ? nullptr : &It->second;
  }
};

class Registrations;
struct Request;

/// A loop that has become a function with a gradient of its own: the Jacobian
/// is computed in the forward pass.
struct PreaccumulatedLoop {
  llvm::Function *Primal = nullptr;
  llvm::Function *Augmented = nullptr; ///< {Jacobian by columns, results}
  llvm::Function *Reverse = nullptr;
  llvm::SmallVector<unsigned, 2> Columns; ///< parameters with a derivative
  bool Outermost = false;                 ///< in no other loop of its function
};

struct Unit {
  Unit(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
       llvm::FunctionAnalysisManager &FAM, Mode DerivMode,
       Registrations &Registered)
      : M(M), MAM(MAM), FAM(FAM), DerivMode(DerivMode), Registered(Registered) {
  }

  /// What a request says of all that is made for it.
  void configure(unsigned Lanes, bool SplitPasses, bool AtRunTime) {
    Width = Lanes;
    Split = SplitPasses;
    RuntimeActivity = AtRunTime;
  }

  llvm::Module &M;
  llvm::ModuleAnalysisManager &MAM;
  llvm::FunctionAnalysisManager &FAM;
  Mode DerivMode;
  /// What the program says of functions, and the unit of its own.
  Registrations &Registered;
  unsigned Width = 1; ///< lanes of vector mode: shadows of each primal value
  /// The reverse pass is a function of its own, called later: memory from
  /// outside may have changed, and nothing of the forward pass is in scope.
  bool Split = false;
  /// Memory whose shadow pointer is the primal pointer is constant.
  bool RuntimeActivity = false;
  /// Nobody asked for that, but of some memory only the running derivative
  /// knows whether it is constant: MemoryClass::MayBeConstant. What would be
  /// lost there ends the program.
  bool SettlesConstants = false;
  /// An adjoint or tangent of zero gives zero, whatever it is multiplied with.
  bool StrongZero = false;
  /// Tangents are bounds of errors: not negative, and each operation adds what
  /// it rounds.
  bool Errors = false;
  PoolWish Pool = PoolWish::None;
  /// Launches give dynamic shared memory for a shadow, too.
  bool SharedParts = false;
  /// The request returns what the function does.
  bool ResultWanted = false;
  /// Only how long the tape is shall be known.
  bool SizeOnly = false;
  /// Accumulations into shadows keep their loads and stores: these are going
  /// to be calls.
  bool KeepAccumulations = false;
  /// A derivative is made of what is derived: what is on its tape is memory of
  /// its own, and threads are started and meet as programs have them do it.
  bool DerivedAgain = false;
  /// Nests over grids are as they were written, whole, with clamped or periodic
  /// indices.
  bool Grids = false;
  /// What is derived is for this request alone; else null.
  const Request *Site = nullptr;
  /// Arguments whose memory is no other argument's.
  llvm::SmallVector<unsigned, 2> Separate;
  NumberBounds Bounded;
  /// Arguments of the root without a derivative.
  llvm::SmallVector<unsigned, 4> Fixed;
  std::vector<PreaccumulatedLoop> Preaccumulated;
  /// A handler may go on after an exception.
  bool CatchesExceptions = false;
  /// Callers before callees, the root first.
  std::vector<std::unique_ptr<UnitFunction>> Functions;

  /// Does the derivative compare shadow pointers with those of the primal?
  bool comparesShadows() const { return RuntimeActivity || SettlesConstants; }
  /// Is a derivative made of a derivative that starts teams of threads?
  bool opensTeams() const {
    return DerivedAgain &&
           llvm::any_of(Functions, [](const auto &F) { return F->Concurrent; });
  }
  UnitFunction &root() { return *Functions.front(); }
  UnitFunction *find(const llvm::Function *F) const {
    auto It = ByFunction.find(F);
    return It == ByFunction.end() ? nullptr : It->second;
  }
  /// The unit's function that a call enters, or null.
  UnitFunction *callee(const llvm::CallBase &Call) const {
    return Call.getCalledFunction() ? find(Call.getCalledFunction()) : nullptr;
  }
  UnitFunction &add(llvm::Function *Clone, llvm::Function *Source);
  /// By, which has the body of UF's function now, takes its place.
  void replace(UnitFunction &UF, llvm::Function *By);

  llvm::DenseMap<const llvm::Function *, UnitFunction *> ByFunction;
  /// Parallel regions out of which something was hoisted, and that itself: of
  /// which region of the user's.
  llvm::DenseMap<llvm::Function *, llvm::Function *> Hoisted;
};

} // namespace retro

#endif
