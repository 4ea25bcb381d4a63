// The reverse pass: it goes through the blocks of the primal backwards, takes
// the adjoint of each result and adds to those of the operands.
//
// Members: reverse_sweep.cpp (control flow, values that are kept or computed
// again), adjoint.cpp (adjoints of instructions), adjoint_slots.cpp (where
// adjoints are), copied_arrays.cpp, invert.cpp, fuse.cpp,
// checks/shadows_apart.cpp; and by the kind of call calls/blas_sweeps.cpp,
// calls/complex.cpp, calls/custom.cpp, calls/mpi.cpp, calls/noted_places.cpp,
// calls/transfer.cpp, calls/unit_calls.cpp, threads/fork.cpp,
// threads/shuffles.cpp, threads/spawn.cpp, threads/sync_adjoint.cpp.
#ifndef RETRO_EMIT_COMMON_REVERSE_SWEEP_H
#define RETRO_EMIT_COMMON_REVERSE_SWEEP_H

#include "emit/common/activity_guard.h"
#include "emit/common/lane_map.h"
#include "emit/common/unit_emitter.h"
#include "emit/words/memory_adjoint.h"
#include "emit/words/partials.h"
#include "loops/scopes.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstVisitor.h"

namespace retro {

class ForwardSweep;

class ReverseSweep : llvm::InstVisitor<ReverseSweep> {
public:
  ReverseSweep(UnitEmitter &E, UnitFunction &UF, llvm::Function &T)
      : E(E), Act(E.Act), UF(UF), P(E.Plan->of(UF)), T(T), B(T.getContext()),
        ShadowArgs(E.lane(), E.width()), Shared(E.width()),
        Adjoints(E.lane(), E.width()), Current(E.lane(), E.width()) {}

  /// T's parameters from First on are shadows, as in LaneMap::bind.
  void bindShadows(unsigned First, llvm::ArrayRef<const llvm::Argument *> Of) {
    ShadowArgs.bind(T, First, Of);
  }
  /// Both passes are in one function.
  void follow(ForwardSweep &F);
  /// A function of its own: variables go before Entry, and the tape is the
  /// caller's. InPool: from one word to the next, or null.
  void readTape(llvm::Instruction &Entry, llvm::Value &CallersFrame,
                llvm::Value *InPool) {
    EntryPoint = &Entry;
    Frame = &CallersFrame;
    Stride = InPool;
  }

  /// Emits all reverse blocks; returns the first. Finish is called at the end
  /// of the pass with the builder in place.
  llvm::BasicBlock *run(llvm::function_ref<void(llvm::IRBuilder<> &)> Finish);
  /// Lets fused loops run where they are reversed.
  void weave(llvm::BasicBlock *Start, llvm::BasicBlock *End);

