// Emits calls of BLAS and LAPACK in whatever interface the program uses, and
// loops over matrices in the order in which they lie in memory. Layout, kinds
// of integers and flags end here: no formula of a derivative knows of them.
// Without it each formula would have to be written for each interface.
#include "emit/calls/blas_ops.h"

#include "front/names/foreign.h"
#include "ir/emit_loop.h"
#include "ir/heap.h"
#include "prepare/calls/blas_interface.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {

using S = BlasSlot;

BlasSlot stepOf(BlasSlot Array) {
  switch (Array) {
  case S::A:
    return S::LdA;
  case S::B:
    return S::LdB;
  case S::C:
    return S::LdC;
  case S::X:
    return S::IncX;
  case S::Y:
    return S::IncY;
  default:
    return S::None;
  }
}

static bool isFlag(BlasSlot Slot) {
  return Slot <= S::Uplo || Slot == S::TransA || Slot == S::TransB ||
         Slot == S::Diag;
}

BlasOps::BlasOps(IRBuilder<> &Builder, const CallBase &C,
                 function_ref<Value *(const Value *)> Values)
    : IR(Builder), Call(C) {
  T = Call.number();
  IT = cast<IntegerType>(Call.interface().integer(C.getContext()));
  Lengths = hiddenLengths(*C.getCalledFunction());
  Square = routine().Id == BlasId::Dot &&
           Call.operand(S::X) == Call.operand(S::Y) &&
           Call.operand(S::IncX) == Call.operand(S::IncY);
  auto Slots = Call.interface().operands(routine());
  for (unsigned N = 0; N < Slots.size(); ++N) {
    Value *V = Values(C.getArgOperand(N));
    OfSlot[static_cast<unsigned>(Slots[N])] =
        isFlag(Slots[N]) ? decode(Slots[N], V) : V;
  }
  RowMajor = operand(S::Layout) ? operand(S::Layout) : no();
}

/// Flags of the interface as truth values.
Value *BlasOps::decode(BlasSlot Slot, Value *V) {
  const BlasFlag &F = blasFlag(Slot);
  bool Trans = Slot == S::TransA || Slot == S::TransB;
  auto Is = [&](unsigned N) {
    return IR.CreateICmpEQ(V, ConstantInt::get(V->getType(), N));
  };
  if (!V->getType()->isIntegerTy(8)) {
    // The transposed conjugate comes behind the transposed matrix.
    unsigned If = F.numberIf(Call.interface());
    return Trans ? IR.CreateOr(Is(If), Is(If + 1)) : Is(If);
  }
  auto Letter = [&](char L) {
    return IR.CreateOr(Is(static_cast<unsigned>(L)),
                       Is(static_cast<unsigned>(L) | 32u));
  };
  return Trans ? IR.CreateOr(Letter(F.If), Letter('C')) : Letter(F.If);
}

Value *BlasOps::encode(BlasSlot Slot, Value *V, bool Letter) {
  const BlasFlag &F = blasFlag(Slot);
  if (Letter)
    return choose(V, IR.getInt8(static_cast<uint8_t>(F.If)),
                  IR.getInt8(static_cast<uint8_t>(F.Else)));
  const BlasInterface &I = Call.interface();
  return choose(V, IR.getInt32(F.numberIf(I)), IR.getInt32(F.numberElse(I)));
}

Value *BlasOps::call(BlasId Id, ArrayRef<BlasArg> Given) {
  const BlasRoutine &R = blasRoutine(Id);
  const BlasInterface &I = Call.interface();
  bool Letters =
      I.Style == BlasInterface::Fortran || R.Library == BlasRoutine::Lapack;
  auto Find = [&](BlasSlot Slot) -> Value * {
    for (const BlasArg &X : Given) {
      if (X.Slot == Slot)
        return X.V;
      if (stepOf(X.Slot) == Slot && Slot != S::None)
        return X.Step;
    }
    return nullptr;
  };
  SmallVector<Value *, 14> Args;
  for (BlasSlot Slot : I.operands(R)) {
    if (Slot == S::Layout)
      Args.push_back(encode(Slot, RowMajor, false));
    else if (Slot == S::Handle)
      Args.push_back(operand(Slot));
    else if (isFlag(Slot))
      Args.push_back(encode(Slot, Find(Slot), Letters));
    else
      Args.push_back(Find(Slot));
  }
  Module &M = *IR.GetInsertBlock()->getModule();
  return IR.CreateCall(blasFunctionOf(M, I, R, Lengths), Args);
}

BlasView BlasOps::choose(Value *If, BlasView X, BlasView Y) {
  return {choose(If, X.P, Y.P), choose(If, X.Step, Y.Step)};
}

