// The forward pass of reverse mode: the primal and its plan go in, and out
// comes the primal with shadows, and stores of what is kept. What the plan does
// not name is not kept, and the reverse pass would read a tape that nobody
// wrote where the two disagreed. Members of ForwardSweep
// (emit/common/forward_sweep.h) and of UnitEmitter.
#include "emit/common/forward_sweep.h"

#include "base/assert.h"
#include "base/toggles.h"
#include "emit/checks/activity_trace.h"
#include "emit/tape_arrays.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/parallel/forks.h"
#include "ir/heap.h"
#include "prepare/memory/stack_memory.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace retro {

uint64_t tapedBytes(const AllocaInst &A, const DataLayout &DL) {
  auto Size = A.getAllocationSize(DL);
  return Size ? Size->getFixedValue() : 0;
}

void ForwardSweep::run() {
  cloneBody();
  // A mark that stays where it is: variables are put before it.
  IRBuilder<> EB(&T.getEntryBlock(), T.getEntryBlock().begin());
  EntryPoint = new FreezeInst(PoisonValue::get(EB.getInt1Ty()), "variables",
                              EB.GetInsertPoint());
  EB.SetInsertPoint(EntryPoint);
  std::optional<ActivityTrace> Instrumented;
  if (E.Plan->checksActivity())
    Trace = &Instrumented.emplace(*this, *EntryPoint->getNextNode());
  if (UF.Root)
    Arena = E.pooled() ? E.Memory.open(EB, PoolArguments::of(T))
                       : E.RT.createArena(EB, isOn(Toggle::tape_stack));
  if (E.pooled())
    Stride = E.Memory.stride(EB, Arena);
  prepareFrame();
  prepareTapes();
  visitAll([&](Instruction &I) { visit(I); });
  fillShadowPhis();
  branchNumbers();
  heads();
  lastValues();
  for (const BasicBlock *H : P.Fused)
    if (!P.Awaited.contains(H))
      passBy(*H);
  if (Trace)
    Trace->run();
  Trace = nullptr;
  for (const StoreInst *S : P.DroppedStores)
    cloned(*S)->eraseFromParent();
}

void ForwardSweep::makeFrame(IRBuilder<> &B) {
  E.useArena();
  FrameType = StructType::get(T.getContext(), frameTypes(P));
  Frame = E.pooled()
              ? E.Memory.take(B, Arena,
                              B.getInt64(E.Memory.layout(frameTypes(P)).Bytes))
              : E.RT.allocate(
                    B, Arena,
                    B.getInt64(E.M.getDataLayout().getTypeAllocSize(FrameType)),
                    E.R.ownerText(UF.F->getEntryBlock().front()),
                    !isOn(Toggle::tape_merge));
}

Value *ForwardSweep::frameAtReturn(IRBuilder<> &B) const {
  if (FrameSlot)
    return B.CreateLoad(B.getPtrTy(), FrameSlot);
  return Frame ? Frame : ConstantPointerNull::get(B.getPtrTy());
}

/// The memory that the function's whole call has on the tape.
void ForwardSweep::prepareFrame() {
  if (E.pooled())
    for (Instruction &I : make_early_inc_range(
             make_range(EntryPoint->getIterator(), T.getEntryBlock().end())))
      if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
        A->moveBefore(EntryPoint->getIterator());
  IRBuilder<> B(EntryPoint->getNextNode());
  if (P.FrameMade || P.FrameAfter) {
    IRBuilder<> EB(EntryPoint);
    FrameSlot = EB.CreateAlloca(EB.getPtrTy(), nullptr, "frame");
    B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), FrameSlot);
    BasicBlock::iterator At =
        P.FrameAfter
            ? std::next(cloned(*P.FrameAfter)->getIterator())
            : cast<BasicBlock>(VM.lookup(P.FrameMade))->getFirstInsertionPt();
    IRBuilder<> MB(At->getParent(), At);
    makeFrame(MB);
    FrameDone = MB.CreateStore(Frame, FrameSlot);
  } else if (!P.Frame.empty()) {
    makeFrame(B);
  }
  if (!E.pooled() || UF.Root)
    return;
  // These pieces come before anything of the tape that may be longer in one
  // thread than in another.
  for (Instruction &I : UF.F->getEntryBlock()) {
    if (!E.pieceBytes(UF, I))
      continue;
    auto *A = cast<AllocaInst>(&I);
    uint64_t Bytes = tapedBytes(*A, E.M.getDataLayout());
    auto Piece = [&] {
      Pieces[A].push_back(E.Memory.takePiece(B, Arena, Bytes, A->getAlign()));
    };
    Piece();
    if (Act.shadowed(A))
      E.forLanes([&] {
        Piece();
        B.CreateMemSet(Pieces[A].back(), B.getInt8(0), Bytes, A->getAlign());
      });
  }
}

