// The forward pass of reverse mode.
#include "transforms/activity_trace.h"

#include "analyses/custom_calls.h"
#include "analyses/mpi_calls.h"
#include "parallel/lowering.h"

#include "toggles.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace retro {

IndexedLayout layoutIndexed(IRBuilder<> &B, UnitEmitter &E,
                            const LoopTape &Tape,
                            function_ref<Value *(const BasicBlock *)> Trips) {
  IndexedLayout L;
  const DataLayout &DL = E.M.getDataLayout();
  Value *Off = B.getInt64(0);
  for (const LoopTape::Field &F : Tape.Fields) {
    L.Offsets.push_back(Off);
    Value *Bytes = B.getInt64(DL.getTypeAllocSize(E.memoryType(F.Ty)));
    for (const BasicBlock *H : F.Nest)
      Bytes = B.CreateMul(Bytes, Trips(H));
    // Each array starts aligned for vectors.
    Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(15)),
                        B.getInt64(~uint64_t(15)));
    Off = B.CreateAdd(Off, Bytes);
  }
  L.Total = Off;
  return L;
}

Value *nestIndex(IRBuilder<> &B, ArrayRef<const BasicBlock *> Nest,
                 function_ref<Value *(const BasicBlock *)> Counter,
                 function_ref<Value *(const BasicBlock *)> Trips) {
  Value *Index = nullptr;
  for (const BasicBlock *H : Nest) {
    Value *C = Counter(H);
    Index = Index ? B.CreateAdd(B.CreateMul(Index, Trips(H), "", true, true), C,
                                "", true, true)
                  : C;
  }
  return Index;
}

void ForwardSweep::run() {
  cloneBody();
  // A mark that stays where it is: variables are put before it.
  IRBuilder<> EB(&T.getEntryBlock(), T.getEntryBlock().begin());
  EntryPoint = new FreezeInst(PoisonValue::get(EB.getInt1Ty()), "variables",
                              EB.GetInsertPoint());
  EB.SetInsertPoint(EntryPoint);
  std::optional<ActivityTrace> Instrumented;
  if (E.checksActivity())
    Trace = &Instrumented.emplace(*this, *EntryPoint->getNextNode());
  if (UF.Root)
    Arena = E.RT.createArena(EB, Toggles::get().tape_stack);
  if (!P.Frame.empty()) {
    SmallVector<Type *> Fields;
    for (Item I : P.Frame)
      Fields.push_back(E.memoryType(P.Cached.lookup(I).Ty));
    FrameType = StructType::get(T.getContext(), Fields);
    IRBuilder<> B(EntryPoint->getNextNode());
    Frame = E.RT.allocate(
        B, Arena, B.getInt64(E.M.getDataLayout().getTypeAllocSize(FrameType)),
        !Toggles::get().tape_merge);
    E.UsesArena = true;
  }
  prepareTapes();
  ReversePostOrderTraversal<Function *> RPO(UF.F);
  for (BasicBlock *B : RPO)
    for (Instruction &I : *B) {
      visit(I);
      if (E.R.failed())
        return;
    }
  fillShadowPhis();
  branchNumbers();
  heads();
  if (Trace)
    Trace->run();
  Trace = nullptr;
  for (const StoreInst *S : P.DroppedStores)
    cloned(*S)->eraseFromParent();
}

void ForwardSweep::visit(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I)) {
    if (C->isInlineAsm()) {
      if (any_of(C->args(),
                 [&](Value *A) { return Act.active(A) || Act.shadowed(A); })) {
        E.R.error(Diag::InlineAsm, C);
        return;
      }
    }
    if (UnitFunction *G = Act.unit().callee(*C); G && E.needsDerived(*G))
      unitCall(*C, *G);
    else if (G && isFork(*C))
      plainFork(*C, *G);
    else if (G && isSpawn(*C))
      plainSpawn(*C, *G);
    else if (knownCall(*C).Kind == KnownKind::Synchronize)
      synchronize(*C);
    else if (knownCall(*C).Kind == KnownKind::Free)
      deferFree(*C);
    else if (isCustom(*C) && carriesDerivative(Act, *C))
      customCall(*C, customRule(Act.unit(), *C)->Augmented);
    else if (mpiHasWork(*C))
      mpiCall(*C);
    else
      E.forLanes([&] { emitShadow(I); });
    keepArrays(*C);
  } else if (auto *A = dyn_cast<AllocaInst>(&I);
             A && !UF.Root && (P.TapedAllocas.contains(A) || Act.shadowed(A))) {
    tapeAlloca(*A);
  } else {
    E.forLanes([&] { emitShadow(I); });
  }
  keep(I);
}

