// What of the forward pass is kept, and where: a minimum cut between what can
// only be kept and what the reverse pass reads. What is missing from the kept
// the reverse pass could not compute, and what is there without need costs
// memory in each iteration. Members of Planner (function_planner.h).
#include "facts/activity/custom_calls.h"
#include "facts/activity/transfer_layout.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "front/known/exceptions.h"
#include "plan/function_planner.h"
#include "plan/min_cut.h"

#include "llvm/Analysis/PostDominators.h"

using namespace llvm;

namespace retro {

bool Planner::isFree(Item I) const {
  if (I.K == Item::Primal) {
    if (isa<Constant, BasicBlock, MetadataAsValue>(I.V) || isa<Argument>(I.V))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I.V)) {
      auto It = UF.Loops.find(Phi->getParent());
      return It != UF.Loops.end() && It->second.Counter == Phi &&
             P.ReversedLoops.contains(Phi->getParent());
    }
    // Memory of the combined function itself is there in both passes.
    return isWhole() && isa<AllocaInst>(I.V);
  }
  if (I.K == Item::Shadow)
    return isa<Constant, Argument>(I.V) ||
           (isWhole() && isa<AllocaInst>(I.V)) || !Act.shadowed(I.V);
  return false;
}

namespace {

using Items = SmallVectorImpl<Item>;

void addPrimals(iterator_range<const Use *> Operands, Items &Out) {
  for (const Value *O : Operands)
    Out.push_back({Item::Primal, O});
}

/// The phi that follows, one iteration on, and what the steps to it read.
void addInverted(Item I, const Inversion &Back, Items &Out) {
  Out.push_back(I.last());
  Out.push_back({I.K, Back.From, I.Lane});
  for (const Inversion::Step &S : Back.Steps)
    for (const Value *O : S.I->operands())
      if (O != S.I->getOperand(S.Through))
        Out.push_back({Item::Primal, O});
}

/// The shadow of an address is computed as the address is, from shadows.
bool addShadows(const Instruction &V, unsigned Lane, Items &Out) {
  auto Shadow = [&](unsigned N) {
    Out.push_back({Item::Shadow, V.getOperand(N), Lane});
  };
  switch (V.getOpcode()) {
  case Instruction::GetElementPtr:
    Shadow(0);
    addPrimals(drop_begin(V.operands()), Out);
    return true;
  case Instruction::Select:
    addPrimals({V.op_begin(), V.op_begin() + 1}, Out);
    Shadow(1);
    Shadow(2);
    return true;
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::ExtractValue:
    Shadow(0);
    return true;
  default:
    return false;
  }
}

} // namespace

/// What an item is computed from again; false: it can only be kept. Decides
/// nothing: what the answer supposes of loads is committed for the choice that
/// is made (keepStableLoads).
bool Planner::operandsOf(Item I, SmallVectorImpl<Item> &Out) {
  if (I.K == Item::Branch) {
    auto Way = P.Ways.find(cast<BasicBlock>(I.V));
    if (Way == P.Ways.end())
      return false;
    Way->second->forEachCondition(
        [&](const Value *C) { Out.push_back({Item::Primal, C}); });
    return true;
  }
  auto *V = dyn_cast<Instruction>(I.V);
  if (auto *Phi = dyn_cast_or_null<PHINode>(V);
      Phi && I.K == Item::Primal && isRerun(*Phi)) {
    addPrimals(Phi->operands(), Out);
    return true;
  }
  if (const Inversion *Back = inversionOf(I)) {
    addInverted(I, *Back, Out);
    return true;
  }
  if (!V || (I.K != Item::Primal && I.K != Item::Shadow) ||
      !isRepeatable(*V, Act.unit()))
    return false;
  if (auto *L = dyn_cast<LoadInst>(V)) {
    // A pointer that lacks a shadow has the primal's in the forward pass, and a
    // shadow that is an image is in no memory from where it could be loaded
    // again.
    if (I.K == Item::Shadow &&
        (Act.mayLackShadow(L) || Act.hasImage(L) || Act.mayHaveImage(L)))
      return false;
    if (!Overwrite.stabilityOf(*L).Stable) {
      const CopiedLoad *From = copied(I);
      if (From)
        addFromCopy(*From, Out);
      return From;
    }
    Out.push_back({I.K, L->getPointerOperand(), I.Lane});
    return true;
  }
  if (I.K == Item::Shadow)
    return addShadows(*V, I.Lane, Out);
  addPrimals(V->operands(), Out);
  return true;
}