  /// The adjoint of V, which has none from here on.
  llvm::Value *takeAdjoint(const llvm::Value *V);
  /// Fills block At: adds G to V's adjoint, lane by lane; goes on to Next.
  void seed(llvm::BasicBlock *At, const llvm::Value *V, llvm::BasicBlock *Next,
            llvm::function_ref<llvm::Value *()> G);

private:
  /// Adjoint of V, zero if it has none yet.
  llvm::Value *adjoint(const llvm::Value *V);
  void setAdjoint(const llvm::Value *V, llvm::Value *G);
  void addAdjoint(const llvm::Value *V, llvm::Value *G);
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
    return lookup({Item::Shadow, V, E.lane()});
  }
  ActivityGuard guard(const llvm::Value *Ptr) {
    return {E, B, Act.comparesShadow(Ptr) ? primal(Ptr) : nullptr, shadow(Ptr)};
  }
  llvm::Value *load(Item I, const Storage &S);
  llvm::Value *elementOfNest(const Storage &S, llvm::Type *T);
  llvm::Value *loadFromPool(const Storage &S);
  llvm::Value *indexOf(const LoopTape::Field &F);
  llvm::Value *choose(const BranchChoice &Tree, const Reversal &V);
  llvm::Value *recompute(Item I);
  llvm::LoadInst *loadFromCopy(const llvm::LoadInst &L, const CopiedLoad &From);
  llvm::Value *checked(const llvm::Instruction &I, llvm::Instruction *Again);
  bool isComputedAgain(const llvm::Instruction &I) const;
  llvm::Value *notPlanned(Item I);
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
  void branchTo(llvm::ArrayRef<llvm::BasicBlock *> Edges, llvm::Value *Which);
  void enterLoops(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  struct PhiAdjoint {
    const llvm::PHINode *Phi;
    llvm::Value *G;
    unsigned Lane;
  };
  void phiAdjoints(const llvm::BasicBlock &Pred,
                   llvm::ArrayRef<PhiAdjoint> Phis);
  llvm::BasicBlock *edgeTo(const llvm::BasicBlock &X,
                           const llvm::BasicBlock *From,
                           llvm::ArrayRef<PhiAdjoint> Phis);

  // Adjoints of instructions (adjoint.cpp).
  void emitAdjoint(llvm::Instruction &I);
  friend class llvm::InstVisitor<ReverseSweep>; // where no rule and no call is
  void visitLoadInst(llvm::LoadInst &L);
  void visitStoreInst(llvm::StoreInst &S);
  void visitCastInst(llvm::CastInst &I);
  void visitBitCastInst(llvm::BitCastInst &I);
  void visitBinaryOperator(llvm::BinaryOperator &I);
  void visitFreezeInst(llvm::FreezeInst &I);
  void visitSelectInst(llvm::SelectInst &I);
  void visitExtractElementInst(llvm::ExtractElementInst &I);
  void visitInsertElementInst(llvm::InsertElementInst &I);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst &S);
  void visitExtractValueInst(llvm::ExtractValueInst &X);
  void visitInsertValueInst(llvm::InsertValueInst &X);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &I);
  void visitInstruction(llvm::Instruction &I) { E.unplanned(I); }
  using Position = std::pair<llvm::BasicBlock *, llvm::Instruction *>;
  Position here() const;
  void describeAccesses(const llvm::Instruction &Primal, Position From);
  void ruleAdjoint(llvm::Instruction &I, rules::RuleId Rule);
  void readEarly(llvm::StoreInst &S);
  void callAdjoint(llvm::CallBase &C);
  static llvm::FastMathFlags ruleFlags(const llvm::Instruction &I);
  void unitCallAdjoint(llvm::CallBase &C, UnitFunction &G);
  void unitCallAtOnce(llvm::CallBase &C, UnitFunction &G,
                      const EarlyAdjoint &A);
  llvm::Value *earlyAdjoint(llvm::IRBuilder<> &IR, const EarlyAdjoint &A);
  void addArgumentAdjoints(llvm::CallBase &C, UnitFunction &G,
                           llvm::CallInst &R);
  void forkAdjoint(llvm::CallBase &C, UnitFunction &G,
                   llvm::ArrayRef<llvm::Value *> Args);
  void spawnAdjoint(llvm::CallBase &C);
  void syncAdjoint(llvm::CallBase &C);
  Adding adding(const llvm::Instruction &I) const;
  std::pair<llvm::Value *, llvm::Value *> endsOf(const SharedExtent &E);
  void compareShadows();
  void addIfApart(llvm::Value *At, llvm::Value *G, llvm::Align A);
  void customAdjoint(llvm::CallBase &C);
  void mpiAdjoint(llvm::CallBase &C);
  void copyAdjoint(llvm::CallBase &C);
  void movePlaces(llvm::CallBase &C, llvm::Value *To, llvm::Value *From,
                  llvm::Value *Bytes);
  void takePlace(const llvm::Instruction &I, llvm::Value *At, llvm::Type *T);
  void addNoted(llvm::Value *At, llvm::Value *G);
  void setMemoryAdjoint(llvm::CallBase &C);
  void sincosAdjoint(llvm::CallBase &C, KnownCall K);
  void complexAdjoint(llvm::CallBase &C, KnownCall K);
  void blasAdjoint(llvm::CallBase &C);
  void reduceAdjoint(llvm::CallBase &C);
  void shuffleAdjoint(llvm::CallBase &C, KnownCall K);
  llvm::Value *add(llvm::Value *A, llvm::Value *C);

  UnitEmitter &E;
  const ActivityAnalysis &Act;
  UnitFunction &UF;
  const FunctionPlan &P;
  llvm::Function &T;
  llvm::IRBuilder<> B;
  /// The combined function's forward sweep, or null in a reverse function.
  ForwardSweep *Fwd = nullptr;
  llvm::Value *Frame = nullptr; ///< reverse function: the caller's tape
  llvm::Value *Arena = nullptr;
  llvm::Value *Stride = nullptr; ///< as in the forward sweep
  LaneMap<llvm::Value *> ShadowArgs;
  llvm::Instruction *EntryPoint = nullptr; ///< variables go before it
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
