#include "analyses/planner.h"

#include "analyses/blas_calls.h"
#include "analyses/branch_choice.h"
#include "analyses/custom_calls.h"
#include "analyses/levels.h"
#include "analyses/loop_order.h"
#include "analyses/min_cut.h"
#include "analyses/product_guards.h"
#include "parallel/lowering.h"
#include "parallel/synchronization.h"
#include "toggles.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

class Planner {
public:
  Planner(UnitPlan &UP, UnitFunction &UF, FunctionPlan &P,
          const WriteSummary &Writes)
      : UP(UP), Act(UP.Act), UF(UF), P(P), T(Toggles::get()),
        Overwrite(UF, Act, Writes, Act.unit().FAM),
        Levels(UF, Act.unit(), Overwrite) {}

  void run();

private:
  bool findExit();
  void planBlocks();
  Reversal reversalOf(const BasicBlock &B);
  bool regionIsIdle(const BasicBlock &B, const BasicBlock *Top);
  void enterLoops(const BasicBlock &From, const BasicBlock &To);
  void collectNeeds();
  void findLoopOrder();
  void keepLoopOrder();
  void keepArrays();
  void need(Item I);
  bool isFree(Item I) const;
  bool operandsOf(Item I, SmallVectorImpl<Item> &Out);
  void cut();
  void close(SmallVectorImpl<Item> &Work);
  bool isRerun(const PHINode &Phi) const;
  uint64_t weight(Item I);
  ArrayRef<const Loop *> levelsOf(Item I);
  Type *typeOf(Item I) const;
  void place(Item I);
  const Loop *nestOf(ArrayRef<const Loop *> In);
  void keepWitnesses();
  void placeFrame();
  void findArguments();

  UnitPlan &UP;
  ActivityAnalysis &Act;
  UnitFunction &UF;
  FunctionPlan &P;
  const Toggles &T;
  OverwriteAnalysis Overwrite;
  LoopLevels Levels;
  DenseSet<const BasicBlock *> Reversible, Working;
  SetVector<Item> Needed;
  SetVector<Item> Closure;
};

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
}

bool Planner::isFree(Item I) const {
  if (I.K == Item::Primal) {
    if (isa<Constant, BasicBlock, MetadataAsValue>(I.V) || isa<Argument>(I.V))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I.V)) {
      auto It = UF.Loops.find(const_cast<BasicBlock *>(Phi->getParent()));
      return It != UF.Loops.end() && It->second.Counter == Phi &&
             P.ReversedLoops.contains(Phi->getParent());
    }
    // Memory of the combined function itself is there in both passes.
    return UF.Root && isa<AllocaInst>(I.V);
  }
  if (I.K == Item::Shadow)
    return isa<Constant, Argument>(I.V) || (UF.Root && isa<AllocaInst>(I.V)) ||
           !Act.shadowed(I.V);
  return false;
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
    CanonicalLoop &C = *UF.loop(L);
    need({Item::Primal,
          C.Trips ? C.Trips
                  : C.LastCounter.lookup(const_cast<BasicBlock *>(&From))});
  }
}

/// Arrays that the adjoint of a library call reads, and that are no longer
/// what they were when it comes to that.
void Planner::keepArrays() {
  for (auto &[B, V] : P.Blocks)
    for (const Instruction &I : *B) {
      auto *Call = dyn_cast<CallBase>(&I);
      BlasCall C = Call ? BlasCall(*Call) : BlasCall();
      if (!C || !blasHasWork(Act, *Call))
        continue;
      BlasReads R = blasReads(Act, *Call);
      FunctionPlan::KeptArrays K;
      for (unsigned N = 0; N < C.routine().Arrays.size(); ++N) {
        const BlasArray &A = C.routine().Arrays[N];
        bool Stable = Overwrite.isStable(*Call, C.operand(A.Slot));
        if (((R.Before >> N) & 1) && (A.writes() || !Stable))
          K.Before |= 1u << N;
        if (((R.After >> N) & 1) && !Stable)
          K.After |= 1u << N;
      }
      if (K.Before | K.After)
        P.Kept[Call] = K;
    }
}