/// The loops, innermost first, in each iteration of which the item may have
/// another value.
ArrayRef<const Loop *> Planner::levelsOf(Item I) {
  auto *V = dyn_cast<Instruction>(I.V);
  auto *B = dyn_cast<BasicBlock>(I.V);
  ArrayRef<const Loop *> In =
      V && I.K == Item::Primal && may(Toggle::cache_licm)
          ? Levels.of(*V)
          : Levels.around(B   ? *B
                          : V ? *V->getParent()
                              : UF.F->getEntryBlock());
  // An allocation is made before its loop; a last value is one for the loop.
  if (I.K == Item::Base || I.K == Item::Head || I.K == Item::Last ||
      I.K == Item::LastShadow)
    In = In.drop_front();
  if (I.K == Item::Copy)
    In = In.drop_front(Ranges->of(*cast<LoadInst>(I.V)).Loops.size());
  // What a fused iteration keeps, it reads itself.
  while (!In.empty() && P.Fused.contains(In.back()->getHeader()))
    In = In.drop_back();
  return In;
}

Type *Planner::typeOf(Item I) const {
  LLVMContext &C = UF.F->getContext();
  if (I.K == Item::Primal || I.K == Item::Shadow || I.K == Item::Witness ||
      I.K == Item::Last || I.K == Item::LastShadow)
    return I.V->getType();
  if (I.K == Item::Branch)
    return Type::getInt16Ty(C);
  if (I.K == Item::Tape && syncOf(*cast<CallBase>(I.V)) == Sync::Release)
    return Type::getInt64Ty(C); // a ticket
  if (I.K == Item::Tape && P.EitherCopies.contains(cast<CallBase>(I.V)) &&
      fitsMask(*transferLayout(Act, *cast<CallBase>(I.V))))
    return Type::getInt64Ty(C);
  if (I.K == Item::Tape)
    if (Type *T = customTape(Act.unit(), *cast<CallBase>(I.V)))
      return T;
  return PointerType::getUnqual(C);
}

/// A cost of each iteration, at a depth of loops.
static uint64_t oftenAs(uint64_t Cost, size_t Depth) {
  return Cost << (4 * std::min<size_t>(Depth, 7));
}

uint64_t Planner::weight(Item I) {
  if (isLate(I))
    return TooLate;
  size_t Depth = levelsOf(I).size();
  if (I.K == Item::Copy)
    return oftenAs(Ranges->cost(Ranges->of(*cast<LoadInst>(I.V))), Depth);
  uint64_t Bytes = 2;
  if (I.K != Item::Branch)
    Bytes = UF.F->getDataLayout().getTypeStoreSize(typeOf(I));
  // Variables of the combined function cost next to nothing.
  if (Depth == 0)
    return isWhole() ? 1 : Bytes;
  return oftenAs(Bytes, Depth);
}

