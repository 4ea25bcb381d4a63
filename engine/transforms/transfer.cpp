// Copies and fills of memory. The layout of the memory says which words are
// numbers, whose adjoints or tangents move, and which are pointers, whose
// shadows move; all other words are left alone.
#include "transforms/emit.h"
#include "transforms/memory_adjoint.h"

#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace retro {
namespace {

/// Words of one type behind each other.
struct Run {
  int64_t Offset;
  Type *T;
  int64_t Repeat = 1;
};

/// What a transfer moves: runs, and again after each period.
struct Layout {
  int64_t Period = 0; ///< 0: the runs are all there is
  SmallVector<Run> Numbers, Pointers;
};

/// So many words of one type are moved without a loop.
constexpr int64_t MostUnrolled = 16;
/// Unindexed memory is looked at word by word up to this size.
constexpr int64_t LargestObject = 65536;

class LayoutFinder {
public:
  LayoutFinder(ActivityAnalysis &Act, const Value *Ptr, int64_t Bytes)
      : Shape(Act.shape()), Ptr(Ptr), Bytes(Bytes),
        DL(Act.unit().M.getDataLayout()) {}
  std::optional<Layout> find();

private:
  bool words(int64_t Size);
  Type *onlyNumber();
  void push(SmallVectorImpl<Run> &Runs, int64_t Offset, Type *T);

  MemoryShape &Shape;
  const Value *Ptr;
  int64_t Bytes; ///< negative: not constant
  const DataLayout &DL;
  Layout Out;
};

void LayoutFinder::push(SmallVectorImpl<Run> &Runs, int64_t Offset, Type *T) {
  int64_t Size = static_cast<int64_t>(DL.getTypeStoreSize(T).getFixedValue());
  if (!Runs.empty() && Runs.back().T == T &&
      Runs.back().Offset + Runs.back().Repeat * Size == Offset)
    ++Runs.back().Repeat;
  else
    Runs.push_back({Offset, T});
}

/// The words of the first Size bytes; false if the layout is not known.
bool LayoutFinder::words(int64_t Size) {
  if (Size > LargestObject)
    return false;
  for (int64_t Off = 0; Off < Size;) {
    const Cell *X;
    if (!(Out.Period ? Shape.layoutOfPeriod(Ptr, Off, X)
                     : Shape.layoutAt(Ptr, Off, X)))
      return false;
    if (X && Out.Period && Off + X->Size > Size)
      return false;
    if (X && Off + X->Size <= Size) {
      if (X->Kind == CellKind::Float)
        push(Out.Numbers, Off, X->FloatTy);
      else if (X->Kind == CellKind::Pointer)
        push(Out.Pointers, Off, PointerType::getUnqual(Ptr->getContext()));
    }
    Off += X ? X->Size : 1;
  }
  return true;
}

/// The type of all cells, if they are numbers of one type at its multiples.
Type *LayoutFinder::onlyNumber() {
  Type *F = nullptr;
  int64_t Start = Shape.addressOf(Ptr).Offset;
  for (const Cell *X : Shape.cellsIn(Ptr, Bytes)) {
    if (X->Kind == CellKind::Int)
      continue;
    if (X->Kind != CellKind::Float || (F && F != X->FloatTy) ||
        (X->Offset - Start) % X->Size != 0)
      return nullptr;
    F = X->FloatTy;
  }
  return F;
}

std::optional<Layout> LayoutFinder::find() {
  const MemoryClass &C = Shape.classOf(Ptr);
  bool Ok;
  if (Bytes >= 0 && (Bytes <= 64 || C.Stride == 0)) {
    Ok = words(Bytes);
  } else if (C.Stride != 0) {
    Out.Period = C.Stride;
    Ok = words(C.Stride);
  } else {
    Ok = false;
  }
  // A layout without the numbers that are known to be here is none.
  bool Active = any_of(Shape.cellsIn(Ptr, Bytes), [](const Cell *X) {
    return X->Kind == CellKind::Float && X->active();
  });
  if (Ok && (!Active || !Out.Numbers.empty()))
    return Out;
  Type *F = onlyNumber();
  if (!F)
    return std::nullopt;
  Out = Layout();
  Out.Period = static_cast<int64_t>(DL.getTypeStoreSize(F).getFixedValue());
  Out.Numbers.push_back({0, F});
  return Out;
}

/// Where a word lies: at an offset, or an element of an array at one.
struct Place {
  Type *T;
  Value *Offset;
  Value *Index = nullptr;