void Planner::collectNeeds() {
  for (auto &[B, V] : P.Blocks) {
    if (V.K == Reversal::Choose)
      need({Item::Branch, B});
    if (V.K == Reversal::Single || V.K == Reversal::Choose)
      for (const BasicBlock *X : V.To)
        enterLoops(*B, *X);
    if (Working.contains(B))
      for (const Instruction &I : *B)
        if (UP.N.hasWork(const_cast<Instruction &>(I)))
          UP.N.forEach(const_cast<Instruction &>(I), [&](Item X) {
            if (X.K == Item::Tape) {
              if (BlasCall(*cast<CallBase>(X.V)) &&
                  !P.Kept.count(cast<CallBase>(X.V)))
                return;
              // Only functions with a frame return a tape.
              UnitFunction *G = Act.unit().callee(*cast<CallBase>(X.V));
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

/// What an item is computed from again; false: it can only be kept.
bool Planner::operandsOf(Item I, SmallVectorImpl<Item> &Out) {
  if (I.K == Item::Branch) {
    auto Tree = T.branch_choice
                    ? branchChoice(UF, Act.unit(), *cast<BasicBlock>(I.V))
                    : nullptr;
    if (!Tree)
      return false;
    Tree->forEachCondition(
        [&](const Value *C) { Out.push_back({Item::Primal, C}); });
    return true;
  }
  auto *V = dyn_cast<Instruction>(I.V);
  if (auto *Phi = dyn_cast_or_null<PHINode>(V);
      Phi && I.K == Item::Primal && isRerun(*Phi)) {
    for (const Value *O : Phi->incoming_values())
      Out.push_back({Item::Primal, O});
    return true;
  }
  if (!V || (I.K != Item::Primal && I.K != Item::Shadow) ||
      !isRepeatable(*V, Act.unit()))
    return false;
  if (auto *L = dyn_cast<LoadInst>(V)) {
    if (!Overwrite.isStable(*const_cast<LoadInst *>(L)))
      return false;
    UP.StableLoads.insert(L);
    Out.push_back({I.K, L->getPointerOperand(), I.Lane});
    return true;
  }
  if (I.K == Item::Primal) {
    for (const Value *O : V->operands())
      Out.push_back({Item::Primal, O});
    return true;
  }
  switch (V->getOpcode()) {
  case Instruction::GetElementPtr:
    Out.push_back({Item::Shadow, V->getOperand(0), I.Lane});
    for (unsigned N = 1; N < V->getNumOperands(); ++N)
      Out.push_back({Item::Primal, V->getOperand(N)});
    return true;
  case Instruction::Select:
    Out.push_back({Item::Primal, V->getOperand(0)});
    Out.push_back({Item::Shadow, V->getOperand(1), I.Lane});
    Out.push_back({Item::Shadow, V->getOperand(2), I.Lane});
    return true;
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::ExtractValue:
    Out.push_back({Item::Shadow, V->getOperand(0), I.Lane});
    return true;
  default:
    return false;
  }
}

/// The loops, innermost first, in each iteration of which the item may have
/// another value.
ArrayRef<const Loop *> Planner::levelsOf(Item I) {
  auto *V = dyn_cast<Instruction>(I.V);
  if (V && I.K == Item::Primal && T.cache_licm)
    return Levels.of(*V);
  auto *B = dyn_cast<BasicBlock>(I.V);
  ArrayRef<const Loop *> All = Levels.around(B   ? *B
                                             : V ? *V->getParent()
                                                 : UF.F->getEntryBlock());
  // An allocation is made before its loop.
  return I.K == Item::Base || I.K == Item::Head ? All.drop_front() : All;
}

Type *Planner::typeOf(Item I) const {
  LLVMContext &C = UF.F->getContext();
  if (I.K == Item::Primal || I.K == Item::Shadow || I.K == Item::Witness)
    return I.V->getType();
  if (I.K == Item::Branch)
    return Type::getInt16Ty(C);
  if (I.K == Item::Tape && syncOf(*cast<CallBase>(I.V)) == Sync::Release)
    return Type::getInt64Ty(C); // a ticket
  if (I.K == Item::Tape)
    if (Type *T = customTape(Act.unit(), *cast<CallBase>(I.V)))
      return T;
  return PointerType::getUnqual(C);
}

uint64_t Planner::weight(Item I) {
  size_t Depth = levelsOf(I).size();
  uint64_t Bytes = 2;
  if (I.K != Item::Branch)
    Bytes = UF.F->getDataLayout().getTypeStoreSize(typeOf(I));
  // Variables of the combined function cost next to nothing.
  if (Depth == 0)
    return UF.Root ? 1 : Bytes;
  uint64_t W = Bytes;
  for (size_t D = 0; D < std::min<size_t>(Depth, 7); ++D)
    W *= 16;
  return W;
}

/// Everything that the needed items can be computed from.
void Planner::close(SmallVectorImpl<Item> &Work) {
  while (!Work.empty()) {
    Item I = Work.pop_back_val();
    if (isFree(I) || !Closure.insert(I))
      continue;
    SmallVector<Item> Ops;
    if (operandsOf(I, Ops))
      Work.append(Ops.begin(), Ops.end());
  }
}

void Planner::cut() {
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  close(Work);
  DenseMap<Item, unsigned> Number;
  for (Item I : Closure)
    Number.try_emplace(I, Number.size());
  if (!T.min_cut) {
    // Keep whatever is read, unless it is an address or a constant.
    for (Item I : Needed)
      if (!isFree(I) && !isa<Argument>(I.V))
        place(I);
    return;
  }
  VertexCut G(static_cast<unsigned>(Closure.size()));
  for (Item I : Closure) {
    unsigned N = Number[I];
    G.setCapacity(N, weight(I));
    SmallVector<Item> Ops;
    if (!operandsOf(I, Ops))
      G.markSource(N);
    for (Item O : Ops)
      if (!isFree(O))
        G.addEdge(Number[O], N);
    if (Needed.contains(I))
      G.markSink(N);
  }
  std::vector<unsigned> Cut = G.solve();
  for (auto &[B, V] : P.Blocks)
    counters().branch_choice += V.K == Reversal::Choose &&
                                Closure.contains({Item::Branch, B}) &&
                                none_of(Cut, [&](unsigned N) {
                                  return Closure[N] == Item{Item::Branch, B};
                                });
  counters().min_cut += static_cast<unsigned>(Closure.size() - Cut.size());
  for (unsigned N : Cut)
    place(Closure[N]);
}

/// The outermost loop before which the trips of all of In from it inward
/// are known; null if those of the innermost are not.
const Loop *Planner::nestOf(ArrayRef<const Loop *> In) {
  const Loop *Nest = nullptr;
  SmallVector<const Loop *> Chain;
  for (const Loop *O = In.front(); O; O = O->getParentLoop()) {
    if (is_contained(In, O)) {
      if (!UF.loop(O)->Trips)
        break;
      Chain.push_back(O);
    }
    bool Known = all_of(Chain, [&](const Loop *X) {
      const Loop *Known = UF.LI.getLoopFor(UF.loop(X)->KnownBefore);
      return Known->contains(O);
    });
    if (!Known)
      break;
    // The tape of a loop with unknown trips is one of records.
    if (UF.loop(O)->Trips)
      Nest = O;
  }
  return Nest;
}

void Planner::place(Item I) {
  if (P.Cached.count(I))
    return;
  Storage S;
  S.Ty = typeOf(I);
  ArrayRef<const Loop *> In = levelsOf(I);
  if (auto *V = dyn_cast<Instruction>(I.V))
    counters().cache_licm +=
        static_cast<unsigned>(UF.LI.getLoopDepth(V->getParent()) - In.size());
  if (In.empty()) {
    S.Where = UF.Root ? Storage::Slot : Storage::Frame;
    if (!UF.Root) {
      S.Field = static_cast<unsigned>(P.Frame.size());
      P.Frame.push_back(I);
    }
    P.Cached[I] = S;
    return;
  }
  const Loop *Nest = nestOf(In);
  const Loop *Owner = Nest ? Nest : In.front();
  S.Where = Nest ? Storage::Indexed : Storage::Record;
  S.Loop = Owner->getHeader();
  LoopTape &Tape = P.Tapes[Owner->getHeader()];
  Tape.Indexed = Nest != nullptr;
  S.Field = static_cast<unsigned>(Tape.Fields.size());
  LoopTape::Field F{I, S.Ty, {}};
  if (Nest)
    for (const Loop *O : reverse(In))
      if (Nest->contains(O))
        F.Nest.push_back(O->getHeader());
  Tape.Fields.push_back(F);
  P.Cached[I] = S;
  place({Nest ? Item::Base : Item::Head, Owner->getHeader()});
}

/// The frame record is made on the way to all that is put into it, outside of
/// loops: recursions often end in calls that keep nothing. A pool's records
/// are made at once: their size is known before the function runs.
void Planner::placeFrame() {
  if (P.Frame.empty() || Act.unit().Pool != PoolWish::None)
    return;
  const BasicBlock *At = nullptr;
  for (const Item &I : P.Frame) {
    auto *B = dyn_cast<BasicBlock>(I.V);
    auto *V = dyn_cast<Instruction>(I.V);
    if (!B)
      B = V ? V->getParent() : &UF.F->getEntryBlock();
    // The tape of a loop is made before it; a number that stands for the way
    // to a block, before what else is done there.
    if (I.K == Item::Base || I.K == Item::Head || I.K == Item::Branch ||
        (V && isa<PHINode>(V)))
      B = UF.DT.getNode(B)->getIDom() ? UF.DT.getNode(B)->getIDom()->getBlock()
                                      : B;
    At = At ? UF.DT.findNearestCommonDominator(At, B) : B;
  }
  while (UF.LI.getLoopFor(At))
    At = UF.DT.getNode(At)->getIDom()->getBlock();
  if (At != &UF.F->getEntryBlock())
    P.FrameMade = At;
}

/// Keeps what each load gave that the reverse pass repeats, to compare.
void Planner::keepWitnesses() {
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  DenseSet<Item> Seen;
  while (!Work.empty()) {
    Item I = Work.pop_back_val();
    if (P.Cached.count(I) || isFree(I) || !Seen.insert(I).second)
      continue;
    if (auto *L = dyn_cast<LoadInst>(I.V))
      if (I.K == Item::Primal && L->getType()->isSingleValueType())
        place({Item::Witness, L});
    SmallVector<Item> Ops;
    if (operandsOf(I, Ops))
      Work.append(Ops.begin(), Ops.end());
  }
}

/// A recurrence that the reverse pass can compute step by step.
bool Planner::isRerun(const PHINode &Phi) const {
  return P.InOrder.contains(Phi.getParent()) && !Act.active(&Phi);
}

/// The loops that may run in the primal's order, and gain from it: they need a
/// recurrence, or are stencils.
void Planner::findLoopOrder() {
  if (!T.loop_order || Act.unit().KeepAccumulations)
    return;
  LoopOrder Order(UF, Act, UP.N);
  SmallPtrSet<const BasicBlock *, 8> Stencils;
  for (const Loop *L : UF.LI.getLoopsInPreorder()) {
    const BasicBlock *H = L->getHeader();
    if (!P.ReversedLoops.contains(H) || !Working.contains(L->getLoopLatch()) ||
        any_of(P.Settled, [&](auto *I) { return L->contains(I); }) ||
        !Order.iterationsCommute(*L))
      continue;
    P.InOrder.insert(H);
    if (T.stencil && Order.isStencil(*L))
      Stencils.insert(H);
  }
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  close(Work);
  P.InOrder.remove_if([&](const BasicBlock *H) {
    return !Stencils.contains(H) && none_of(H->phis(), [&](const PHINode &X) {
      return Closure.contains({Item::Primal, &X});
    });
  });
  Closure.clear();
}

/// Which recurrences the cut leaves to be run again. A loop without any that
/// reads a tape is reversed from its end: what was written last is in the
/// cache.
void Planner::keepLoopOrder() {
  DenseSet<Item> Seen;
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  while (!Work.empty()) {
    Item I = Work.pop_back_val();
    if (P.Cached.count(I) || isFree(I) || !Seen.insert(I).second)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(I.V); Phi && I.K == Item::Primal)
      P.Rerun.insert(Phi);
    SmallVector<Item> Ops;
    if (operandsOf(I, Ops))
      Work.append(Ops.begin(), Ops.end());
  }
  P.InOrder.remove_if([&](const BasicBlock *H) {
    return none_of(P.Rerun, [&](auto *X) { return X->getParent() == H; }) &&
           any_of(P.Tapes, [&](auto &Tape) {
             return any_of(Tape.second.Fields,
                           [&](auto &F) { return is_contained(F.Nest, H); });
           });
  });
  counters().loop_order += static_cast<unsigned>(P.InOrder.size());
}

/// Which arguments the reverse function reads, down to what is cached.
void Planner::findArguments() {
  unsigned N = static_cast<unsigned>(UF.F->arg_size());
  P.PrimalArgs.resize(N);
  P.ShadowArgs.resize(N);
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  // Array dimensions are read to find a cached value.
  for (auto &[H, Tape] : P.Tapes)
    for (auto &F : Tape.Fields)
      for (const BasicBlock *X : F.Nest)
        Work.push_back(
            {Item::Primal,
             UF.Loops.find(const_cast<BasicBlock *>(X))->second.Trips});
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
    operandsOf(I, Ops);
    Work.append(Ops.begin(), Ops.end());
  }
}

void Planner::run() {
  P.HasWork = UP.N.functionHasWork(UF);
  if (!findExit() || (!P.HasWork && !UF.Root))
    return;
  for (Instruction &I : instructions(*UF.F))
    if (auto *S = dyn_cast<StoreInst>(&I);
        S && S->isSimple() && Act.storesUnneeded(*S))
      P.DroppedStores.insert(S);
  if (UF.Root && isGpu(Act.unit().M) && T.near_use)
    P.Inputs = inputsOf(*UF.F, Overwrite);
  planBlocks();
  if (!Act.unit().SizeOnly)
    UP.Races.plan(UF, P);
  findProductGuards(UF, Act, P.Guarded);
  keepArrays();
  collectNeeds();
  findLoopOrder();
  cut();
  keepLoopOrder();
  if (checkPlanRequested())
    keepWitnesses();
  placeFrame();
  findArguments();
}

void UnitPlan::run() {
  N.findWork();
  // Callees first: callers ask which arguments a reverse function reads.
  DenseSet<UnitFunction *> Seen;
  std::function<void(UnitFunction &)> Visit = [&](UnitFunction &UF) {
    if (!Seen.insert(&UF).second)
      return;
    for (Instruction &I : instructions(*UF.F))
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = Act.unit().callee(*C))
          Visit(*G);
    auto Plan = std::make_unique<FunctionPlan>();
    Planner(*this, UF, *Plan, Writes).run();
    Map[&UF] = Plan.get();
    Plans.push_back(std::move(Plan));
  };
  for (auto &UF : Act.unit().Functions)
    Visit(*UF);
  if (Act.unit().Pool != PoolWish::None)
    planPool(*this);
}

} // namespace retro