/// Caches what the plan says of this instruction.
void ForwardSweep::keep(const Instruction &I) {
  keep({Item::Primal, &I}, primal(&I));
  keep({Item::Witness, &I}, primal(&I));
  E.forLanes([&] {
    Item X{Item::Shadow, &I, E.Lane};
    if (P.Cached.count(X))
      keep(X, shadow(&I));
  });
}

void ForwardSweep::keep(Item X, Value *V) {
  if (!P.Cached.count(X))
    return;
  // After the value and, for a phi, after all phis.
  auto *VI = cast<Instruction>(V);
  BasicBlock::iterator At = std::next(VI->getIterator());
  if (isa<PHINode>(VI)) {
    // In the header of a loop with records, after the record is made.
    Instruction *Made = RecordMade.lookup(cast<PHINode>(X.V)->getParent());
    At = Made ? std::next(Made->getIterator())
              : VI->getParent()->getFirstInsertionPt();
  }
  IRBuilder<> B(At->getParent(), At);
  store(X, V, B);
}

void ForwardSweep::store(Item I, Value *V, IRBuilder<> &B) {
  auto It = P.Cached.find(I);
  if (It == P.Cached.end())
    return;
  const Storage &S = It->second;
  Type *MT = E.memoryType(S.Ty);
  if (V->getType() != MT)
    V = B.CreateZExtOrTrunc(V, MT);
  Value *Where = nullptr;
  switch (S.Where) {
  case Storage::Slot: {
    AllocaInst *&Slot = Slots[I];
    if (!Slot) {
      IRBuilder<> EB(EntryPoint);
      Slot = EB.CreateAlloca(MT, nullptr, "kept");
    }
    B.CreateStore(V, Slot);
    return;
  }
  case Storage::Frame:
    Where = B.CreateStructGEP(FrameType, Frame, S.Field);
    break;
  case Storage::Indexed: {
    const LoopTape::Field &F = P.Tapes.find(S.Loop)->second.Fields[S.Field];
    auto Loop = [&](const BasicBlock *H) -> CanonicalLoop & {
      return UF.Loops.find(const_cast<BasicBlock *>(H))->second;
    };
    Value *Index = nestIndex(
        B, F.Nest, [&](const BasicBlock *H) { return primal(Loop(H).Counter); },
        [&](const BasicBlock *H) { return primal(Loop(H).Trips); });
    Where = B.CreateInBoundsGEP(MT, Arrays[{S.Loop, S.Field}], Index);
    break;
  }
  case Storage::Record: {
    Value *Rec = B.CreateLoad(B.getPtrTy(), Records[S.Loop]);
    Where = B.CreateStructGEP(RecordTypes[S.Loop], Rec, S.Field + 1);
    break;
  }
  }
  E.markTapeAccess(B.CreateAlignedStore(V, Where, E.tapeAlign(MT)));
}

void ForwardSweep::prepareTapes() {
  // Outer loops first: the allocations of inner ones are kept in theirs.
  SmallVector<std::pair<const BasicBlock *, const LoopTape *>> Order;
  for (auto &[H, Tape] : P.Tapes)
    Order.push_back({H, &Tape});
  stable_sort(Order, [&](auto A, auto B) {
    return UF.LI.getLoopDepth(A.first) < UF.LI.getLoopDepth(B.first);
  });
  for (auto [H, T] : Order) {
    const LoopTape &Tape = *T;
    E.UsesArena = true;
    if (Tape.Indexed)
      prepareIndexed(*H, Tape);
    else
      prepareRecords(*H, Tape);
  }
}