  Value *in(IRBuilder<> &B, Value *Base) const {
    auto *Zero = dyn_cast<ConstantInt>(Offset);
    Value *P = Zero && Zero->isZero() ? Base : B.CreatePtrAdd(Base, Offset);
    return Index ? B.CreateGEP(T, P, Index) : P;
  }
};

/// Is the memory an array of these words and nothing else?
bool isArray(const Layout &L, ArrayRef<Run> Runs, const DataLayout &DL) {
  return L.Period != 0 && Runs.size() == 1 &&
         Runs[0].Repeat * static_cast<int64_t>(
                              DL.getTypeStoreSize(Runs[0].T).getFixedValue()) ==
             L.Period;
}

/// Emits Body for each word of the runs that lies in the first Bytes bytes.
void forEachWord(IRBuilder<> &B, const Layout &L, ArrayRef<Run> Runs,
                 Value *Bytes, function_ref<void(const Place &)> Body) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  auto I64 = [&](int64_t N) { return B.getInt64(static_cast<uint64_t>(N)); };
  for (const Run &R : Runs) {
    int64_t Size =
        static_cast<int64_t>(DL.getTypeStoreSize(R.T).getFixedValue());
    auto Inner = [&](Value *Start, Value *Count) {
      emitLoop(B, Count, [&](Value *I) { Body({R.T, Start, I}); });
    };
    if (L.Period == 0) {
      if (R.Repeat > MostUnrolled)
        Inner(I64(R.Offset), I64(R.Repeat));
      else
        for (int64_t I = 0; I < R.Repeat; ++I)
          Body({R.T, I64(R.Offset + I * Size)});
      continue;
    }
    if (isArray(L, Runs, DL)) {
      Inner(I64(0), B.CreateUDiv(Bytes, I64(Size)));
      continue;
    }
    // The number of periods in which the run begins and has its first word.
    Value *Last = B.CreateSub(Bytes, I64(R.Offset + Size));
    Value *Count =
        B.CreateSelect(B.CreateICmpSLT(Last, I64(0)), I64(0),
                       B.CreateAdd(B.CreateUDiv(Last, I64(L.Period)), I64(1)));
    emitLoop(B, Count, [&](Value *I) {
      Value *Start = B.CreateAdd(B.CreateMul(I, I64(L.Period)), I64(R.Offset));
      if (R.Repeat == 1)
        return Body({R.T, Start});
      Value *Left = B.CreateUDiv(B.CreateSub(Bytes, Start), I64(Size));
      Inner(Start,
            B.CreateBinaryIntrinsic(Intrinsic::umin, Left, I64(R.Repeat)));
    });
  }
}

FunctionCallee mallocOf(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("malloc", PointerType::getUnqual(C),
                               Type::getInt64Ty(C));
}

FunctionCallee freeOf(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("free", Type::getVoidTy(C),
                               PointerType::getUnqual(C));
}

Value *operand(const CallBase &C, int N) {
  return C.getArgOperand(static_cast<unsigned>(N));
}

/// Can a caller see what is written here? Of a local object none can, though
/// memory from outside may be like it in all else.
bool isVisibleOutside(MemoryShape &Shape, const Value *Ptr) {
  const Value *Object = getUnderlyingObject(Ptr);
  auto *C = dyn_cast<CallBase>(Object);
  if (isa<AllocaInst>(Object) || (C && knownCall(*C).isAllocation()))
    return false;
  return Shape.classOf(Ptr).Origins & FromDup;
}

/// What is moved begins inside of a number, or is aligned for narrower ones:
/// this part of the memory is no part of the array that is indexed around it,
/// and nothing is known of it.
bool besideNumbers(ActivityAnalysis &Act, const Value *Ptr, const Layout &L,
                   uint64_t Aligned) {
  MemoryShape &Shape = Act.shape();
  const int64_t Stride = Shape.classOf(Ptr).Stride;
  if (Stride == 0)
    return false;
  // Of bytes no alignment is known, which says nothing.
  const DataLayout &DL = Act.unit().M.getDataLayout();
  if (Aligned > 1 && any_of(L.Numbers, [&](const Run &R) {
        return DL.getABITypeAlign(R.T).value() > Aligned;
      }))
    return true;
  const Cell *First;
  if (!Shape.layoutAt(Ptr, 0, First) || First)
    return false;
  const int64_t At = ((Shape.addressOf(Ptr).Offset % Stride) + Stride) % Stride;
  return any_of(Shape.cellsOverlapping(Ptr, Type::getInt8Ty(Ptr->getContext())),
                [&](const Cell *X) {
                  return X->Kind == CellKind::Float && X->active() &&
                         X->Offset != At && Stride % X->Size == 0;
                });
}

} // namespace

