// The tape of loop nests whose iterations have numbers: an array of each value,
// indexed by them. A record for each iteration, which other loops have, would
// cost a pointer and an allocation each time.
#include "emit/tape_arrays.h"

#include "base/toggles.h"
#include "emit/common/forward_sweep.h"
#include "facts/loops/tape_bytes.h"

using namespace llvm;

namespace retro {

IndexedLayout layoutIndexed(IRBuilder<> &B, UnitEmitter &E,
                            const LoopTape &Tape,
                            function_ref<Value *(const BasicBlock *)> Trips) {
  const TapeArrays All = arraysOf(Tape, E.M.getDataLayout(),
                                  [&](Type *T) { return E.tapeBytes(T); });
  SmallVector<Value *> Starts;
  Value *Off = B.getInt64(0);
  for (const TapeArrays::Array &A : All.Arrays) {
    Value *Bytes = B.getInt64(A.Step);
    for (const BasicBlock *H : A.Nest)
      Bytes = B.CreateMul(Bytes, Trips(H));
    Bytes = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(TapeArrayAlign - 1)),
                        B.getInt64(~(TapeArrayAlign - 1)));
    Starts.push_back(Off);
    Off = B.CreateAdd(Off, Bytes);
  }
  IndexedLayout L;
  for (const TapeArrays::Field &F : All.Fields) {
    L.Steps.push_back(All.Arrays[F.Array].Step);
    L.Offsets.push_back(F.Offset
                            ? B.CreateAdd(Starts[F.Array], B.getInt64(F.Offset))
                            : Starts[F.Array]);
  }
  L.Total = Off;
  return L;
}

Value *elementAt(IRBuilder<> &B, Type *T, Value *Array, Value *Index,
                 uint64_t Step) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  if (DL.getTypeAllocSize(T) != Step)
    T = ArrayType::get(B.getInt8Ty(), Step);
  return B.CreateInBoundsGEP(T, Array, Index);
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

/// Memory for the nest, allocated before it.
void ForwardSweep::prepareIndexed(const BasicBlock &H, const LoopTape &Tape) {
  const Loop *L = UF.LI.getLoopFor(&H);
  Instruction *At = cloned(*L->getLoopPreheader()->getTerminator());
  IRBuilder<> B(At);
  auto Trips = [&](const BasicBlock *X) { return primal(UF.loopAt(X).Trips); };
  IndexedLayout Layout = layoutIndexed(B, E, Tape, Trips);
  retroAssert(!Tape.OnStack || isa<ConstantInt>(Layout.Total), "plan", UF.F,
              "what lies on the stack has a length that is known");
  Steps[&H] = Layout.Steps;
  store({Item::Base, &H}, placeArrays(B, H, Tape, Layout), B);
}

bool UnitEmitter::separateArrays() const {
  return !isOn(Toggle::tape_merge) || RT.hasObjects();
}

/// Memory for the arrays; returns what finds it in the reverse pass.
Value *ForwardSweep::placeArrays(IRBuilder<> &B, const BasicBlock &H,
                                 const LoopTape &Tape,
                                 const IndexedLayout &Layout) {
  auto N = static_cast<unsigned>(Tape.Fields.size());
  Value *Base;
  const std::string Whose = E.R.ownerText(*H.getTerminator());
  auto BytesOf = [&](unsigned I) {
    Value *End = I + 1 < N ? Layout.Offsets[I + 1] : Layout.Total;
    return B.CreateSub(End, Layout.Offsets[I]);
  };
  auto Variable = [&](Value *Bytes) {
    Type *T =
        ArrayType::get(B.getInt8Ty(), cast<ConstantInt>(Bytes)->getZExtValue());
    AllocaInst *A =
        IRBuilder<>(EntryPoint).CreateAlloca(T, nullptr, "tape.array");
    A->setAlignment(Align(16));
    return A;
  };
  if (Tape.OnStack && E.separateArrays()) {
    for (unsigned I = 0; I < N; ++I)
      Arrays[{&H, I}] = Variable(BytesOf(I));
    counters().tape_stack += N;
    return ConstantPointerNull::get(B.getPtrTy());
  }
  if (Tape.OnStack) {
    Base = Variable(Layout.Total);
    ++counters().tape_stack;
  } else if (E.pooled()) {
    Base = E.Memory.take(B, Arena, Layout.Total);
    for (unsigned I = 0; I < N; ++I)
      Arrays[{&H, I}] = E.Memory.word(B, Base, Layout.Offsets[I], Stride);
    return Base;
  } else if (E.separateArrays()) {
    // One allocation per value, reached through a table.
    Base = E.RT.allocate(B, Arena, B.getInt64(8 * N), Whose, true);
    for (unsigned I = 0; I < N; ++I) {
      Value *A = E.RT.allocate(B, Arena, BytesOf(I), Whose, true);
      B.CreateStore(A, B.CreateConstGEP1_64(B.getPtrTy(), Base, I));
      Arrays[{&H, I}] = A;
    }
    return Base;
  } else {
    Base = E.RT.allocate(B, Arena, Layout.Total, Whose);
  }
  for (unsigned I = 0; I < N; ++I)
    Arrays[{&H, I}] = B.CreatePtrAdd(Base, Layout.Offsets[I]);
  counters().tape_merge += N - 1;
  return Base;
}

} // namespace retro
