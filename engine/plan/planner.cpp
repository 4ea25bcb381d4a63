// Input: the facts of a unit. Output: the plan of each function: the ways of
// its reverse pass, what that needs, and what of it is kept. plan_promises.cpp
// holds it to what emission takes for granted. Without a plan emission would
// have nothing to obey.
#include "plan/planner.h"

#include "plan/function_planner.h"

#include "facts/activity/blas_calls.h"
#include "facts/activity/constant_memory.h"
#include "facts/activity/noted_places.h"
#include "facts/activity/transfer_layout.h"
#include "facts/loops/tape_bytes.h"
#include "facts/parallel/forks.h"
#include "facts/reversal/product_guards.h"
#include "facts/reversal/updates.h"
#include "plan/branch_choice.h"
#include "plan/plan_promises.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// The returning block, and all blocks that can reach it.
bool Planner::findExit() {
  for (BasicBlock &B : *UF.F)
    if (isa<ReturnInst>(B.getTerminator()))
      P.exitBlock = &B;
  if (!P.exitBlock)
    return false;
  SmallVector<const BasicBlock *> Work{P.exitBlock};
  Reversible.insert(P.exitBlock);
  while (!Work.empty())
    for (const BasicBlock *B : predecessors(Work.pop_back_val()))
      if (Reversible.insert(B).second)
        Work.push_back(B);
  for (BasicBlock &B : *UF.F)
    for (Instruction &I : B)
      if (Reversible.contains(&B) && UP.N.hasWork(I)) {
        Working.insert(&B);
        break;
      }
  return true;
}

/// Does no block between B and its dominator Top need a reverse pass?
bool Planner::regionIsIdle(const BasicBlock &B, const BasicBlock *Top) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *> Work{&B};
  while (!Work.empty())
    for (const BasicBlock *X : predecessors(Work.pop_back_val())) {
      if (X == Top || !Reversible.contains(X) || !Seen.insert(X).second)
        continue;
      if (Working.contains(X) || X == &B)
        return false;
      Work.push_back(X);
    }
  return true;
}

Reversal Planner::reversalOf(const BasicBlock &B) {
  Reversal V;
  if (&B == &UF.F->getEntryBlock())
    return V;
  const Loop *L = UF.LI.getLoopFor(&B);
  if (L && L->getHeader() == &B) {
    V.K = Reversal::Header;
    V.To = {L->getLoopPreheader(), L->getLoopLatch()};
    return V;
  }
  SmallVector<const BasicBlock *> Preds;
  for (const BasicBlock *X : predecessors(&B))
    if (Reversible.contains(X) && !is_contained(Preds, X))
      Preds.push_back(X);
  bool ActivePhi =
      any_of(B.phis(), [&](const PHINode &X) { return Act.active(&X); });
  const BasicBlock *D = UF.DT.getNode(&B)->getIDom()->getBlock();
  // The dominator may stand in a loop that has ended here.
  while (UF.LI.getLoopFor(D) && !UF.LI.getLoopFor(D)->contains(&B))
    D = UF.DT.getNode(D)->getIDom()->getBlock();
  if (!ActivePhi && (Preds.size() != 1 || Preds[0] != D) &&
      regionIsIdle(B, D)) {
    V.K = Reversal::Skip;
    V.To = {D};
    return V;
  }
  V.K = Preds.size() == 1 ? Reversal::Single : Reversal::Choose;
  V.To.append(Preds.begin(), Preds.end());
  return V;
}

void Planner::planBlocks() {
  SmallVector<const BasicBlock *> Work{P.exitBlock};
  P.Blocks[P.exitBlock];
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    Reversal V = reversalOf(*B);
    V.Works = Working.contains(B);
    if (V.K == Reversal::Header)
      P.ReversedLoops.insert(B);
    for (const BasicBlock *X : V.To)
      if (P.Blocks.try_emplace(X).second)
        Work.push_back(X);
    P.Blocks[B] = V;
  }
  for (auto &[B, V] : P.Blocks)
    if (V.K == Reversal::Choose && may(Toggle::branch_choice))
      if (auto Way = branchChoice(UF, Act.unit(), *B))
        P.Ways[B] = std::move(Way);
}

