// Emission: mechanical, reads analyses and plans, decides nothing.
#ifndef RETRO_EMIT_COMMON_EMIT_H
#define RETRO_EMIT_COMMON_EMIT_H

#include "base/uniqued.h"
#include "emit/common/derivative.h"
#include "emit/tape/arena.h"
#include "emit/tape/pool.h"
#include "emit/words/memory_adjoint.h"
#include "emit/words/partials.h"
#include "front/registered/custom_rule.h"
#include "front/requests/request.h"
#include "loops/scopes.h"
#include "plan/planner.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace retro {

class ActivityTrace;

/// The functions emitted for one function of the unit.
struct Emitted {
  llvm::Function *Augmented = nullptr; ///< primal, shadows, tape
  llvm::Function *Reverse = nullptr;
  llvm::Function *Forward = nullptr; ///< primal and tangent
  llvm::StructType *Frame = nullptr;
};

/// What each primal value has once per lane of vector mode: a shadow, a
/// tangent, the place of its adjoint. All uses speak of the current lane.
template <class T> class LaneMap {
public:
  LaneMap(const unsigned &Lane, unsigned Width) : Lane(Lane), Maps(Width) {}
  T &operator[](const llvm::Value *V) { return Maps[Lane][V]; }
  T lookup(const llvm::Value *V) const { return Maps[Lane].lookup(V); }
  bool count(const llvm::Value *V) const { return Maps[Lane].count(V); }
  llvm::DenseMap<const llvm::Value *, T> &all() { return Maps[Lane]; }

private:
  const unsigned &Lane;
  llvm::SmallVector<llvm::DenseMap<const llvm::Value *, T>, 1> Maps;
};

