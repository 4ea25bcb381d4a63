// Emits the derivative of a unit: facts and a plan go in, functions come out
// that answer the request, with all that they call. Nothing is decided here;
// what all sweeps share about the unit they ask this class.
//
// Its members are where their subjects are: root_emitter.cpp (what answers a
// request), unit_emitter.cpp (pairs and tangents of called functions),
// forward_split.cpp, tape_size.cpp and tape_arrays.cpp (passes of their own),
// forward_sweep.cpp (types of tapes), derived_functions.cpp (which functions
// have derivatives, of which signature), shadows_of_globals.cpp and
// kept_shadows.cpp (shadows that are variables), memory_roles.cpp (what may
// alias), landing_pads.cpp (exceptions), threads/fork.cpp.
#ifndef RETRO_EMIT_COMMON_UNIT_EMITTER_H
#define RETRO_EMIT_COMMON_UNIT_EMITTER_H

#include "base/toggles.h"
#include "emit/common/derivative.h"
#include "emit/common/object_scopes.h"
#include "emit/tape/arena.h"
#include "emit/tape/pool.h"
#include "plan/planner.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace retro {

class ForwardSweep;
class ReverseSweep;
class ShadowEmitter;
class TangentSweep;
struct Request;

/// The functions emitted for one function of the unit.
struct Emitted {
  llvm::Function *Augmented = nullptr; ///< primal, shadows, tape
  llvm::Function *Reverse = nullptr;
  llvm::Function *Forward = nullptr; ///< primal and tangent
  llvm::StructType *Frame = nullptr;
};

/// Emits the derivative of a unit.
class UnitEmitter {
public:
  UnitEmitter(const ActivityAnalysis &Act, const UnitPlan *Plan, Reporter &R)
      : Act(Act), Plan(Plan), R(R), M(Act.unit().M),
        RT(M, Act.unit().DerivedAgain && !isGpu(M)), Memory(M),
        Objects(Act.shape()) {
    if (isOn(Toggle::alias_scopes))
      Objects.note(Act.unit());
  }

  /// Reverse mode, both passes in one function.
  llvm::Function *emitGradient(const Request &Req);
  /// Forward mode.
  llvm::Function *emitTangent(const Request &Req);
  /// Reverse mode in two functions.
  Derivative emitSplit(const Request &Req);
  /// How many bytes of a pool the tape of a thread takes:
  /// i64 (parameters of the root)
  llvm::Function *emitMeasure();
  /// Forward mode in two functions.
  Derivative emitForwardSplit(const Request &Req);

  Emitted &of(UnitFunction &F) { return Map[&F]; }
  /// The functions of F's derivative, for calls of it.
  llvm::Function &augmentedOf(UnitFunction &F) {
    return declared(F, of(F).Augmented);
  }
  llvm::Function &reverseOf(UnitFunction &F) {
    return declared(F, of(F).Reverse);
  }
  llvm::Function &tangentOf(UnitFunction &F) {
    return declared(F, of(F).Forward);
  }
  /// All that has been emitted, whoever calls it.
  const std::vector<llvm::Function *> &newFunctions() const {
    return NewFunctions;
  }
  void addFunction(llvm::Function *F) { NewFunctions.push_back(F); }
  /// Must calls of F go to a derived function (it handles shadows or adjoints)?
  bool needsDerived(const UnitFunction &F) const {
    return Plan->needsDerived(F);
  }
  /// Does F return a value with an adjoint or tangent?
  bool returnsActive(const UnitFunction &F) const;
  bool returnsShadow(const UnitFunction &F) const;