/// Lets the tape's arena free memory that nothing else frees, and its shadows.
/// Memory: the calls, in one block, that allocate it.
static void freeAtEnd(UnitEmitter &E, Value *Arena,
                      ArrayRef<Instruction *> Memory) {
  Instruction *Last = *llvm::max_element(
      Memory, [](auto *A, auto *B) { return A->comesBefore(B); });
  IRBuilder<> B(Last->getNextNode());
  FunctionCallee Free = freeOf(E.M);
  E.useArena();
  for (Instruction *I : Memory) {
    I->setMetadata(FreedAtEnd, nullptr);    // now something does
    CallInst *Call = B.CreateCall(Free, I); // says what the tape calls
    E.RT.deferFree(B, Arena, *Call, 0, I);
    Call->eraseFromParent();
  }
}

void ForwardSweep::visit(Instruction &I) {
  E.forLanes([&] { endIfConstant(I); });
  if (auto *C = dyn_cast<CallBase>(&I)) {
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
    else if (isNote(*C))
      return noteWord(*C);
    else
      E.forLanes([&] {
        if (P.OverPointers.contains(C))
          clearAddresses(*C); // behind what is copied of shadows
        emitShadow(I);
      });
    if (C->hasMetadata(FreedAtEnd) && !E.pooled()) {
      SmallVector<Instruction *> All{cloned(*C)};
      if (Act.shadowed(C) && !Act.hasImage(C) && !Act.mayHaveImage(C))
        E.forLanes([&] { All.push_back(cast<Instruction>(shadow(C))); });
      freeAtEnd(E, Arena, All);
    }
    keepArrays(*C);
  } else if (auto *A = dyn_cast<AllocaInst>(&I);
             A && !UF.Root && !P.Combined &&
             (P.TapedAllocas.contains(A) || Act.shadowed(A))) {
    tapeAlloca(*A);
  } else {
    E.forLanes([&] {
      emitShadow(I);
      if (P.OverPointers.contains(&I))
        clearAddresses(I); // before what is stored in the shadow
    });
  }
  keep(I);
}