void Planner::need(Item I) {
  if (!isFree(I) || isa<Argument>(I.V))
    Needed.insert(I);
}

/// The edge To -> From of the primal leaves loops: the reverse pass enters
/// them and needs to know how often they ran.
void Planner::enterLoops(const BasicBlock &From, const BasicBlock &To) {
  for (const Loop *L = UF.LI.getLoopFor(&To); L && !L->contains(&From);
       L = L->getParentLoop()) {
    const CanonicalLoop &C = UF.loopAt(L->getHeader());
    const Value *Ran = C.Trips;
    if (!Ran)
      Ran = C.LastCounter.lookup(&From);
    retroAssert(Ran, "control-flow", UF.F,
                "behind each loop it is known how often it ran");
    need({Item::Primal, Ran});
  }
}

/// Arrays that the adjoint of a library call reads, and that are no longer
/// what they were when it comes to that.
void Planner::keepArrays() {
  for (auto &[B, V] : P.Blocks)
    for (const Instruction &I : *B) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && knownCall(*Call).isCopy() && movesEither(Act, *Call))
        P.EitherCopies.insert(Call);
      if (readsNoted(Act, I))
        P.NotedReads.insert(&I);
      if (writesNoted(Act, I))
        P.NotedWrites.insert(&I);
      if (writesHalves(Act, I))
        P.OverPointers.insert(&I);
      BlasCall C = Call ? BlasCall(*Call) : BlasCall();
      if (!C || !blasHasWork(Act, *Call))
        continue;
      BlasReads R = blasReads(Act, *Call);
      FunctionPlan::KeptArrays K;
      for (unsigned N = 0; N < C.routine().Arrays.size(); ++N) {
        const BlasArray &A = C.routine().Arrays[N];
        const Stability S = Overwrite.stabilityAt(*Call, C.operand(A.Slot));
        if (((R.Before >> N) & 1) && (A.writes() || !S.Stable))
          K.Before |= 1u << N;
        if (((R.After >> N) & 1) && !S.Stable)
          K.After |= 1u << N;
        ArraysWait |= S.Stable && S.IfLateStoresWait;
      }
      if (K.Before | K.After)
        P.Kept[Call] = K;
    }
}

/// Finds the copies and fills of which a caller may see the shadows, in all of
/// the function, as the forward pass clears shadows, too.
void Planner::findSeen() {
  for (Instruction &I : instructions(*UF.F)) {
    if (writesAmongPointers(Act, I))
      P.AmongPointers.insert(&I);
    auto *C = dyn_cast<CallBase>(&I);
    const KnownCall K = C ? knownCall(*C) : KnownCall();
    if (!K.isCopy() && K.Kind != KnownKind::Set)
      continue;
    const Value *To = C->getArgOperand(static_cast<unsigned>(K.Row->A));
    if (Act.shadowed(To) && isVisibleOutside(Act.shape(), To))
      P.SeenByCaller.insert(C);
  }
}

/// What would lose a derivative where the memory is constant that it uses.
static void findEnds(const ActivityAnalysis &Act, const UnitFunction &UF,
                     FunctionPlan &P) {
  for (const Instruction &I : instructions(*UF.F))
    if (!usesIfConstant(Act, I).empty())
      P.EndIfConstant.insert(&I);
}