  /// The shadow of a constant: of a global, of an address in one.
  llvm::Constant *shadowConstant(llvm::Constant *C);
  /// Sets the shadows of globals to zero at the start of a gradient.
  void clearGlobalShadows(llvm::IRBuilder<> &B);
  /// Says of the shadow of a kept block's pointer that this derivative has made
  /// it; null: the access is of no such pointer.
  llvm::GlobalVariable *freshness(const llvm::Instruction &Access);
  /// The image, in this lane, of the memory at an address, which Of is in the
  /// primal.
  llvm::Value *imageOf(llvm::IRBuilder<> &B, llvm::Value *Ptr,
                       const llvm::Value &Of);
  /// What T, which other code calls, finds out before anything else.
  void checkSeparate(llvm::IRBuilder<> &B, llvm::Function &T);
  /// A derivative begins and ends: so do its images, if it has any.
  void openImages(llvm::Function &T);
  void closeImages(llvm::IRBuilder<> &B);
  /// Sets the shadows of shared memory to zero at the start of a reverse pass
  /// that is a function of its own.
  void clearBlockShadows(llvm::IRBuilder<> &B);
  /// Of the dynamic shared memory of a launch, with a shadow for each lane; 0
  /// where there are none in it.
  unsigned sharedParts() const { return HasDynamicShared ? width() + 1 : 0; }
  llvm::Align sharedAlign() const { return SharedAlign; }
  /// A function that each thread of a team runs in a pass over the primal.
  void addTeam(llvm::Function *F, bool Reverse) {
    NewFunctions.push_back(F);
    if (!Reverse)
      Teams.push_back(F);
  }
  /// Tape, shadow and primal memory do not alias each other.
  void markTapeAccess(llvm::Instruction *I);
  /// Remembers that what V points to is shadow memory; returns V.
  llvm::Value *noteShadow(llvm::Value *V) {
    if (!isa<llvm::Constant>(V))
      ShadowPointers.push_back(V);
    return V;
  }
  /// What is promised of a value's place on the tape: wide vectors want more
  /// than the tape's memory has.
  llvm::Align tapeAlign(llvm::Type *T) const {
    return std::min(M.getDataLayout().getABITypeAlign(T), llvm::Align(16));
  }
  /// The parameters whose shadows the first pass of forward split mode takes.
  llvm::SmallVector<const llvm::Argument *>
  firstPassShadows(const UnitFunction &F) const;
  unsigned width() const { return Act.unit().Width; }
  /// Does the tape lie in a pool?
  bool pooled() const { return Plan && Plan->pool().Used; }
  /// What a loop's tape has of one value, in each iteration.
  uint64_t tapeBytes(llvm::Type *T) const {
    return pooled() ? Memory.bytesOf(T)
                    : M.getDataLayout().getTypeAllocSize(T).getFixedValue();
  }
  /// The types of the fields of a record of a loop with this tape.
  llvm::SmallVector<llvm::Type *, 8> recordTypes(const LoopTape &Tape);
  /// What the forward pass takes of the pool for a variable, and for each
  /// shadow of it; 0 if nothing.
  uint64_t pieceBytes(const UnitFunction &UF, const llvm::Instruction &I) const;
  /// Is each array of a loop nest's tape memory of its own? So it is where the
  /// next derivative has to tell numbers from addresses.
  bool separateArrays() const;
  /// An error of the engine: nothing was to be left of which no derivative can
  /// be written (plan/refusals).
  void unplanned(const llvm::Instruction &I) const;
  /// Emits the same for each lane of vector mode.
  void forLanes(llvm::function_ref<void()> Emit) {
    for (Lane = 0; Lane < width(); ++Lane)
      Emit();
    Lane = 0;
  }
  /// Emits for lane N alone.
  void inLane(unsigned N, llvm::function_ref<void()> Emit) {
    Lane = N;
    Emit();
    Lane = 0;
  }
  /// The lane that is being emitted. Maps by lane hold on to it.
  const unsigned &lane() const { return Lane; }
  /// Something lies in the arena, which has to be released.
  void useArena() { UsesArena = true; }