/// Adjoint of a copy: the destination's adjoint moves to the source's.
void ReverseSweep::copyAdjoint(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A), *Src = operand(C, K.Row->B);
  int64_t N = MemoryShape::constantSize(operand(C, K.Row->C));
  auto L = LayoutFinder(Act, Dst, N).find();
  const uint64_t Aligned =
      std::min(C.getParamAlign(0).valueOrOne(), C.getParamAlign(1).valueOrOne())
          .value();
  if (!L || besideNumbers(Act, Dst, *L, Aligned) ||
      besideNumbers(Act, Src, *L, Aligned))
    return E.R.error(Diag::UnknownType, &C);
  Value *SD = shadow(Dst);
  Value *SS = Act.shadowed(Src) ? shadow(Src) : nullptr;
  Value *Bytes =
      B.CreateZExtOrTrunc(primal(operand(C, K.Row->C)), B.getInt64Ty());
  ActivityGuard To = guard(Dst), From = guard(SS ? Src : Dst);
  Bytes = To.value(Bytes);
  auto Take = [&](const Place &W) {
    Value *P = To.place(W.in(B, SD), W.T, Align(1), EntryPoint);
    return To.value(takeFromMemory(B, P, W.T, Align(1)));
  };
  auto Add = [&](const Place &W, Value *G) {
    if (SS)
      addToMemory(B, From.place(W.in(B, SS), W.T, Align(1), EntryPoint), G,
                  Align(1), adding(C));
  };
  // All of the destination is read before any of the source is written: the
  // two may overlap.
  if (L->Period == 0 && all_of(L->Numbers, [](const Run &R) {
        return R.Repeat <= MostUnrolled;
      })) {
    SmallVector<std::pair<Place, Value *>> Words;
    forEachWord(B, *L, L->Numbers, Bytes,
                [&](const Place &W) { Words.push_back({W, Take(W)}); });
    for (auto &[W, G] : Words)
      Add(W, G);
    return;
  }
  if (K.Kind != KnownKind::Move || !SS)
    return forEachWord(B, *L, L->Numbers, Bytes, [&](const Place &W) {
      Value *G = Take(W);
      Add(W, G);
    });
  Value *Tmp = B.CreateCall(mallocOf(E.M), Bytes);
  if (isArray(*L, L->Numbers, E.M.getDataLayout())) {
    B.CreateMemCpy(Tmp, MaybeAlign(), SD, MaybeAlign(), Bytes);
    B.CreateMemSet(SD, B.getInt8(0), Bytes, MaybeAlign());
  } else {
    forEachWord(B, *L, L->Numbers, Bytes, [&](const Place &W) {
      Value *G = Take(W);
      B.CreateAlignedStore(G, W.in(B, Tmp), Align(1));
    });
  }
  forEachWord(B, *L, L->Numbers, Bytes, [&](const Place &W) {
    Add(W, B.CreateAlignedLoad(W.T, W.in(B, Tmp), Align(1)));
  });
  B.CreateCall(freeOf(E.M), Tmp);
}

/// Memory that is overwritten by constants has no adjoint from here on.
void ReverseSweep::setMemoryAdjoint(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A);
  MemoryShape &Shape = Act.shape();
  int64_t N = MemoryShape::constantSize(operand(C, K.Row->C));
  bool Pointers = any_of(Shape.cellsIn(Dst, N),
                         [](Cell *X) { return X->Kind == CellKind::Pointer; });
  Value *Bytes =
      B.CreateZExtOrTrunc(primal(operand(C, K.Row->C)), B.getInt64Ty());
  // Shadow pointers are not read before this place in the reverse pass: loads
  // of what is overwritten here are not repeated. A caller could see them.
  if (!Pointers || !isVisibleOutside(Shape, Dst)) {
    B.CreateMemSet(shadow(Dst), B.getInt8(0), guard(Dst).value(Bytes),
                   MaybeAlign());
    return;
  }
  auto L = LayoutFinder(Act, Dst, N).find();
  if (!L)
    return E.R.error(Diag::UnknownType, &C);
  Value *SD = shadow(Dst);
  forEachWord(B, *L, L->Numbers, guard(Dst).value(Bytes), [&](const Place &W) {
    takeFromMemory(B, W.in(B, SD), W.T, Align(1));
  });
}