void Planner::collectNeeds() {
  for (auto [A, B] : P.ApartIf)
    for (const SharedExtent *E : {&P.Extents[A], &P.Extents[B]}) {
      for (const Value *V : {E->First, E->Last})
        if (V)
          need({Item::Primal, V});
      for (unsigned Lane = 0; Lane < Act.unit().Width; ++Lane)
        need({Item::Shadow, E->Base, Lane});
    }
  for (auto &[B, V] : P.Blocks) {
    if (V.K == Reversal::Choose)
      need({Item::Branch, B});
    if (V.K == Reversal::Single || V.K == Reversal::Choose)
      for (const BasicBlock *X : V.To)
        enterLoops(*B, *X);
    if (Working.contains(B))
      for (const Instruction &I : *B)
        if (UP.N.hasWork(I) && !P.AtOnce.contains(dyn_cast<CallBase>(&I)))
          UP.N.forEach(I, [&](Item X) {
            if (X.K == Item::Tape) {
              if (BlasCall(*cast<CallBase>(X.V)) &&
                  !P.Kept.count(cast<CallBase>(X.V)))
                return;
              // Only functions with a frame return a tape.
              UnitFunction *G = Act.unit().callee(*cast<CallBase>(X.V));
              if (G && UP.isCombined(*G))
                return;
              FunctionPlan *Q = G ? UP.Map.lookup(G) : nullptr;
              if (Q && Q->Frame.empty() && !isFork(*cast<CallBase>(X.V)) &&
                  !isSpawn(*cast<CallBase>(X.V)))
                return;
            }
            if (X.K != Item::Shadow)
              return need(X);
            for (X.Lane = 0; X.Lane < Act.unit().Width; ++X.Lane)
              need(X);
          });
  }
}

/// What the reverse pass reads and nothing keeps, down to what is kept, with
/// what each is computed from.
SmallVector<std::pair<Item, SmallVector<Item>>> Planner::computedAgain() {
  SmallVector<std::pair<Item, SmallVector<Item>>> Found;
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  DenseSet<Item> Seen;
  while (!Work.empty()) {
    Item I = Work.pop_back_val();
    if (P.Cached.count(I) || isFree(I) || !Seen.insert(I).second)
      continue;
    SmallVector<Item> Operands;
    operandsOf(I, Operands);
    Work.append(Operands.begin(), Operands.end());
    Found.push_back({I, std::move(Operands)});
  }
  return Found;
}

/// Keeps what each load gave that the reverse pass repeats, to compare.
void Planner::keepWitnesses() {
  for (const auto &[I, Operands] : computedAgain())
    if (auto *L = dyn_cast<LoadInst>(I.V))
      if (I.K == Item::Primal && L->getType()->isSingleValueType())
        place({Item::Witness, L});
}

/// Which arguments the reverse function reads, down to what is cached.
void Planner::findArguments() {
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  // The forward pass of a combined function reads what it likes.
  P.PrimalArgs.resize(N, P.Combined);
  P.ShadowArgs.resize(N, P.Combined);
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  // Array dimensions are read to find a cached value.
  for (auto &[H, Tape] : P.Tapes)
    for (auto &F : Tape.Fields)
      for (const BasicBlock *X : F.Nest)
        Work.push_back({Item::Primal, UF.loopAt(X).Trips});
  DenseSet<Item> Seen;
  while (!Work.empty()) {
    Item I = Work.pop_back_val();
    if (!Seen.insert(I).second)
      continue;
    if (auto *A = dyn_cast<Argument>(I.V)) {
      (I.K == Item::Primal ? P.PrimalArgs : P.ShadowArgs).set(A->getArgNo());
      continue;
    }
    if (auto *A = dyn_cast<AllocaInst>(I.V))
      P.TapedAllocas.insert(A);
    if (P.Cached.count(I) || isFree(I))
      continue;
    SmallVector<Item> Ops;
    const bool Found = operandsOf(I, Ops);
    retroAssert(Found, "plan", UF.F,
                "each value that the reverse pass reads is kept, computed "
                "again, found backwards or an argument");
    Work.append(Ops.begin(), Ops.end());
  }
}