  // What every emitter reads: facts and plan of the unit, where its code goes,
  // whom errors are told, and where the tape lies.
  const ActivityAnalysis &Act;
  const UnitPlan *const Plan;
  Reporter &R;
  llvm::Module &M;
  Runtime RT;
  Pool Memory;

private:
  /// Callees are declared before bodies are emitted.
  static llvm::Function &declared(const UnitFunction &F, llvm::Function *D) {
    retroAssert(D, "emit", F.F, "what is called has been declared");
    return *D;
  }
  llvm::GlobalVariable *shadowVariable(llvm::GlobalVariable *G);
  llvm::GlobalVariable *findShadow(llvm::GlobalVariable *G);
  llvm::Constant *initialShadow(llvm::Constant *K);
  void clear(llvm::IRBuilder<> &B, llvm::GlobalVariable &Shadow);
  void forgetPointers(llvm::IRBuilder<> &B, const llvm::GlobalVariable &Of,
                      llvm::GlobalVariable &S);
  void clearNumbers(llvm::IRBuilder<> &B, const llvm::GlobalVariable &Of,
                    llvm::GlobalVariable &Shadow);
  void forgetFreshness(llvm::IRBuilder<> &B);
  llvm::Constant *imagedVariables(unsigned Of);
  llvm::Value *beginOf(llvm::IRBuilder<> &B, llvm::Function &T,
                       const KnownBegin &X);
  void clearInTeams(llvm::IRBuilder<> &B,
                    llvm::ArrayRef<llvm::GlobalVariable *> Shadows);
  void declareReverse(UnitFunction &F);
  void emitPair(UnitFunction &F);
  void emitAugmented(UnitFunction &F);
  void emitReverse(UnitFunction &F);
  void emitCombined(UnitFunction &F);
  void declareForward(UnitFunction &F);
  void emitForward(UnitFunction &F);
  void emitCallees(bool Forward);
  /// What answers a request: parameters behind the root's own, which begin
  /// with the shadows or tangents of duplicated ones, and results.
  struct Signature {
    llvm::SmallVector<llvm::Type *> Params, Results;
    llvm::SmallVector<const llvm::Argument *> Dup; ///< each once a lane
  };
  Signature signatureOf(const Request &Req) const;
  void returnAdjoints(const Request &Req, Signature &S) const;
  llvm::Function *createRoot(const llvm::Twine &Name, const Signature &S);
  llvm::SmallVector<llvm::Value *>
  argumentsOfInner(llvm::Function &T,
                   llvm::ArrayRef<const llvm::Argument *> Dup);
  void forwardPass(ForwardSweep &F,
                   llvm::ArrayRef<const llvm::Argument *> Shadows);
  void reversePass(const Request &Req, ForwardSweep &F, const Signature &Sig,
                   llvm::ReturnInst &Return);
  void joinPasses(ForwardSweep &F, ReverseSweep &S, llvm::ReturnInst &Return,
                  llvm::BasicBlock *First,
                  llvm::function_ref<llvm::Value *()> Seed);
  llvm::SmallVector<llvm::Value *> adjointsOfArguments(ReverseSweep &S,
                                                       UnitFunction &F);
  /// Is the memory that the caller gives enough for the tape?
  /// What stands for one value of type T a lane in a result.
  llvm::Type *perLane(llvm::Type *T) const;
  llvm::Value *gather(llvm::IRBuilder<> &B,
                      llvm::function_ref<llvm::Value *()> OfLane);
  /// Parameters of a reverse function that say where the tape is.
  unsigned numTapeParams() const { return pooled() ? 2 : 1; }
  void emitFirstPass(UnitFunction &F);
  void emitForwardSplitFirst(const Request &Req, Derivative &D);
  void emitForwardSplitSecond(const Request &Req, Derivative &D);
  void emitSplitAugmented(const Request &Req, Derivative &D);
  void emitSplitReverse(const Request &Req, Derivative &D);
  void cleanAttributes(llvm::Function &T, const llvm::Function &F,
                       unsigned FirstShadow,
                       llvm::ArrayRef<const llvm::Argument *> ShadowOf);
  using Parts = llvm::SmallVector<llvm::Value *>;
  /// Ends the function with a struct of its result type.
  static void returnStruct(llvm::IRBuilder<> &B,
                           llvm::ArrayRef<llvm::Value *> Fields);
  /// Ends it likewise, in the place of the primal's return.
  static void
  returnInstead(const ShadowEmitter &S, const llvm::ReturnInst &Return,
                llvm::function_ref<void(llvm::IRBuilder<> &, Parts &)> Fill);
  static llvm::ReturnInst *returnOf(llvm::Function &F);
  void makeScopes();
  /// Which memory a pointer is into, seen through choices of pointers.
  enum class Role { Primal, Shadow, Either };
  Role roleOf(const llvm::Value *Ptr,
              const llvm::SmallPtrSetImpl<const llvm::Value *> &Shadows) const;
  void markOtherAccesses(llvm::Function &F);
  void markAliasing(llvm::ArrayRef<llvm::Function *> Roots);
  void placeDynamicShadows();
  void raise();
  llvm::SmallPtrSet<const llvm::Function *, 8> findThrowing() const;
  llvm::Constant *personality() const;
  void forgetExceptions(llvm::Function &T);
  llvm::Function *finish(llvm::ArrayRef<llvm::Function *> Roots);

  std::vector<llvm::Function *> NewFunctions;
  bool UsesArena = false;
  unsigned Lane = 0;
  llvm::DenseMap<const UnitFunction *, Emitted> Map;
  using GlobalShadow = std::pair<llvm::GlobalVariable *, unsigned>; ///< lane
  llvm::MapVector<GlobalShadow, llvm::GlobalVariable *> GlobalShadows;
  /// By variable, offset and lane.
  llvm::MapVector<std::tuple<const llvm::GlobalVariable *, int64_t, unsigned>,
                  llvm::GlobalVariable *>
      Fresh;
  /// By lane: the variables that imageOf is to know; null: none.
  llvm::DenseMap<std::pair<unsigned, unsigned>, llvm::GlobalVariable *>
      ImagedVariables; ///< by class and lane
  bool HasDynamicShared = false;
  llvm::Align SharedAlign;
  std::vector<llvm::Function *> Teams;
  llvm::MDNode *TapeScope = nullptr, *ShadowScope = nullptr,
               *CombinerScope = nullptr;
  bool Combines = false; ///< what threads add to one place is added up
  std::vector<llvm::WeakTrackingVH> ShadowPointers;
  ObjectScopes Objects;
  /// What functions do when an exception leaves them.
  llvm::DenseMap<llvm::Function *, std::function<void(llvm::IRBuilder<> &)>>
      WhenLeft;
};

} // namespace retro

#endif