/// Pointers that a copy moves are moved in the shadow too; numbers are the
/// business of the reverse pass, or of the tangent.
void ShadowEmitter::copyPointers(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A), *Src = operand(C, K.Row->B);
  if (!Act.shadowed(Dst) || !Act.shadowed(Src))
    return;
  MemoryShape &Shape = Act.shape();
  int64_t N = MemoryShape::constantSize(operand(C, K.Row->C));
  bool Pointers = false, Floats = false;
  for (Cell *X : Shape.cellsIn(Dst, N)) {
    Pointers |= X->Kind == CellKind::Pointer &&
                Shape.classAt(Shape.targetOf(*X)).Shadowed;
    Floats |= X->Kind == CellKind::Float && X->active();
  }
  bool Forward = Act.unit().DerivMode == Mode::Forward;
  if (!Pointers && !(Forward && Floats))
    return;
  IRBuilder<> B = after(C);
  Value *SD = shadow(Dst), *SS = shadow(Src);
  ActivityGuard To = guard(B, Dst), From = guard(B, Src);
  Value *Bytes = To.value(primal(operand(C, K.Row->C)));
  if (Forward || !Floats) {
    if (From.inactive() && Floats) {
      // What is copied from constant memory has no tangent.
      if (Pointers)
        return E.R.error(Diag::UnknownType, &C);
      B.CreateMemSet(SD, B.getInt8(0), Bytes, MaybeAlign());
      Bytes = From.value(Bytes);
    }
    if (K.Kind == KnownKind::Move)
      B.CreateMemMove(SD, MaybeAlign(), SS, MaybeAlign(), Bytes);
    else
      B.CreateMemCpy(SD, MaybeAlign(), SS, MaybeAlign(), Bytes);
    return;
  }
  auto L = LayoutFinder(Act, Dst, N).find();
  if (!L)
    return E.R.error(Diag::UnknownType, &C);
  Bytes = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  Value *Read = SS;
  if (K.Kind == KnownKind::Move) {
    Read = B.CreateCall(mallocOf(E.M), Bytes);
    B.CreateMemCpy(Read, MaybeAlign(), SS, MaybeAlign(), Bytes);
  }
  forEachWord(B, *L, L->Pointers, Bytes, [&](const Place &W) {
    Value *V = B.CreateAlignedLoad(W.T, W.in(B, Read), Align(1));
    B.CreateAlignedStore(V, W.in(B, SD), Align(1));
  });
  if (Read != SS)
    B.CreateCall(freeOf(E.M), Read);
}

void ShadowEmitter::clearPointers(CallBase &C) {
  KnownCall K = knownCall(C);
  Value *Dst = operand(C, K.Row->A), *Bytes = operand(C, K.Row->C);
  if (!Act.shadowed(Dst))
    return;
  MemoryShape &Shape = Act.shape();
  int64_t N = MemoryShape::constantSize(Bytes);
  bool Forward = Act.unit().DerivMode == Mode::Forward;
  IRBuilder<> B = after(C);
  bool Floats = false, Pointers = false;
  for (Cell *X : Shape.cellsIn(Dst, N)) {
    Pointers |= X->Kind == CellKind::Pointer;
    Floats |= X->Kind == CellKind::Float && X->active();
  }
  if (Forward || (Pointers && !Floats) ||
      (Pointers && !isVisibleOutside(Shape, Dst))) {
    zeroed(B, shadow(Dst), guard(B, Dst).value(primal(Bytes)), MaybeAlign());
    return;
  }
  if (!Pointers)
    return;
  auto L = LayoutFinder(Act, Dst, N).find();
  if (!L)
    return E.R.error(Diag::UnknownType, &C);
  Value *SD = shadow(Dst);
  Value *Whole =
      guard(B, Dst).value(B.CreateZExtOrTrunc(primal(Bytes), B.getInt64Ty()));
  forEachWord(B, *L, L->Pointers, Whole, [&](const Place &W) {
    B.CreateAlignedStore(Constant::getNullValue(W.T), W.in(B, SD), Align(1));
  });
}

} // namespace retro