void Planner::run() {
  P.HasWork = UP.N.functionHasWork(UF);
  P.Combined = UP.isCombined(UF);
  P.GivesResult = UP.givesResult(UF);
  for (auto &[C, Adjoint] : UP.AtOnce)
    if (C->getFunction() == UF.F && isWhole())
      P.AtOnce[C] = Adjoint;
  findSeen();
  findEnds(Act, UF, P);
  if (!findExit() || (!P.HasWork && !UF.Root))
    return;
  for (Instruction &I : instructions(*UF.F))
    if (auto *S = dyn_cast<StoreInst>(&I);
        S && S->isSimple() && Act.storesUnneeded(*S))
      P.DroppedStores.insert(S);
  if (UF.Root && may(Toggle::near_use))
    P.Inputs = inputsOf(*UF.F, Overwrite);
  planBlocks();
  if (!Act.unit().SizeOnly) {
    SharedAdjoints Found = UP.Races.of(UF);
    P.Shared = std::move(Found.Shared);
    P.Extents = std::move(Found.Extents);
    P.ApartIf = std::move(Found.ApartIf);
    P.Settled = std::move(Found.Settled);
  }
  if (may(Toggle::updates)) {
    UpdatesInPlace Found = findUpdates(UF, Act, UP.N, P);
    P.Updates = std::move(Found.Updates);
    P.ReadEarly = std::move(Found.ReadEarly);
  }
  findProductGuards(UF, Act, P.Guarded);
  keepArrays();
  collectNeeds();
  chooseKept();
  keepCopies();
  if (checkPlanRequested())
    keepWitnesses();
  interleave();
  findFixed();
  placeFrame();
  // A function gives the tape back only outside of recursions: there even the
  // calls that end one would pay for that.
  P.GivesBack =
      P.Combined && (!P.Tapes.empty() || !P.Copies.empty()) && !UF.Recursive;
  findArguments();
  keepStableLoads();
  counters().late_stores += static_cast<unsigned>(P.LateStores.size());
}

void UnitPlan::runForward() { planUnit(); }

/// Short tapes of nests lie on the stack. In split mode there is no root.
void UnitPlan::findShortTapes(FunctionPlan &P) const {
  const UnitFunction &Root = Act.unit().root();
  for (auto &[H, Tape] : P.Tapes)
    if (Tape.Indexed && Root.Root && Root.LI.getLoopDepth(H) == 1) {
      std::optional<uint64_t> Bytes = constantBytes(Root, Tape);
      Tape.OnStack = Bytes && *Bytes <= 16384 &&
                     applies(Toggle::stack_arrays, traitsOf(Act.unit()));
    }
}

void UnitPlan::run() {
  planUnit();
  N.findWork();
  const ToggleCounters Before = counters();
  for (planFunctions(); forgetUnfused(); planFunctions())
    counters() = Before;
  inTheMaking(Act.unit().root()).OpensNotes =
      any_of(Plans, [](auto &P) { return !P->NotedReads.empty(); });
  if (Act.unit().Pool != PoolWish::None)
    planPool(*this);
  findShortTapes(inTheMaking(Act.unit().root()));
  checkPlans(Act.unit(), *this);
}

void UnitPlan::planFunctions() {
  Plans.clear();
  Map.clear();
  Combined.clear();
  findCombined();
  // Callees first: callers ask which arguments a reverse function reads.
  DenseSet<UnitFunction *> Seen;
  std::function<void(UnitFunction &)> Visit = [&](UnitFunction &UF) {
    if (!Seen.insert(&UF).second)
      return;
    for (Instruction &I : instructions(*UF.F))
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = Act.unit().callee(*C))
          Visit(*G);
    std::unique_ptr<FunctionPlan> Plan;
    if (isCombined(UF) && UF.Concurrent) {
      Plan = planFork(UF);
    } else {
      Plan = std::make_unique<FunctionPlan>();
      Planner(*this, UF, *Plan, Writes).run();
    }
    Map[&UF] = Plan.get();
    Plans.push_back(std::move(Plan));
  };
  for (auto &UF : Act.unit().Functions)
    Visit(*UF);
}

} // namespace retro