/// Caches what the plan says of this instruction.
void ForwardSweep::keep(const Instruction &I) {
  keep({Item::Primal, &I}, primal(&I));
  keep({Item::Witness, &I}, primal(&I));
  E.forLanes([&] {
    Item X{Item::Shadow, &I, E.lane()};
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
  Type *MT = memoryType(S.Ty);
  retroAssert(
      V->getType() == MT || (V->getType()->isIntegerTy() && MT->isIntegerTy()),
      "emit", UF.F, "what is kept has the type that the plan has a place for");
  if (V->getType() != MT)
    V = B.CreateZExtOrTrunc(V, MT);
  if (E.pooled() && S.Where != Storage::Slot && !P.isOnStack(S))
    return storeInPool(B, S, V);
  Value *Where = nullptr;
  IRBuilder<>::InsertPointGuard Guard(B);
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
    retroAssert(Frame && FrameType, "emit", UF.F,
                "a frame is made before something is kept in it");
    // What was found before the record is made waits for it.
    if (P.FrameAfter && isKnownAfter(I, *P.FrameAfter, UF.DT))
      B.SetInsertPoint(FrameDone->getNextNode());
    Where = B.CreateStructGEP(FrameType, Frame, S.Field);
    break;
  case Storage::Indexed: {
    const LoopTape::Field &F = P.fieldOf(S);
    Where = elementAt(B, MT,
                      promised(Arrays, std::pair(S.Loop, S.Field), "emit", UF.F,
                               "an array is made before something is kept in "
                               "it"),
                      indexOf(B, F), Steps[S.Loop][S.Field]);
    break;
  }
  case Storage::Record: {
    Value *Rec = B.CreateLoad(
        B.getPtrTy(), promised(Records, S.Loop, "emit", UF.F,
                               "a record is made before something is kept in "
                               "it"));
    Where = B.CreateStructGEP(RecordTypes[S.Loop], Rec, S.Field + 1);
    break;
  }
  }
  E.markTapeAccess(B.CreateAlignedStore(V, Where, E.tapeAlign(MT)));
}

Value *ForwardSweep::indexOf(IRBuilder<> &B, const LoopTape::Field &F) {
  return nestIndex(
      B, F.Nest,
      [&](const BasicBlock *H) { return primal(UF.loopAt(H).Counter); },
      [&](const BasicBlock *H) { return primal(UF.loopAt(H).Trips); });
}

void ForwardSweep::storeInPool(IRBuilder<> &B, const Storage &S, Value *V) {
  Value *At = nullptr;
  if (S.Where == Storage::Frame) {
    At = E.Memory.field(B, Frame, frameTypes(P), S.Field, Stride);
  } else {
    const LoopTape &Tape = P.tapeOf(S.Loop);
    if (S.Where == Storage::Indexed)
      At = E.Memory.element(B, Arrays[{S.Loop, S.Field}], V->getType(),
                            indexOf(B, Tape.Fields[S.Field]), Stride);
    else
      At = E.Memory.field(B, B.CreateLoad(B.getPtrTy(), Records[S.Loop]),
                          E.recordTypes(Tape), S.Field + 1, Stride);
  }
  E.Memory.store(B, V, At, Stride, EntryPoint,
                 [&](Instruction *I) { E.markTapeAccess(I); });
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
    E.useArena();
    if (Tape.Indexed)
      prepareIndexed(*H, Tape);
    else
      prepareRecords(*H, Tape);
  }
  for (auto &[First, R] : P.Copies) {
    E.useArena();
    copyArray(*First, R);
  }
}

SmallVector<Type *, 8> UnitEmitter::recordTypes(const LoopTape &Tape) {
  SmallVector<Type *, 8> Fields{PointerType::getUnqual(M.getContext())};
  for (const LoopTape::Field &F : Tape.Fields)
    Fields.push_back(memoryType(F.Ty));
  return Fields;
}

/// A record per iteration, each linked to the one before.
void ForwardSweep::prepareRecords(const BasicBlock &H, const LoopTape &Tape) {
  RecordTypes[&H] = StructType::get(T.getContext(), E.recordTypes(Tape));
  IRBuilder<> EB(EntryPoint);
  AllocaInst *Slot = EB.CreateAlloca(EB.getPtrTy(), nullptr, "record");
  Records[&H] = Slot;
  const Loop *L = UF.LI.getLoopFor(&H);
  IRBuilder<> B(cloned(*L->getLoopPreheader()->getTerminator()));
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), Slot);
  auto *HB = cast<BasicBlock>(VM.lookup(&H));
  IRBuilder<> HBuilder(HB, HB->getFirstInsertionPt());
  Value *Rec =
      E.pooled()
          ? E.Memory.take(
                HBuilder, Arena,
                HBuilder.getInt64(E.Memory.layout(E.recordTypes(Tape)).Bytes))
          : E.RT.allocate(
                HBuilder, Arena,
                HBuilder.getInt64(
                    E.M.getDataLayout().getTypeAllocSize(RecordTypes[&H])),
                E.R.ownerText(*H.getTerminator()), !isOn(Toggle::tape_merge));
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
      BasicBlock *XB = clonedBlock(*X);
      IRBuilder<> B(XB, XB->getFirstInsertionPt());
      store({Item::Head, H}, B.CreateLoad(B.getPtrTy(), Records[H]), B);
    }
  }
}