/// What it costs to compute an item again in a loop, in bytes of tape that take
/// as long. Addresses are part of what reads there, and a load from memory
/// takes no longer than one from a tape.
uint64_t Planner::cost(Item I) {
  auto *V = dyn_cast<Instruction>(I.V);
  if (!V || I.K != Item::Primal || isa<LoadInst>(V) ||
      !V->getType()->isFPOrFPVectorTy() || !UF.LI.getLoopFor(V->getParent()))
    return 0;
  const bool Divides = V->getOpcode() == Instruction::FDiv ||
                       V->getOpcode() == Instruction::FRem;
  return oftenAs(Divides ? 4 : 1, levelsOf(I).size());
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

/// The items of a minimum cut, by their numbers. What is computed again costs
/// something where IsCounted says so.
std::vector<unsigned>
Planner::cut(const DenseMap<Item, unsigned> &Number,
             function_ref<bool(ArrayRef<const Loop *>)> IsCounted) {
  VertexCut G(static_cast<unsigned>(Closure.size()));
  for (Item I : Closure) {
    unsigned N = Number.at(I);
    G.setCapacity(N, weight(I));
    SmallVector<Item> Ops;
    if (!operandsOf(I, Ops))
      G.markSource(N);
    else if (IsCounted(levelsOf(I)))
      G.setCost(N, cost(I));
    for (Item O : Ops)
      if (!isFree(O))
        G.addEdge(Number.at(O), N);
    if (Needed.contains(I))
      G.markSink(N);
  }
  return G.solve();
}

/// A minimum cut: first the least of tape, and then, where that is worth its
/// while, more, to compute less again: variables of a fused loop, and what a
/// loop keeps that has a tape anyway. A loop that can do without has none: it
/// would cost more than a few values do. GPUs are short of registers and of
/// memory's time, not of arithmetic.
std::vector<unsigned>
Planner::leastWork(const DenseMap<Item, unsigned> &Number) {
  std::vector<unsigned> Cut = cut(Number, [](auto) { return false; });
  if (!may(Toggle::recompute_cost))
    return Cut;
  DenseSet<const Loop *> Keeping;
  for (unsigned N : Cut)
    if (auto In = levelsOf(Closure[N]); !In.empty())
      Keeping.insert(In.front());
  if (Keeping.empty() && P.Fused.empty())
    return Cut;
  const DenseSet<unsigned> Least(Cut.begin(), Cut.end());
  Cut = cut(Number, [&](ArrayRef<const Loop *> In) {
    return In.empty() ? isWhole() : Keeping.contains(In.front());
  });
  counters().recompute_cost += static_cast<unsigned>(
      count_if(Cut, [&](unsigned N) { return !Least.contains(N); }));
  return Cut;
}

/// Writes down what the choice takes for granted: each load that is computed
/// again gives the same value, and late stores wait where that needs it.
void Planner::keepStableLoads() {
  bool Wait = ArraysWait;
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  Closure.clear();
  close(Work);
  for (Item I : Closure) {
    auto *L = dyn_cast<LoadInst>(I.V);
    if (!L || (I.K != Item::Primal && I.K != Item::Shadow))
      continue;
    const Stability S = Overwrite.stabilityOf(*L);
    if (S.Stable)
      P.StableLoads.insert(L);
    Wait |= S.Stable && S.IfLateStoresWait;
  }
  if (Wait)
    P.LateStores = Overwrite.lateStores();
}

void Planner::cut() {
  SmallVector<Item> Work(Needed.begin(), Needed.end());
  close(Work);
  DenseMap<Item, unsigned> Number;
  for (Item I : Closure)
    Number.try_emplace(I, Number.size());
  if (!may(Toggle::min_cut)) {
    // Keep whatever is read, unless it is an address or a constant.
    for (Item I : Needed)
      if (!isFree(I) && !isa<Argument>(I.V))
        place(I);
    return;
  }
  const std::vector<unsigned> Cut = leastWork(Number);
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
      if (!UF.loopAt(O->getHeader()).Trips)
        break;
      Chain.push_back(O);
    }
    bool AreTripsKnown = all_of(Chain, [&](const Loop *X) {
      return UF.LI.getLoopFor(UF.loopAt(X->getHeader()).KnownBefore)
          ->contains(O);
    });
    if (!AreTripsKnown)
      break;
    // The tape of a loop with unknown trips is one of records.
    if (UF.loopAt(O->getHeader()).Trips)
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
  if (auto *V = dyn_cast<Instruction>(I.V); V && I.K != Item::Copy)
    counters().cache_licm +=
        static_cast<unsigned>(UF.LI.getLoopDepth(V->getParent()) - In.size());
  if (In.empty()) {
    S.Where = isWhole() ? Storage::Slot : Storage::Frame;
    if (!isWhole()) {
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

/// Arrays that a loop fills at once are streams to memory: a processor follows
/// no more than some tens of them. Where there are more, the fields of an
/// iteration stand side by side.
void Planner::interleave() {
  constexpr long Streams = 16;
  if (!may(Toggle::tape_records))
    return;
  for (auto &[H, Tape] : P.Tapes)
    for (LoopTape::Field &F : Tape.Fields) {
      F.Interleaved = Tape.Indexed && count_if(Tape.Fields, [&](auto &G) {
                                        return G.Nest == F.Nest;
                                      }) > Streams;
      counters().tape_records += F.Interleaved;
    }
}

/// The block whose end a frame's item is stored in, or later.
const BasicBlock *Planner::storedFrom(const Item &I) const {
  auto *B = dyn_cast<BasicBlock>(I.V);
  auto *V = dyn_cast<Instruction>(I.V);
  if (I.K == Item::Copy)
    B = Ranges->of(*cast<LoadInst>(V)).Nest;
  if (!B)
    B = V ? V->getParent() : &UF.F->getEntryBlock();
  // The tape of a loop is made before it, and so is the copy of an array; a
  // number that stands for the way to a block, before what else is done there.
  const bool Before = I.K == Item::Base || I.K == Item::Head ||
                      I.K == Item::Branch || I.K == Item::Copy ||
                      (V && isa<PHINode>(V));
  const auto *Up = UF.DT.getNode(B)->getIDom();
  return Before && Up ? Up->getBlock() : B;
}

/// The last call on the way from At to the return that keeps a tape, if it
/// comes before or after all of the frame's items, whatever the way.
const Instruction *Planner::lastTape(const BasicBlock &At) const {
  PostDominatorTree After(*UF.F);
  auto Fits = [&](const Instruction &C) {
    const BasicBlock *B = C.getParent();
    return UF.DT.dominates(&At, B) && After.dominates(B, &At) &&
           !UF.LI.getLoopFor(B) && all_of(P.Frame, [&](const Item &I) {
             auto *V = dyn_cast<Instruction>(I.V);
             return isKnownAfter(I, C, UF.DT) ||
                    (V && !isa<PHINode>(V) && I.K != Item::Copy
                         ? UF.DT.dominates(&C, V)
                         : UF.DT.dominates(B, storedFrom(I)));
           });
  };
  const Instruction *Last = nullptr;
  for (const Item &I : P.Frame)
    if (auto *C = dyn_cast<CallBase>(I.V);
        C && I.K == Item::Tape && Act.unit().callee(*C) && !isFork(*C) &&
        !isSpawn(*C) && !threwMark(*C) && Fits(*C) &&
        (!Last || UF.DT.dominates(Last, C)))
      Last = C;
  return Last;
}

/// The frame record is made on the way to all that is put into it, outside of
/// loops: recursions often end in calls that keep nothing. A pool's records
/// are made at once: their size is known before the function runs.
void Planner::placeFrame() {
  if (P.Frame.empty() || Act.unit().Pool != PoolWish::None)
    return;
  const BasicBlock *At = nullptr;
  for (const Item &I : P.Frame) {
    const BasicBlock *B = storedFrom(I);
    At = At ? UF.DT.findNearestCommonDominator(At, B) : B;
  }
  while (UF.LI.getLoopFor(At))
    At = UF.DT.getNode(At)->getIDom()->getBlock();
  if (At != &UF.F->getEntryBlock())
    P.FrameMade = At;
  P.FrameAfter = lastTape(*At);
}

} // namespace retro