BlasView BlasOps::array(BlasSlot Slot) const {
  return {operand(Slot),
          stepOf(Slot) == S::None ? nullptr : operand(stepOf(Slot))};
}

Value *BlasOps::count(Value *Size) {
  Value *N = IR.CreateSExt(Size, IR.getInt64Ty());
  return IR.CreateBinaryIntrinsic(Intrinsic::smax, N, IR.getInt64(0));
}

//===----------------------------------------------------------------------===//
// Elements

Value *BlasOps::at(BlasView M, Value *Row, Value *Col) {
  Value *Step = IR.CreateSExt(M.Step, IR.getInt64Ty());
  Value *Outer = choose(RowMajor, Row, Col),
        *Inner = choose(RowMajor, Col, Row);
  return IR.CreateGEP(T, M.P, IR.CreateAdd(IR.CreateMul(Outer, Step), Inner));
}

Value *BlasOps::element(BlasView V, Value *N, Value *I) {
  Value *Step = IR.CreateSExt(V.Step, IR.getInt64Ty());
  Value *Back = IR.CreateMul(IR.CreateSub(IR.getInt64(1), count(N)), Step);
  Value *First =
      choose(IR.CreateICmpSLT(Step, IR.getInt64(0)), Back, IR.getInt64(0));
  return IR.CreateGEP(T, V.P, IR.CreateAdd(First, IR.CreateMul(I, Step)));
}

void BlasOps::forEach(Value *Rows, Value *Cols, Element Body) {
  Value *R = count(Rows), *C = count(Cols);
  emitLoop(IR, choose(RowMajor, R, C), [&](Value *Outer) {
    emitLoop(IR, choose(RowMajor, C, R), [&](Value *Inner) {
      Body(choose(RowMajor, Outer, Inner), choose(RowMajor, Inner, Outer));
    });
  });
}

void BlasOps::forTriangle(Value *N, Value *Lower, Value *Unit, Element Body) {
  Value *Size = count(N);
  // Do the elements of the triangle come before the diagonal in memory order?
  Value *Before = IR.CreateICmpEQ(Lower, RowMajor);
  Value *Skip = IR.CreateZExt(Unit, IR.getInt64Ty());
  emitLoop(IR, Size, [&](Value *Outer) {
    Value *Next = IR.CreateAdd(Outer, IR.getInt64(1));
    Value *First = choose(Before, IR.getInt64(0), IR.CreateAdd(Outer, Skip));
    Value *End = choose(Before, IR.CreateSub(Next, Skip), Size);
    emitLoop(IR, IR.CreateSub(End, First), [&](Value *K) {
      Value *Inner = IR.CreateAdd(First, K);
      Body(choose(RowMajor, Outer, Inner), choose(RowMajor, Inner, Outer));
    });
  });
}

void BlasOps::forDiagonal(Value *N, function_ref<void(Value *)> Body) {
  emitLoop(IR, count(N), Body);
}

Value *BlasOps::sum(function_ref<void(function_ref<void(Value *)>)> Loop) {
  BasicBlock &Entry = IR.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> EB(&Entry, Entry.begin());
  AllocaInst *Sum = EB.CreateAlloca(T, nullptr, "sum");
  store(constant(0), Sum);
  Loop([&](Value *V) { add(Sum, V); });
  return load(Sum);
}

namespace {

/// V times Factor, where 0 leaves nothing, not even of an infinity.
Value *scaled(IRBuilder<> &IR, Value *V, Value *Factor) {
  Value *Zero = ConstantFP::get(V->getType(), 0);
  return IR.CreateSelect(IR.CreateFCmpOEQ(Factor, Zero), Zero,
                         IR.CreateFMul(V, Factor));
}

bool isOne(Value *V) {
  auto *C = dyn_cast<ConstantFP>(V);
  return C && C->isExactlyValue(1.0);
}

} // namespace

void BlasOps::scaleVector(Value *Factor, Value *N, BlasView V) {
  if (isOne(Factor))
    return;
  if (onDevice())
    return scaleOnDevice(Factor, linesOf(N, V), [&] {
      call(BlasId::Scal, {{S::N, N}, {S::Alpha, Factor}, {S::X, V}});
    });
  emitLoop(IR, count(N), [&](Value *I) {
    Value *P = element(V, N, I);
    store(scaled(IR, load(P), Factor), P);
  });
}

void BlasOps::scaleMatrix(Value *Factor, Value *Rows, Value *Cols, BlasView M) {
  if (isOne(Factor))
    return;
  if (onDevice())
    return scaleOnDevice(Factor, linesOf(Rows, Cols, M), [&] {
      emitLoop(IR, count(Cols), [&](Value *I) {
        call(BlasId::Scal,
             {{S::N, Rows}, {S::Alpha, Factor}, {S::X, column(M, I)}});
      });
    });
  forEach(Rows, Cols, [&](Value *R, Value *C) {
    Value *P = at(M, R, C);
    store(scaled(IR, load(P), Factor), P);
  });
}