/// What loops carried in the end, where the plan keeps that.
void ForwardSweep::lastValues() {
  for (auto &[I, S] : P.Cached) {
    if (I.K != Item::Last && I.K != Item::LastShadow)
      continue;
    SmallVector<BasicBlock *> Exits;
    UF.LI.getLoopFor(cast<PHINode>(I.V)->getParent())
        ->getUniqueExitBlocks(Exits);
    for (BasicBlock *X : Exits) {
      auto *XB = cast<BasicBlock>(VM.lookup(X));
      IRBuilder<> B(XB, XB->getFirstInsertionPt());
      E.inLane(I.Lane, [&] {
        store(I, I.K == Item::Last ? primal(I.V) : shadow(I.V), B);
      });
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
  E.useArena();
  uint64_t Bytes = tapedBytes(A, E.M.getDataLayout());
  if (auto Piece = Pieces.find(&A); Piece != Pieces.end()) {
    if (Act.shadowed(&A))
      E.forLanes([&] { Shadows[&A] = Piece->second[1 + E.lane()]; });
    C->replaceAllUsesWith(Piece->second[0]);
    VM[&A] = Piece->second[0];
    C->eraseFromParent();
    return;
  }
  auto Allocate = [&](bool Zero) {
    IRBuilder<> B(C);
    uint64_t Wanted = std::max<uint64_t>(A.getAlign().value(), 16);
    Value *M = E.RT.allocate(B, Arena, B.getInt64(Bytes + Wanted - 16),
                             E.R.ownerText(A));
    if (Wanted > 16) {
      Value *Over = B.CreateNeg(B.CreatePtrToInt(M, B.getInt64Ty()));
      M = B.CreatePtrAdd(M, B.CreateAnd(Over, B.getInt64(Wanted - 1)));
    }
    if (Zero)
      B.CreateMemSet(M, B.getInt8(0), Bytes, MaybeAlign(16));
    return M;
  };
  const bool HasImage = Act.hasImage(&A);
  if (Act.shadowed(&A) && !HasImage)
    E.forLanes([&] { Shadows[&A] = Allocate(true); });
  Value *M = Allocate(false);
  if (HasImage)
    E.forLanes([&] {
      IRBuilder<> B(C);
      Shadows[&A] =
          zeroed(B, E.imageOf(B, M, A), B.getInt64(Bytes), MaybeAlign());
    });
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
  E.useArena();
  auto *Call = cast<CallBase>(cloned(C));
  IRBuilder<> B(Call);
  E.RT.deferFree(B, Arena, *Call, Which, primal(Ptr));
  if (Act.shadowed(Ptr))
    E.forLanes(
        [&] { E.RT.deferFree(B, Arena, *Call, Which, freedShadow(B, Ptr)); });
  replaceCloned(C, nullptr);
}

void ForwardSweep::unitCall(CallBase &C, UnitFunction &G) {
  if (P.AtOnce.contains(&C)) // its place, which the reverse sweep fills
    return;
  if (E.Plan->of(G).Combined) // nobody needs what it returns
    return replaceCloned(
        C, C.getType()->isVoidTy() ? nullptr : PoisonValue::get(C.getType()));
  IRBuilder<> B(cloned(C));
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
  E.useArena();
  CallInst *New = B.CreateCall(&E.augmentedOf(G), Args);
  New->setDebugLoc(C.getDebugLoc());
  if (Trace)
    Trace->called(C, *New);
  unsigned Field = 0;
  Value *Result = nullptr;
  if (!C.getType()->isVoidTy()) {
    Result = B.CreateExtractValue(New, Field++);
    if (E.returnsShadow(G))
      E.forLanes([&] {
        Value *S = B.CreateExtractValue(New, Field++);
        if (Act.shadowed(&C))
          Shadows[&C] = S;
      });
  }
  store({Item::Tape, &C}, B.CreateExtractValue(New, Field), B);
  replaceCloned(C, Result);
}

} // namespace retro