/// One allocation for the nest, made before it.
void ForwardSweep::prepareIndexed(const BasicBlock &H, const LoopTape &Tape) {
  const Loop *L = UF.LI.getLoopFor(&H);
  Instruction *At = cloned(*L->getLoopPreheader()->getTerminator());
  IRBuilder<> B(At);
  auto Trips = [&](const BasicBlock *X) {
    return primal(UF.Loops.find(const_cast<BasicBlock *>(X))->second.Trips);
  };
  IndexedLayout Layout = layoutIndexed(B, E, Tape, Trips);
  if (auto *C = dyn_cast<ConstantInt>(Layout.Total);
      C && C->getZExtValue() > tapeBudget()) {
    E.R.error(
        Diag::TapeTooLarge, H.getTerminator(),
        {std::to_string(C->getZExtValue()), std::to_string(tapeBudget())});
    return;
  }
  Value *Base;
  auto *Constant = dyn_cast<ConstantInt>(Layout.Total);
  if (!Toggles::get().tape_merge) {
    // One allocation per value, reached through a table.
    Base = E.RT.allocate(B, Arena, B.getInt64(8 * Tape.Fields.size()), true);
    for (unsigned I = 0; I < Tape.Fields.size(); ++I) {
      Value *End =
          I + 1 < Tape.Fields.size() ? Layout.Offsets[I + 1] : Layout.Total;
      Value *A =
          E.RT.allocate(B, Arena, B.CreateSub(End, Layout.Offsets[I]), true);
      B.CreateStore(A, B.CreateConstGEP1_64(B.getPtrTy(), Base, I));
      Arrays[{&H, I}] = A;
    }
  } else {
    if (Toggles::get().tape_stack && UF.Root && !L->getParentLoop() &&
        Constant && Constant->getZExtValue() <= 16384) {
      IRBuilder<> EB(EntryPoint);
      AllocaInst *A = EB.CreateAlloca(
          ArrayType::get(B.getInt8Ty(), Constant->getZExtValue()), nullptr,
          "tape.array");
      A->setAlignment(Align(16));
      Base = A;
      ++counters().tape_stack;
    } else {
      Base = E.RT.allocate(B, Arena, Layout.Total);
    }
    for (unsigned I = 0; I < Tape.Fields.size(); ++I)
      Arrays[{&H, I}] = B.CreatePtrAdd(Base, Layout.Offsets[I]);
    counters().tape_merge += static_cast<unsigned>(Tape.Fields.size() - 1);
  }
  store({Item::Base, &H}, Base, B);
}

/// A record per iteration, each linked to the one before.
void ForwardSweep::prepareRecords(const BasicBlock &H, const LoopTape &Tape) {
  SmallVector<Type *> Fields{PointerType::getUnqual(T.getContext())};
  for (const LoopTape::Field &F : Tape.Fields)
    Fields.push_back(E.memoryType(F.Ty));
  RecordTypes[&H] = StructType::get(T.getContext(), Fields);
  IRBuilder<> EB(EntryPoint);
  AllocaInst *Slot = EB.CreateAlloca(EB.getPtrTy(), nullptr, "record");
  Records[&H] = Slot;
  const Loop *L = UF.LI.getLoopFor(&H);
  IRBuilder<> B(cloned(*L->getLoopPreheader()->getTerminator()));
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), Slot);
  auto *HB = cast<BasicBlock>(VM.lookup(&H));
  IRBuilder<> HBuilder(HB, HB->getFirstInsertionPt());
  Value *Rec = E.RT.allocate(
      HBuilder, Arena,
      HBuilder.getInt64(E.M.getDataLayout().getTypeAllocSize(RecordTypes[&H])),
      !Toggles::get().tape_merge);
  E.markTapeAccess(HBuilder.CreateStore(
      HBuilder.CreateLoad(HBuilder.getPtrTy(), Slot), Rec));
  RecordMade[&H] = HBuilder.CreateStore(Rec, Slot);
}

/// What the loops' last records are, where the loops have ended.
void ForwardSweep::heads() {
  for (auto &[H, Tape] : P.Tapes) {
    if (Tape.Indexed)
      continue;
    SmallVector<BasicBlock *> Exits;
    UF.LI.getLoopFor(H)->getUniqueExitBlocks(Exits);
    for (BasicBlock *X : Exits) {
      auto *XB = cast<BasicBlock>(VM.lookup(X));
      IRBuilder<> B(XB, XB->getFirstInsertionPt());
      store({Item::Head, H}, B.CreateLoad(B.getPtrTy(), Records[H]), B);
    }
  }
}