/// Emits the derivative of a unit.
class UnitEmitter {
public:
  UnitEmitter(ActivityAnalysis &Act, const UnitPlan *Plan, Reporter &R)
      : Act(Act), Plan(Plan), R(R), M(Act.unit().M),
        RT(M, Act.unit().DerivedAgain && !isGpu(M)), Memory(M) {}

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
  /// Must calls of F go to a derived function (it handles shadows or adjoints)?
  bool needsDerived(const UnitFunction &F) const {
    return Derived.contains(&F);
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
  /// Those of shared memory in a reverse pass that is a function of its own.
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
  llvm::Type *memoryType(llvm::Type *T);
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
  /// Those that a frame record has, and a record of a loop with this tape.
  llvm::SmallVector<llvm::Type *, 8> frameTypes(const FunctionPlan &P);
  llvm::SmallVector<llvm::Type *, 8> recordTypes(const LoopTape &Tape);
  /// What the forward pass takes of the pool for a variable, and for each
  /// shadow of it; 0 if nothing.
  uint64_t pieceBytes(const UnitFunction &UF, const llvm::Instruction &I) const;
  /// Is each array of a loop nest's tape memory of its own? So it is where the
  /// next derivative has to tell numbers from addresses.
  bool separateArrays() const;
  /// Does the tape of the loop nest, of so many bytes, lie on the stack?
  static bool onStack(const UnitFunction &UF, const llvm::BasicBlock &Header,
                      const llvm::Value &Bytes);
  /// Do the passes that run the primal record what is computed from what?
  /// Beside sparse shadows they cannot: no memory is where those point to.
  bool checksActivity() const;
  /// Emits the same for each lane of vector mode.
  void forLanes(llvm::function_ref<void()> Emit) {
    for (Lane = 0; Lane < width(); ++Lane)
      Emit();
    Lane = 0;
  }

  ActivityAnalysis &Act;
  const UnitPlan *Plan;
  Reporter &R;
  llvm::Module &M;
  Runtime RT;
  Pool Memory;
  std::vector<llvm::Function *> NewFunctions;
  bool UsesArena = false;
  unsigned Lane = 0; ///< of vector mode, that is being emitted

private:
  void clear(llvm::IRBuilder<> &B, llvm::GlobalVariable &Shadow);
  void clearNumbers(llvm::IRBuilder<> &B, const llvm::GlobalVariable &Of,
                    llvm::GlobalVariable &Shadow);
  void forgetFreshness(llvm::IRBuilder<> &B);
  void clearInTeams(llvm::IRBuilder<> &B,
                    llvm::ArrayRef<llvm::GlobalVariable *> Shadows);
  void findDerived();
  void declareReverse(UnitFunction &F);
  void emitPair(UnitFunction &F);
  void emitAugmented(UnitFunction &F);
  void emitReverse(UnitFunction &F);
  void emitCombined(UnitFunction &F);
  void declareForward(UnitFunction &F);
  void emitForward(UnitFunction &F);
  bool emitCallees(bool Forward);
  void bindLanes(LaneMap<llvm::Value *> &Map, llvm::Function &T, unsigned First,
                 llvm::ArrayRef<const llvm::Argument *> Of);
  llvm::Function *createRoot(const llvm::Twine &Name,
                             llvm::ArrayRef<llvm::Type *> Results,
                             llvm::ArrayRef<llvm::Type *> Params);
  llvm::Type *perLane(llvm::Type *T) const;
  llvm::Value *gather(llvm::IRBuilder<> &B,
                      llvm::function_ref<llvm::Value *()> OfLane);
  /// Parameters of a reverse function that say where the tape is.
  unsigned numTapeParams() const { return pooled() ? 2 : 1; }
  void emitFirstPass(UnitFunction &F);
  void emitForwardSplitFirst(const Request &Req, Derivative &D);
  void emitForwardSplitSecond(const Request &Req, Derivative &D);
  static llvm::SmallVector<const llvm::Argument *>
  duplicated(const Request &Req, llvm::Function &F,
             llvm::SmallVectorImpl<llvm::Type *> &Types);
  void emitSplitAugmented(const Request &Req, Derivative &D);
  void emitSplitReverse(const Request &Req, Derivative &D);
  void cleanAttributes(llvm::Function &T, const llvm::Function &F,
                       unsigned FirstShadow,
                       llvm::ArrayRef<const llvm::Argument *> ShadowOf);
  static llvm::Value *structOf(llvm::IRBuilder<> &B, llvm::StructType *T,
                               llvm::ArrayRef<llvm::Value *> Parts);
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
  llvm::Function *finish(llvm::ArrayRef<llvm::Function *> Roots);

  llvm::DenseMap<const UnitFunction *, Emitted> Map;
  llvm::DenseSet<const UnitFunction *> Derived;
  using GlobalShadow = std::pair<llvm::GlobalVariable *, unsigned>; ///< lane
  llvm::MapVector<GlobalShadow, llvm::GlobalVariable *> GlobalShadows;
  /// By variable, offset and lane.
  llvm::MapVector<std::tuple<llvm::GlobalVariable *, int64_t, unsigned>,
                  llvm::GlobalVariable *>
      Fresh;
  bool HasDynamicShared = false;
  llvm::Align SharedAlign;
  std::vector<llvm::Function *> Teams;
  llvm::MDNode *TapeScope = nullptr, *ShadowScope = nullptr,
               *CombinerScope = nullptr;
  bool Combines = false; ///< what threads add to one place is added up
  std::vector<llvm::WeakTrackingVH> ShadowPointers;
  /// What functions do when an exception leaves them.
  llvm::DenseMap<llvm::Function *, std::function<void(llvm::IRBuilder<> &)>>
      WhenLeft;
};

/// Runtime activity: an access through a pointer whose shadow is the primal
/// pointer is of constant memory. Null where the request does not ask for it.
class ActivityGuard {
public:
  ActivityGuard(UnitEmitter &E, llvm::IRBuilder<> &B, llvm::Value *Primal,
                llvm::Value *Shadow);

