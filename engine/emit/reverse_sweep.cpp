// The reverse pass: the plan's ways through the blocks become branches, and
// primal values come from the tape or are computed again. An error here is one
// of order: adjoints would be taken before all has been added to them. Members
// of ReverseSweep (emit/common/reverse_sweep.h).
#include "emit/common/reverse_sweep.h"
#include "base/uniqued.h"

#include "base/faults.h"
#include "emit/checks/plan_check.h"
#include "emit/common/forward_sweep.h"
#include "emit/tape_arrays.h"
#include "emit/words/combine.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/needs.h"
#include "facts/parallel/synchronization.h"

using namespace llvm;

namespace retro {

//===----------------------------------------------------------------------===//

AllocaInst *ReverseSweep::counterSlot(const BasicBlock *H) {
  AllocaInst *&S = Counters[H];
  if (!S) {
    IRBuilder<> EB(EntryPoint);
    S = EB.CreateAlloca(EB.getInt64Ty(), nullptr, "iv.rev");
  }
  return S;
}

AllocaInst *ReverseSweep::recordSlot(const BasicBlock *H) {
  AllocaInst *&S = Records[H];
  if (!S) {
    IRBuilder<> EB(EntryPoint);
    S = EB.CreateAlloca(EB.getPtrTy(), nullptr, "record.rev");
    RecordTypes[H] =
        StructType::get(T.getContext(), E.recordTypes(P.tapeOf(H)));
  }
  return S;
}

AllocaInst *ReverseSweep::carriedSlot(Item I) {
  AllocaInst *&S = Carried[I];
  if (!S) {
    IRBuilder<> EB(EntryPoint);
    S = EB.CreateAlloca(I.V->getType(), nullptr, I.V->getName() + ".again");
  }
  return S;
}

Value *ReverseSweep::counter(const BasicBlock *H) {
  return primal(UF.loopAt(H).Counter);
}

Value *ReverseSweep::trips(const BasicBlock *H) {
  return primal(UF.loopAt(H).Trips);
}

Value *ReverseSweep::record(const BasicBlock *H) {
  return B.CreateLoad(B.getPtrTy(), recordSlot(H));
}

Value *ReverseSweep::indexOf(const LoopTape::Field &F) {
  Value *Index = nestIndex(
      B, F.Nest, [&](const BasicBlock *H) { return counter(H); },
      [&](const BasicBlock *H) { return trips(H); });
  return isPlanted(Fault::MissedCache) ? B.getInt64(0) : Index;
}

/// What the forward sweep has stored in a pool.
Value *ReverseSweep::loadFromPool(const Storage &S) {
  Type *MT = memoryType(S.Ty);
  Value *At = nullptr;
  if (S.Where == Storage::Frame) {
    At = E.Memory.field(B, Frame, frameTypes(P), S.Field, Stride);
  } else {
    const LoopTape &Tape = P.tapeOf(S.Loop);
    if (S.Where == Storage::Indexed) {
      IndexedLayout L = layoutIndexed(
          B, E, Tape, [&](const BasicBlock *H) { return trips(H); });
      Value *Base = lookup({Item::Base, S.Loop});
      Value *Array = E.Memory.word(B, Base, L.Offsets[S.Field], Stride);
      At =
          E.Memory.element(B, Array, MT, indexOf(Tape.Fields[S.Field]), Stride);
    } else {
      At = E.Memory.field(B, record(S.Loop), E.recordTypes(Tape), S.Field + 1,
                          Stride);
    }
  }
  return E.Memory.load(B, MT, At, Stride, EntryPoint,
                       [&](Instruction *I) { E.markTapeAccess(I); });
}

/// Where the tape of a nest has the value, of memory type MT, of this
/// iteration.
Value *ReverseSweep::elementOfNest(const Storage &S, Type *MT) {
  const LoopTape &Tape = P.tapeOf(S.Loop);
  const LoopTape::Field &F = Tape.Fields[S.Field];
  Value *Base = lookup({Item::Base, S.Loop});
  Value *Array;
  uint64_t Step = E.tapeBytes(MT);
  if (E.separateArrays() && Tape.OnStack) {
    Array = Fwd->arrayOf(S.Loop, S.Field);
  } else if (E.separateArrays()) {
    Array = B.CreateLoad(B.getPtrTy(),
                         B.CreateConstGEP1_64(B.getPtrTy(), Base, S.Field));
  } else {
    IndexedLayout L = layoutIndexed(
        B, E, Tape, [&](const BasicBlock *H) { return trips(H); });
    Array = B.CreatePtrAdd(Base, L.Offsets[S.Field]);
    Step = L.Steps[S.Field];
  }
  return elementAt(B, MT, Array, indexOf(F), Step);
}

Value *ReverseSweep::load(Item I, const Storage &S) {
  Type *MT = memoryType(S.Ty);
  if (E.pooled() && S.Where != Storage::Slot && !P.isOnStack(S)) {
    Value *V = loadFromPool(S);
    return V->getType() == S.Ty ? V : B.CreateTrunc(V, S.Ty);
  }
  Value *Where = nullptr;
  switch (S.Where) {
  case Storage::Slot: {
    retroAssert(Fwd, "plan", UF.F,
                "what a slot keeps is read in the function that fills it");
    AllocaInst *Slot = Fwd->slotOf(I);
    if (!Slot) // never stored: the block is not reached
      return Constant::getNullValue(S.Ty);
    Value *V = B.CreateLoad(MT, Slot);
    return V->getType() == S.Ty ? V : B.CreateTrunc(V, S.Ty);
  }
  case Storage::Frame: {
    retroAssert(Frame, "emit", UF.F,
                "the reverse pass is given the record that it reads from");
    Where = B.CreateStructGEP(StructType::get(T.getContext(), frameTypes(P)),
                              Frame, S.Field);
    break;
  }
  case Storage::Indexed:
    Where = elementOfNest(S, MT);
    break;
  case Storage::Record: {
    Value *Rec = record(S.Loop);
    Where = B.CreateStructGEP(RecordTypes[S.Loop], Rec, S.Field + 1);
    break;
  }
  }
  LoadInst *V = B.CreateAlignedLoad(MT, Where, E.tapeAlign(MT));
  E.markTapeAccess(V);
  return V->getType() == S.Ty ? static_cast<Value *>(V)
                              : B.CreateTrunc(V, S.Ty);
}

Value *ReverseSweep::lookup(Item I) {
  Value *V = find(I);
  return I.K == Item::Shadow && Act.shadowed(I.V) ? E.noteShadow(V) : V;
}

Value *ReverseSweep::find(Item I) {
  if (auto *C = dyn_cast<Constant>(I.V))
    return I.K == Item::Shadow ? E.shadowConstant(uniqued(C)) : uniqued(C);
  if (Value *V = uniqued(I.V))
    return V;
  if (I.K == Item::Shadow && !Act.shadowed(I.V))
    I = {Item::Primal, I.V};
  if (auto *A = dyn_cast<Argument>(I.V)) {
    Value *S = I.K == Item::Shadow ? ShadowArgs.lookup(A) : nullptr;
    return S ? S : T.getArg(A->getArgNo());
  }
  if (Fwd && isa<AllocaInst>(I.V))
    return I.K == Item::Primal ? Fwd->primal(I.V) : Fwd->shadow(I.V);
  if (MemoBlock != B.GetInsertBlock()) {
    Memo.clear();
    MemoBlock = B.GetInsertBlock();
  }
  auto It = Memo.find(I);
  if (It != Memo.end())
    return It->second;
  Value *V = nullptr;
  if (auto *Phi = dyn_cast<PHINode>(I.V); Phi && I.K == Item::Primal) {
    auto L = UF.Loops.find(Phi->getParent());
    if (L != UF.Loops.end() && L->second.Counter == Phi)
      V = B.CreateLoad(B.getInt64Ty(), counterSlot(Phi->getParent()));
    else if (P.Rerun.contains(Phi))
      V = B.CreateLoad(Phi->getType(), carriedSlot(I));
  }
  if (P.Inverted.count(I))
    V = B.CreateLoad(I.V->getType(), carriedSlot(I));
  if (!V) {
    auto C = P.Cached.find(I);
    if (C == P.Cached.end())
      recomputeOperands(I);
    V = C != P.Cached.end() ? load(I, C->second) : recompute(I);
  }
  note(I, V);
  return V;
}

/// Notes that V is the value of I from here to the end of the block.
void ReverseSweep::note(Item I, Value *V) {
  if (MemoBlock != B.GetInsertBlock()) {
    Memo.clear();
    MemoBlock = B.GetInsertBlock();
  }
  Memo[I] = V;
}

/// The number of the predecessor that the primal came from.
Value *ReverseSweep::choose(const BranchChoice &Tree, const Reversal &V) {
  if (Tree.From)
    return B.getInt16(
        static_cast<uint16_t>(llvm::find(V.To, Tree.From) - V.To.begin()));
  Value *C = primal(Tree.Condition);
  Value *True = choose(*Tree.IfTrue, V);
  return B.CreateSelect(C, True, choose(*Tree.IfFalse, V));
}

/// Can what is not on the tape be had from the operands of I?
bool ReverseSweep::isComputedAgain(const Instruction &I) const {
  auto *L = dyn_cast<LoadInst>(&I);
  return isRepeatable(I, Act.unit()) &&
         (!L || E.Plan->isStable(*L) || P.FromCopy.contains(L));
}

/// The first operand of I, which is to be computed again, that has not been
/// found here.
const Instruction *ReverseSweep::nextOperand(Item I) const {
  auto *Src = dyn_cast<Instruction>(I.V);
  auto *Load = dyn_cast_or_null<LoadInst>(Src);
  if (!Src || I.K != Item::Primal || P.Cached.count(I) ||
      (Load && P.FromCopy.contains(Load)))
    return nullptr;
  for (const Value *O : Src->operands()) {
    auto *X = dyn_cast<Instruction>(O);
    const Item It{Item::Primal, O};
    if (!X || Memo.contains(It) || P.Inverted.count(It))
      continue;
    if (P.Cached.count(It) || isComputedAgain(*X))
      return X;
  }
  return nullptr;
}

/// Computes what I is computed from, however long the chain: by recursion the
/// compiler's stack would have to be as deep.
void ReverseSweep::recomputeOperands(Item I) {
  const BasicBlock *Start = B.GetInsertBlock();
  SmallVector<Item> Path{I};
  while (!Path.empty() && B.GetInsertBlock() == Start) {
    Item Top = Path.back();
    if (const Instruction *O = nextOperand(Top)) {
      Path.push_back({Item::Primal, O});
      continue;
    }
    Path.pop_back();
    if (!Path.empty())
      find(Top);
  }
}

/// An error of the plan: nothing says where I comes from.
Value *ReverseSweep::notPlanned(Item I) {
  auto *Src = dyn_cast<Instruction>(I.V);
  std::string Name;
  raw_string_ostream OS(Name);
  if (Src)
    OS << "not planned:" << *Src;
  else
    OS << "an item is not planned";
  E.R.error(Diag::Internal, Src, {UF.Source->getName().str(), Name});
  Type *Ty = I.K == Item::Branch ? B.getInt16Ty()
             : Src               ? Src->getType()
                                 : B.getPtrTy();
  return PoisonValue::get(Ty);
}

Value *ReverseSweep::recompute(Item I) {
  if (I.K == Item::Branch) {
    auto *Block = cast<BasicBlock>(I.V);
    if (auto Way = P.Ways.find(Block); Way != P.Ways.end())
      return choose(*Way->second, P.reversalOf(Block));
  }
  auto *Src = dyn_cast<Instruction>(I.V);
  if (auto *L = dyn_cast_or_null<LoadInst>(Src); L && I.K == Item::Primal)
    if (auto From = P.FromCopy.find(L); From != P.FromCopy.end())
      return checked(*L, loadFromCopy(*L, From->second));
  if (!Src || (I.K != Item::Primal && I.K != Item::Shadow) ||
      !isComputedAgain(*Src))
    return notPlanned(I);
  SmallVector<Value *> Ops;
  for (unsigned N = 0; N < Src->getNumOperands(); ++N) {
    Value *O = Src->getOperand(N);
    bool Plain = I.K == Item::Primal ||
                 (isa<GetElementPtrInst>(Src) && N > 0) ||
                 (isa<SelectInst>(Src) && N == 0);
    if (auto *Call = dyn_cast<CallBase>(Src);
        Call && N == Call->getNumOperands() - 1)
      Ops.push_back(O); // the callee
    else
      Ops.push_back(lookup(Plain ? Item{Item::Primal, O}
                                 : Item{Item::Shadow, O, I.Lane}));
  }
  Instruction *New = Src->clone();
  for (unsigned N = 0; N < Ops.size(); ++N)
    New->setOperand(N, Ops[N]);
  if (I.K == Item::Shadow)
    New->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
  forgetScopes(*New);
  B.Insert(New);
  return I.K == Item::Primal ? checked(*Src, New) : New;
}

/// What Again, computed a second time, is held to where the plan keeps what the
/// primal had.
Value *ReverseSweep::checked(const Instruction &I, Instruction *Again) {
  const Item W{Item::Witness, &I};
  if (auto C = P.Cached.find(W); C != P.Cached.end())
    checkReload(B, I, Again, load(W, C->second), E.R);
  return Again;
}

//===----------------------------------------------------------------------===//

/// The reverse pass enters the loops that the primal leaves from To to From.
void ReverseSweep::enterLoops(const BasicBlock &From, const BasicBlock &To) {
  SmallVector<const Loop *> Entered;
  for (const Loop *L = UF.LI.getLoopFor(&To); L && !L->contains(&From);
       L = L->getParentLoop())
    Entered.push_back(L);
  // Outer loops first: what is known of an inner loop is kept in them.
  for (const Loop *L : reverse(Entered)) {
    CanonicalLoop &C = *UF.loop(L);
    const BasicBlock *H = L->getHeader();
    Value *First = P.InOrder.contains(H) ? B.getInt64(0)
                   : C.Trips ? B.CreateSub(primal(C.Trips), B.getInt64(1))
                             : primal(C.LastCounter.lookup(&From));
    B.CreateStore(First, counterSlot(H));
    Memo.erase(Item{Item::Primal, C.Counter});
    rerun(*H, L->getLoopPreheader());
    findLast(*H);
    auto Tape = P.Tapes.find(H);
    if (Tape != P.Tapes.end() && !Tape->second.Indexed) {
      AllocaInst *Slot = recordSlot(H);
      B.CreateStore(lookup({Item::Head, H}), Slot);
    }
  }
}

/// Has the reverse pass no other iteration to run?
Value *ReverseSweep::isLastIteration(const BasicBlock &H) {
  Value *N = B.CreateLoad(B.getInt64Ty(), counterSlot(&H));
  if (!P.InOrder.contains(&H))
    return B.CreateICmpEQ(N, B.getInt64(0));
  return B.CreateICmpEQ(B.CreateAdd(N, B.getInt64(1), "", true, true),
                        trips(&H));
}

void ReverseSweep::nextIteration(const BasicBlock &H) {
  rerun(H, UF.LI.getLoopFor(&H)->getLoopLatch());
  SmallVector<Value *> From = carriedFrom(H);
  Value *N = B.CreateLoad(B.getInt64Ty(), counterSlot(&H));
  B.CreateStore(P.InOrder.contains(&H)
                    ? B.CreateAdd(N, B.getInt64(1), "", true, true)
                    : B.CreateNUWSub(N, B.getInt64(1)),
                counterSlot(&H));
  auto Tape = P.Tapes.find(&H);
  if (Tape != P.Tapes.end() && !Tape->second.Indexed) {
    LoadInst *Prev = B.CreateLoad(B.getPtrTy(), record(&H));
    E.markTapeAccess(Prev);
    B.CreateStore(Prev, recordSlot(&H));
  }
  stepBack(H, From);
}

void ReverseSweep::phiAdjoints(const BasicBlock &Pred,
                               ArrayRef<PhiAdjoint> Phis) {
  for (const PhiAdjoint &A : Phis)
    E.inLane(A.Lane,
             [&] { addAdjoint(A.Phi->getIncomingValueForBlock(&Pred), A.G); });
}

/// To one of the blocks by its number.
void ReverseSweep::branchTo(ArrayRef<BasicBlock *> Edges, Value *Which) {
  if (Edges.size() == 2) {
    B.CreateCondBr(B.CreateICmpEQ(Which, B.getInt16(0)), Edges[0], Edges[1]);
    return;
  }
  SwitchInst *S = SwitchInst::Create(Which, Edges.back(),
                                     static_cast<unsigned>(Edges.size()),
                                     B.GetInsertBlock());
  for (unsigned N = 0; N + 1 < Edges.size(); ++N)
    S->addCase(B.getInt16(static_cast<uint16_t>(N)), Edges[N]);
}

/// Each edge has a block of its own for what happens on it. From: the primal
/// may leave loops there, or null.
BasicBlock *ReverseSweep::edgeTo(const BasicBlock &X, const BasicBlock *From,
                                 ArrayRef<PhiAdjoint> Phis) {
  BasicBlock *EB =
      BasicBlock::Create(T.getContext(), "rev." + X.getName() + ".edge", &T);
  auto Saved = B.saveIP();
  B.SetInsertPoint(EB);
  phiAdjoints(X, Phis);
  if (From)
    enterLoops(*From, X);
  B.restoreIP(Saved);
  return EB;
}

void ReverseSweep::emitFlow(const BasicBlock &Block, const Reversal &V) {
  SmallVector<PhiAdjoint> Phis;
  for (const PHINode &Phi : Block.phis())
    if (Act.active(&Phi))
      E.forLanes([&] { Phis.push_back({&Phi, takeAdjoint(&Phi), E.lane()}); });
  auto Edge = [&](const BasicBlock *X) {
    bool Enters = V.K != Reversal::Header && V.K != Reversal::Skip;
    return edgeTo(*X, Enters ? &Block : nullptr, Phis);
  };
  auto Finish = [&](BasicBlock *EB, const BasicBlock *X) {
    B.SetInsertPoint(EB);
    goTo(*X, Block);
  };
  switch (V.K) {
  case Reversal::Entry:
    return;
  case Reversal::Skip:
  case Reversal::Single: {
    BasicBlock *EB = Edge(V.To[0]);
    B.CreateBr(EB);
    Finish(EB, V.To[0]);
    return;
  }
  case Reversal::Header: {
    BasicBlock *Out = Edge(V.To[0]), *Back = Edge(V.To[1]);
    B.CreateCondBr(isLastIteration(Block), Out, Back);
    Finish(Out, V.To[0]);
    Left[&Block] = B.GetInsertBlock()->getTerminator();
    B.SetInsertPoint(Back);
    nextIteration(Block);
    goTo(*V.To[1], Block);
    return;
  }
  case Reversal::Choose: {
    Value *Which = lookup({Item::Branch, &Block});
    if (isPlanted(Fault::WrongBranch))
      Which = B.CreateXor(Which, B.getInt16(1));
    SmallVector<BasicBlock *> Edges;
    for (const BasicBlock *X : V.To)
      Edges.push_back(Edge(X));
    branchTo(Edges, Which);
    for (unsigned N = 0; N < Edges.size(); ++N)
      Finish(Edges[N], V.To[N]);
    return;
  }
  }
}

/// A call that may have thrown, to a handler of this function, may have left an
/// incomplete tape: then its adjoint runs only where it returned. Returns the
/// block that goes on behind the adjoint; null if no condition is needed.
BasicBlock *ReverseSweep::unlessThrown(CallBase &C) {
  const CallBase *Threw = incompleteAt(Act.unit(), C);
  if (!Threw || !(Act.unit().callee(C) || isCustom(C)))
    return nullptr;
  // Adjoints that have no value yet are set to zero before the ways part.
  for (const Value *A : C.args())
    if (Act.active(A) && !isa<Constant>(A))
      E.forLanes([&] { setAdjoint(A, adjoint(A)); });
  Value *DidThrow = primal(Threw);
  auto *Returned = BasicBlock::Create(T.getContext(), "rev.returned", &T);
  auto *Behind = BasicBlock::Create(T.getContext(), "rev.behind", &T);
  B.CreateCondBr(DidThrow, Behind, Returned);
  B.SetInsertPoint(Returned);
  return Behind;
}

void ReverseSweep::emitBlock(BasicBlock &Block) {
  B.SetInsertPoint(promised(Blocks, &Block, "plan", UF.F,
                            "each block that is reversed has a way to it"));
  for (Instruction &I : reverse(Block))
    if (auto *S = dyn_cast<StoreInst>(&I); S && P.ReadEarly.contains(S))
      E.forLanes([&] { readEarly(*S); });
  for (Instruction &I : reverse(Block)) {
    if (isa<PHINode>(I) || !E.Plan->needs().hasWork(I))
      continue;
    B.SetCurrentDebugLocation(I.getDebugLoc());
    if (P.Settled.contains(&I) && !isa<StoreInst>(I))
      emitHandOver(B);
    auto *C = dyn_cast<CallBase>(&I);
    BasicBlock *Behind = C ? unlessThrown(*C) : nullptr;
    if (UnitFunction *G = C ? Act.unit().callee(*C) : nullptr)
      unitCallAdjoint(*C, *G);
    else if (C && syncOf(*C) != Sync::None)
      syncAdjoint(*C);
    else
      E.forLanes([&] { emitAdjoint(I); });
    if (Behind) {
      B.CreateBr(Behind);
      B.SetInsertPoint(Behind);
    }
    Shared.forget();
    B.clearFastMathFlags();
  }
}

void ReverseSweep::follow(ForwardSweep &F) {
  Fwd = &F;
  EntryPoint = F.variables();
  Arena = F.arena();
  Stride = F.stride();
}

void ReverseSweep::seed(BasicBlock *At, const Value *V, BasicBlock *Next,
                        function_ref<Value *()> G) {
  B.SetInsertPoint(At);
  E.forLanes([&] { addAdjoint(V, G()); });
  B.CreateBr(Next);
}

BasicBlock *ReverseSweep::run(function_ref<void(IRBuilder<> &)> Finish) {
  for (auto &[Block, V] : P.Blocks)
    Blocks[Block] =
        BasicBlock::Create(T.getContext(), "rev." + Block->getName(), &T);
  for (auto &[Block, List] : UF.Scopes) {
    auto *Declared = cast_or_null<BasicBlock>(static_cast<Value *>(Block));
    const Loop *L = Declared ? UF.LI.getLoopFor(Declared) : nullptr;
    if (Declared)
      Scopes.declare(*List, Blocks.lookup(L ? L->getLoopLatch() : P.exitBlock));
  }
  B.SetInsertPoint(Blocks[P.exitBlock]);
  compareShadows();
  for (auto &[Block, V] : P.Blocks) {
    emitBlock(*UF.DT.getNode(Block)->getBlock());
    emitFlow(*Block, V);
    if (V.K == Reversal::Entry)
      Finish(B);
  }
  dropUnreadSlots();
  return Blocks[P.exitBlock];
}

} // namespace retro