/// Numbers the predecessors of merge blocks where the plan keeps the number.
void ForwardSweep::branchNumbers() {
  for (auto &[Block, V] : P.Blocks) {
    Item I{Item::Branch, Block};
    if (V.K != Reversal::Choose || !P.Cached.count(I))
      continue;
    auto *TB = cast<BasicBlock>(VM.lookup(Block));
    IRBuilder<> B(TB, TB->begin());
    PHINode *N = B.CreatePHI(B.getInt16Ty(), 2, "from");
    for (const BasicBlock *X : predecessors(Block)) {
      auto It = find(V.To, X);
      N->addIncoming(B.getInt16(static_cast<uint16_t>(
                         It == V.To.end() ? 0 : It - V.To.begin())),
                     endOf(*X));
    }
    B.SetInsertPoint(TB, TB->getFirstInsertionPt());
    store(I, N, B);
  }
}

/// A called function's stack memory that the reverse function reads lies on
/// the tape.
void ForwardSweep::tapeAlloca(AllocaInst &A) {
  auto *C = cast<AllocaInst>(cloned(A));
  E.UsesArena = true;
  auto Size = A.getAllocationSize(E.M.getDataLayout());
  uint64_t Bytes = Size ? Size->getFixedValue() : 0;
  auto Allocate = [&](bool Zero) {
    IRBuilder<> B(C);
    uint64_t Wanted = std::max<uint64_t>(A.getAlign().value(), 16);
    Value *M = E.RT.allocate(B, Arena, B.getInt64(Bytes + Wanted - 16));
    if (Wanted > 16) {
      Value *Over = B.CreateNeg(B.CreatePtrToInt(M, B.getInt64Ty()));
      M = B.CreatePtrAdd(M, B.CreateAnd(Over, B.getInt64(Wanted - 1)));
    }
    if (Zero)
      B.CreateMemSet(M, B.getInt8(0), Bytes, MaybeAlign(16));
    return M;
  };
  if (Act.shadowed(&A))
    E.forLanes([&] { Shadows[&A] = Allocate(true); });
  Value *M = Allocate(false);
  C->replaceAllUsesWith(M);
  VM[&A] = M;
  C->eraseFromParent();
}

void ForwardSweep::deferFree(CallBase &C) {
  KnownCall K = knownCall(C);
  unsigned Which = static_cast<unsigned>(K.Row->A);
  Value *Ptr = C.getArgOperand(Which);
  if (isa<ConstantPointerNull>(Ptr) || !Act.isFreedLate(Ptr))
    return;
  E.UsesArena = true;
  auto *Call = cast<CallBase>(cloned(C));
  IRBuilder<> B(Call);
  E.RT.deferFree(B, Arena, *Call, Which, primal(Ptr));
  if (Act.shadowed(Ptr))
    E.forLanes([&] { E.RT.deferFree(B, Arena, *Call, Which, shadow(Ptr)); });
  VM.erase(&C);
  Call->eraseFromParent();
}

void ForwardSweep::unitCall(CallBase &C, UnitFunction &G) {
  Emitted &D = E.of(G);
  auto *Old = cast<CallBase>(cloned(C));
  IRBuilder<> B(Old);
  SmallVector<Value *> Args;
  for (Value *A : C.args())
    Args.push_back(primal(A));
  for (Argument &A : G.F->args())
    if (Act.shadowed(&A))
      E.forLanes(
          [&] { Args.push_back(shadow(C.getArgOperand(A.getArgNo()))); });
  if (isFork(C))
    return forkCall(C, G, Args);
  if (isSpawn(C))
    return spawnCall(C, G, Args);
  Args.push_back(Arena);
  E.UsesArena = true;
  CallInst *New = B.CreateCall(D.Augmented, Args);
  New->setDebugLoc(C.getDebugLoc());
  if (Trace)
    Trace->called(C, *New);
  unsigned Field = 0;
  if (!C.getType()->isVoidTy()) {
    Value *V = B.CreateExtractValue(New, Field++);
    Old->replaceAllUsesWith(V);
    VM[&C] = V;
    if (E.returnsShadow(G))
      E.forLanes([&] {
        Value *S = B.CreateExtractValue(New, Field++);
        if (Act.shadowed(&C))
          Shadows[&C] = S;
      });
  } else {
    VM.erase(&C);
  }
  store({Item::Tape, &C}, B.CreateExtractValue(New, Field), B);
  Old->eraseFromParent();
}

} // namespace retro