void BlasOps::scaleTriangle(Value *Factor, Value *N, Value *Lower, BlasView M) {
  if (isOne(Factor))
    return;
  if (onDevice())
    return forColumns(N, Lower, no(), [&](Value *Length, Value *R, Value *C) {
      scaleVector(Factor, Length, {at(M, R, C), size(1)});
    });
  forTriangle(N, Lower, no(), [&](Value *R, Value *C) {
    Value *P = at(M, R, C);
    store(scaled(IR, load(P), Factor), P);
  });
}

BlasView BlasOps::row(BlasView M, Value *I) {
  return {at(M, I, IR.getInt64(0)), choose(RowMajor, size(1), M.Step)};
}

BlasView BlasOps::column(BlasView M, Value *I) {
  return {at(M, IR.getInt64(0), I), choose(RowMajor, M.Step, size(1))};
}

//===----------------------------------------------------------------------===//
// Memory

uint64_t BlasOps::elementSize(const BlasArray &X) const {
  const DataLayout &DL = IR.GetInsertBlock()->getDataLayout();
  return DL.getTypeStoreSize(Call.elementType(X)).getFixedValue();
}

Value *BlasOps::bytes(Value *Count) {
  const DataLayout &DL = IR.GetInsertBlock()->getDataLayout();
  return IR.CreateMul(Count,
                      IR.getInt64(DL.getTypeStoreSize(T).getFixedValue()));
}

Value *BlasOps::allocate(Value *Bytes, bool Zero) {
  Value *P =
      Zero ? callForeign(IR, Foreign::calloc, {Bytes, IR.getInt64(1)})
           : IR.CreateCall(mallocOf(*IR.GetInsertBlock()->getModule()), Bytes);
  Temporaries.push_back(P);
  return P;
}

BlasView BlasOps::newVector(Value *N) {
  Value *Bytes = bytes(count(N));
  return {onDevice() ? newOnDevice(Bytes) : allocate(Bytes, false), size(1)};
}

BlasView BlasOps::newMatrix(Value *Rows, Value *Cols) {
  Value *Bytes = bytes(IR.CreateMul(count(Rows), count(Cols)));
  Value *P = onDevice() ? newOnDevice(Bytes) : allocate(Bytes, false);
  // A step is at least 1.
  Value *Step = choose(RowMajor, Cols, Rows);
  return {P, IR.CreateBinaryIntrinsic(Intrinsic::smax, Step, size(1))};
}

void BlasOps::copyMatrix(Value *Rows, Value *Cols, BlasView From, BlasView To) {
  Value *R = count(Rows), *C = count(Cols);
  Value *Bytes = bytes(choose(RowMajor, C, R));
  if (onDevice())
    return copyLines(linesOf(Rows, Cols, From), linesOf(Rows, Cols, To));
  emitLoop(IR, choose(RowMajor, R, C), [&](Value *I) {
    auto Line = [&](BlasView M) {
      Value *Step = IR.CreateSExt(M.Step, IR.getInt64Ty());
      return IR.CreateGEP(T, M.P, IR.CreateMul(I, Step));
    };
    IR.CreateMemCpy(Line(To), MaybeAlign(), Line(From), MaybeAlign(), Bytes);
  });
}

void BlasOps::finish() {
  Module &M = *IR.GetInsertBlock()->getModule();
  for (Value *P : Temporaries)
    IR.CreateCall(freeOf(M), P);
  Temporaries.clear();
  for (Value *P : OnDevice)
    callArrays("drop", P);
  OnDevice.clear();
}

/// Rows and columns as they are stored; a vector is one column.
std::pair<Value *, Value *> BlasOps::extent(const BlasArray &X) {
  Value *R = count(operand(X.Rows)), *C = count(operand(X.Cols));
  Value *Flag = X.Flag == S::None ? no() : operand(X.Flag);
  switch (X.Form) {
  case BlasArray::Vector:
    return {choose(Flag, C, R), IR.getInt64(1)};
  case BlasArray::PivotVector:
    return {IR.CreateBinaryIntrinsic(Intrinsic::smin, R, C), IR.getInt64(1)};
  case BlasArray::Matrix:
    return {choose(Flag, C, R), choose(Flag, R, C)};
  case BlasArray::Triangle:
  case BlasArray::Full: {
    Value *N = choose(Flag, C, R);
    return {N, N};
  }
  }
  return {R, C};
}