  /// Shadow, or memory that is there for nothing: a variable put before Entry.
  llvm::Value *place(llvm::Value *Shadow, llvm::Type *T, llvm::Align A,
                     llvm::Instruction *Entry);
  /// The condition; null where activity is known at compile time.
  llvm::Value *inactive() const { return Inactive; }
  /// V, or zero.
  llvm::Value *value(llvm::Value *V);

private:
  UnitEmitter &E;
  llvm::IRBuilder<> &B;
  llvm::Value *Inactive = nullptr;
};

/// Primal and shadow values of one function in the function being emitted,
/// and the emission of shadow operations: common to forward and augmented.
class ShadowEmitter {
public:
  ShadowEmitter(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : E(E), Act(E.Act), UF(UF), T(T), Shadows(E.Lane, E.width()) {}

  llvm::Value *primal(const llvm::Value *V) const {
    if (llvm::Value *Same = uniqued(V))
      return Same;
    return VM.lookup(V);
  }
  llvm::Value *shadow(const llvm::Value *V);
  llvm::Instruction *cloned(const llvm::Instruction &I) const {
    return cast<llvm::Instruction>(VM.lookup(&I));
  }
  /// The block in T that ends as B ends.
  llvm::BasicBlock *endOf(const llvm::BasicBlock &B) const {
    return cloned(*B.getTerminator())->getParent();
  }

  UnitEmitter &E;
  ActivityAnalysis &Act;
  UnitFunction &UF;
  llvm::Function &T;
  llvm::ValueToValueMapTy VM;
  LaneMap<llvm::Value *> Shadows;
  llvm::Value *Arena = nullptr;
  ActivityTrace *Trace = nullptr; ///< where the pass is instrumented

protected:
  void cloneBody();
  /// Emits the shadow of instruction I right after its clone; true if I was
  /// one of the kinds handled here.
  bool emitShadow(llvm::Instruction &I);
  void fillShadowPhis();
  void storeShadow(llvm::StoreInst &S);
  llvm::Value *keptShadow(llvm::IRBuilder<> &B, llvm::LoadInst &L);
  void copyPointers(llvm::CallBase &C);
  void clearPointers(llvm::CallBase &C);
  void allocationShadow(llvm::CallBase &C);
  void mirror(llvm::CallBase &C);
  void plainFork(llvm::CallBase &C, UnitFunction &G);
  void plainSpawn(llvm::CallBase &C, UnitFunction &G);
  llvm::Value *zeroed(llvm::IRBuilder<> &B, llvm::Value *Ptr,
                      llvm::Value *Bytes, llvm::MaybeAlign A);
  llvm::IRBuilder<> after(const llvm::Instruction &I);
  /// Variables go before it.
  llvm::Instruction *entryPoint() {
    return &*T.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  }
  ActivityGuard guard(llvm::IRBuilder<> &B, const llvm::Value *Ptr) {
    return {E, B, primal(Ptr), shadow(Ptr)};
  }
  llvm::SmallVector<llvm::PHINode *> ShadowPhis; ///< of UF
  /// What is emitted for the instruction at hand goes before it, if set.
  llvm::Instruction *Before = nullptr;
};

/// Offsets of the fields of an indexed tape, from the trips of its loops, and
/// bytes from one element to the next.
struct IndexedLayout {
  llvm::SmallVector<llvm::Value *, 4> Offsets;
  llvm::SmallVector<uint64_t, 4> Steps;
  llvm::Value *Total = nullptr;
};

/// Fills T with the body of a unit's function, for this module alone.
llvm::SmallVector<llvm::ReturnInst *> cloneInto(llvm::Function &T,
                                                const UnitFunction &UF,
                                                llvm::ValueToValueMapTy &VM);

/// Lets a call of a function of the unit enter the user's function.
void callSource(llvm::CallBase &C, llvm::Function &Source);

/// The bytes of a variable that lies on the tape.
uint64_t tapedBytes(const llvm::AllocaInst &A, const llvm::DataLayout &DL);

/// The forward pass of reverse mode: the primal with shadows and the tape.
class ForwardSweep : public ShadowEmitter {
public:
  ForwardSweep(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : ShadowEmitter(E, UF, T), P(E.Plan->of(UF)) {}

  void run();
  /// The frame record of a call, or null where it has none.
  llvm::Value *frameAtReturn(llvm::IRBuilder<> &B) const;

  const FunctionPlan &P;
  llvm::Value *Frame = nullptr;
  llvm::AllocaInst *FrameSlot = nullptr;  ///< where not all calls have one
  llvm::Instruction *FrameDone = nullptr; ///< with it: the last of its making
  llvm::StructType *FrameType = nullptr;
  llvm::Value *Stride = nullptr; ///< in a pool: from one word to the next
  llvm::DenseMap<Item, llvm::AllocaInst *> Slots;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> Records;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::StructType *> RecordTypes;
  llvm::Instruction *EntryPoint = nullptr; ///< variables go before it
  /// Loop nests whose tape lies on the stack.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> OnStack;
  /// Where each value of a nest's tape lies.
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, unsigned>, llvm::Value *>
      Arrays;

private:
  void makeFrame(llvm::IRBuilder<> &B);
  void prepareFrame();
  void prepareTapes();
  void storeInPool(llvm::IRBuilder<> &B, const Storage &S, llvm::Value *V);
  llvm::Value *indexOf(llvm::IRBuilder<> &B, const LoopTape::Field &F);
  llvm::Value *placeArrays(llvm::IRBuilder<> &B, const llvm::BasicBlock &H,
                           const LoopTape &Tape, const IndexedLayout &Layout);
  void prepareIndexed(const llvm::BasicBlock &H, const LoopTape &Tape);
  void prepareRecords(const llvm::BasicBlock &H, const LoopTape &Tape);
  void store(Item I, llvm::Value *V, llvm::IRBuilder<> &B);
  void keep(const llvm::Instruction &I);
  void keep(Item X, llvm::Value *V);
  void visit(llvm::Instruction &I);
  void unitCall(llvm::CallBase &C, UnitFunction &G);
  void customCall(llvm::CallBase &C, const CustomFunction &Augmented);
  void forkCall(llvm::CallBase &C, UnitFunction &G,
                llvm::ArrayRef<llvm::Value *> Args);
  void spawnCall(llvm::CallBase &C, UnitFunction &G,
                 llvm::ArrayRef<llvm::Value *> Args);
  void synchronize(llvm::CallBase &C);
  void mpiCall(llvm::CallBase &C);
  void keepArrays(llvm::CallBase &C);
  void tapeAlloca(llvm::AllocaInst &A);
  void deferFree(llvm::CallBase &C);
  void branchNumbers();
  void heads();
  void lastValues();
  void passBy(const llvm::BasicBlock &Header);

  llvm::DenseMap<const llvm::BasicBlock *, llvm::Instruction *> RecordMade;

  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<uint64_t, 4>>
      Steps; ///< from element to element of the arrays of a nest
  /// In a pool: variables that lie there, and their shadows, lane by lane.
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<llvm::Value *, 2>>
      Pieces;
};

IndexedLayout layoutIndexed(
    llvm::IRBuilder<> &B, UnitEmitter &E, const LoopTape &Tape,
    llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Trips);

/// The place of one element of a field.
llvm::Value *elementAt(llvm::IRBuilder<> &B, llvm::Type *T, llvm::Value *Array,
                       llvm::Value *Index, uint64_t Step);

/// The element number in a nest, from counters and trips of its loops.
llvm::Value *
nestIndex(llvm::IRBuilder<> &B, llvm::ArrayRef<const llvm::BasicBlock *> Nest,
          llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Counter,
          llvm::function_ref<llvm::Value *(const llvm::BasicBlock *)> Trips);

/// The reverse pass.
class ReverseSweep {
public:
  ReverseSweep(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : ShadowArgs(E.Lane, E.width()), E(E), Act(E.Act), UF(UF),
        P(E.Plan->of(UF)), T(T), B(T.getContext()), Shared(E.width()),
        Adjoints(E.Lane, E.width()), Current(E.Lane, E.width()) {}

  /// Emits all reverse blocks; returns the first. Finish is called at the end
  /// of the pass with the builder in place.
  llvm::BasicBlock *run(llvm::function_ref<void(llvm::IRBuilder<> &)> Finish);
  /// Lets fused loops run where they are reversed.
  void weave(llvm::BasicBlock *Start, llvm::BasicBlock *End);

  /// The combined function's forward sweep, or null in a reverse function.
  ForwardSweep *Fwd = nullptr;
  llvm::Value *Frame = nullptr; ///< reverse function: the caller's tape
  llvm::Value *Arena = nullptr;
  llvm::Value *Stride = nullptr; ///< as in the forward sweep
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Args;
  LaneMap<llvm::Value *> ShadowArgs;
  llvm::Instruction *EntryPoint = nullptr;

  /// Adjoint of V, zero if it has none yet.
  llvm::Value *adjoint(const llvm::Value *V);
  void setAdjoint(const llvm::Value *V, llvm::Value *G);
  void addAdjoint(const llvm::Value *V, llvm::Value *G);
  llvm::Value *takeAdjoint(const llvm::Value *V);
  /// Fills block At: adds G to V's adjoint, lane by lane; goes on to Next.
  void seed(llvm::BasicBlock *At, const llvm::Value *V, llvm::BasicBlock *Next,
            llvm::function_ref<llvm::Value *()> G);

private:
  llvm::AllocaInst *adjointSlot(const llvm::Value *V);
  llvm::BasicBlock *beforeUses(const llvm::Value *V);
  bool staysInBlock(const llvm::Value *V) const;
  void dropUnreadSlots();
  llvm::Value *lookup(Item I);
  llvm::Value *find(Item I);
  llvm::Value *primal(const llvm::Value *V) {
    return lookup({Item::Primal, V});
  }
  llvm::Value *shadow(const llvm::Value *V) {
    return lookup({Item::Shadow, V, E.Lane});
  }
  ActivityGuard guard(const llvm::Value *Ptr) {
    return {E, B, Act.unit().RuntimeActivity ? primal(Ptr) : nullptr,
            shadow(Ptr)};
  }
  llvm::Value *load(Item I, const Storage &S);
  llvm::Value *loadFromPool(const Storage &S);
  llvm::Value *indexOf(const LoopTape::Field &F);
  llvm::Value *choose(const BranchChoice &Tree, const Reversal &V);
  llvm::Value *recompute(Item I);
  void recomputeOperands(Item I);
  const llvm::Instruction *nextOperand(Item I) const;
  llvm::Value *counter(const llvm::BasicBlock *Header);
  llvm::Value *trips(const llvm::BasicBlock *Header);
  llvm::Value *record(const llvm::BasicBlock *Header);
  llvm::AllocaInst *counterSlot(const llvm::BasicBlock *Header);
  llvm::AllocaInst *recordSlot(const llvm::BasicBlock *Header);
  llvm::AllocaInst *carriedSlot(Item I);
  void note(Item I, llvm::Value *V);
  void rerun(const llvm::BasicBlock &H, const llvm::BasicBlock *From);
  void findLast(const llvm::BasicBlock &H);
  llvm::SmallVector<llvm::Value *> carriedFrom(const llvm::BasicBlock &H);
  void stepBack(const llvm::BasicBlock &H, llvm::ArrayRef<llvm::Value *> From);
  llvm::Value *isLastIteration(const llvm::BasicBlock &H);
  void nextIteration(const llvm::BasicBlock &H);
  void goTo(const llvm::BasicBlock &Next, const llvm::BasicBlock &From);
  void await(const llvm::BasicBlock &H, llvm::BasicBlock *Start,
             llvm::BasicBlock *End);

  llvm::BasicBlock *unlessThrown(llvm::CallBase &C);
  void emitBlock(llvm::BasicBlock &Block);
  void emitFlow(const llvm::BasicBlock &Block, const Reversal &V);
  void enterLoops(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  struct PhiAdjoint {
    const llvm::PHINode *Phi;
    llvm::Value *G;
    unsigned Lane;
  };
  void phiAdjoints(const llvm::BasicBlock &Pred,
                   llvm::ArrayRef<PhiAdjoint> Phis);

  // Adjoints of instructions (adjoint.cpp).
  void emitAdjoint(llvm::Instruction &I);
  using Position = std::pair<llvm::BasicBlock *, llvm::Instruction *>;
  Position here() const;
  void describeAccesses(const llvm::Instruction &Primal, Position From);
  void ruleAdjoint(llvm::Instruction &I, RuleUse Use);
  void readEarly(llvm::StoreInst &S);
  void storeAdjoint(llvm::StoreInst &S);
  void callAdjoint(llvm::CallBase &C);
  void unitCallAdjoint(llvm::CallBase &C, UnitFunction &G);
  void forkAdjoint(llvm::CallBase &C, UnitFunction &G,
                   llvm::ArrayRef<llvm::Value *> Args);
  void spawnAdjoint(llvm::CallBase &C);
  void syncAdjoint(llvm::CallBase &C);
  void atomicAdjoint(llvm::AtomicRMWInst &I);
  Adding adding(const llvm::Instruction &I) const;
  std::pair<llvm::Value *, llvm::Value *> endsOf(const SharedExtent &E);
  void compareShadows();
  void addIfApart(llvm::Value *At, llvm::Value *G, llvm::Align A);
  void customAdjoint(llvm::CallBase &C);
  void mpiAdjoint(llvm::CallBase &C);
  void copyAdjoint(llvm::CallBase &C);
  void setMemoryAdjoint(llvm::CallBase &C);
  void sincosAdjoint(llvm::CallBase &C, KnownCall K);
  void complexAdjoint(llvm::CallBase &C, KnownCall K);
  void blasAdjoint(llvm::CallBase &C);
  void reduceAdjoint(llvm::CallBase &C, KnownCall K);
  void shuffleAdjoint(llvm::CallBase &C, KnownCall K);
  void maskAdjoint(llvm::Instruction &I);
  llvm::Value *add(llvm::Value *A, llvm::Value *C);

  UnitEmitter &E;
  ActivityAnalysis &Act;
  UnitFunction &UF;
  const FunctionPlan &P;
  llvm::Function &T;
  llvm::IRBuilder<> B;
  Partials Shared;
  AdjointScopes Scopes;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  LaneMap<llvm::AllocaInst *> Adjoints;
  /// What the slot of an adjoint was last set to, where that is emitted.
  struct SlotValue {
    llvm::BasicBlock *In = nullptr;
    llvm::Value *G = nullptr;
  };
  LaneMap<SlotValue> Current;
  std::optional<llvm::PostDominatorTree> After; ///< of the primal
  /// By header: the branch to what reverses all before the loop.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Instruction *> Left;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> Counters,
      Records;
  llvm::DenseMap<Item, llvm::AllocaInst *> Carried;
  llvm::DenseMap<unsigned, llvm::AllocaInst *> ShadowsApart; ///< by lane
  llvm::DenseMap<const llvm::BasicBlock *, llvm::StructType *> RecordTypes;
  /// Adjoints of stores, by lane, that their block has read at its beginning.
  llvm::DenseMap<std::pair<const llvm::StoreInst *, unsigned>, llvm::Value *>
      Early;
  llvm::DenseMap<Item, llvm::Value *> Memo; ///< valid in MemoBlock
  llvm::BasicBlock *MemoBlock = nullptr;
};

} // namespace retro

#endif