BlasView BlasOps::newShadow(const BlasArray &X, Value *If) {
  auto [R, C] = extent(X);
  Value *Step = IR.CreateSExt(array(X.Slot).Step, IR.getInt64Ty());
  if (X.Form == BlasArray::Vector) {
    Step = IR.CreateBinaryIntrinsic(Intrinsic::abs, Step, IR.getFalse());
    C = R;
  } else {
    C = choose(RowMajor, R, C);
  }
  Value *Count = IR.CreateAdd(IR.CreateMul(C, Step), IR.getInt64(1));
  Value *Bytes = choose(If, bytes(Count), IR.getInt64(1));
  return {onDevice() ? newOnDevice(Bytes, true) : allocate(Bytes, true),
          array(X.Slot).Step};
}

//===----------------------------------------------------------------------===//
// Copies that the plan keeps

Value *BlasOps::keptOffset(const FunctionPlan::KeptArrays &Kept, unsigned Array,
                           bool After) {
  Value *Offset = IR.getInt64(0);
  for (unsigned N = 0; N < routine().Arrays.size(); ++N)
    for (bool Side : {false, true}) {
      if (N == Array && Side == After)
        return Offset;
      if (!(((Side ? Kept.After : Kept.Before) >> N) & 1))
        continue;
      const BlasArray &X = routine().Arrays[N];
      auto [R, C] = extent(X);
      Value *Bytes =
          IR.CreateMul(IR.CreateMul(R, C), IR.getInt64(elementSize(X)));
      Bytes = IR.CreateAnd(IR.CreateAdd(Bytes, IR.getInt64(15)),
                           IR.getInt64(~uint64_t(15)));
      Offset = IR.CreateAdd(Offset, Bytes);
    }
  return Offset;
}

Value *BlasOps::keptBytes(const FunctionPlan::KeptArrays &Kept) {
  return keptOffset(Kept, static_cast<unsigned>(routine().Arrays.size()),
                    false);
}

BlasView BlasOps::keptPlace(const FunctionPlan::KeptArrays &Kept,
                            unsigned Array, bool After, Value *Buffer) {
  const BlasArray &X = routine().Arrays[Array];
  Value *P = IR.CreatePtrAdd(Buffer, keptOffset(Kept, Array, After));
  if (X.Form == BlasArray::PivotVector)
    return {P, nullptr};
  if (X.Form == BlasArray::Vector) {
    // A copy on a device has the order that memory has.
    Value *Back = IR.CreateICmpSLT(array(X.Slot).Step, size(0));
    return {P, onDevice() ? choose(Back, size(-1), size(1)) : size(1)};
  }
  auto [R, C] = extent(X);
  Value *Step = narrow(choose(RowMajor, C, R));
  return {P, IR.CreateBinaryIntrinsic(Intrinsic::smax, Step, size(1))};
}

BlasView BlasOps::kept(const FunctionPlan::KeptArrays &Kept, unsigned Array,
                       bool After, Value *Buffer) {
  BlasView Place = keptPlace(Kept, Array, After, Buffer);
  if (!onDevice())
    return Place;
  // The tape is the host's.
  const BlasArray &X = routine().Arrays[Array];
  auto [R, C] = extent(X);
  Value *Rows = narrow(R), *Cols = narrow(C);
  BlasView Copy =
      X.Form == BlasArray::Vector ? newVector(Rows) : newMatrix(Rows, Cols);
  if (X.Form == BlasArray::Vector) {
    Copy.Step = Place.Step;
    copyLines(linesOf(Rows, Place), linesOf(Rows, Copy));
  } else {
    copyMatrix(Rows, Cols, Place, Copy);
  }
  return Copy;
}

void BlasOps::keep(const FunctionPlan::KeptArrays &Kept, bool After,
                   Value *Buffer) {
  for (unsigned N = 0; N < routine().Arrays.size(); ++N) {
    if (!(((After ? Kept.After : Kept.Before) >> N) & 1))
      continue;
    const BlasArray &A = routine().Arrays[N];
    BlasView To = keptPlace(Kept, N, After, Buffer), From = array(A.Slot);
    auto [R, C] = extent(A);
    if (A.Form == BlasArray::PivotVector)
      IR.CreateMemCpy(To.P, MaybeAlign(), From.P, MaybeAlign(),
                      IR.CreateMul(R, IR.getInt64(elementSize(A))));
    else if (A.Form == BlasArray::Vector && onDevice())
      copyLines(linesOf(narrow(R), From), linesOf(narrow(R), To));
    else if (A.Form == BlasArray::Vector)
      call(BlasId::Copy, {{S::N, narrow(R)}, {S::X, From}, {S::Y, To}});
    else
      copyMatrix(narrow(R), narrow(C), From, To);
  }
}

} // namespace retro
