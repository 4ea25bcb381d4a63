// Input: calls of BLAS and LAPACK by the interfaces of C and Fortran. Output:
// calls of canonical functions, with each scalar as an operand by value and
// each flag as a number; and, in emitted functions, calls of the library again.
// Rules and emission know the canonical form alone.
#include "prepare/calls/blas_interface.h"

#include "ir/emit_loop.h"
#include "prepare/calls/library_calls.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

using enum BlasSlot;

constexpr StringLiteral LengthAttribute = "retro-lengths";

enum class SlotKind { Flag, Integer, Number, Address };

SlotKind kindOf(BlasSlot S) {
  switch (S) {
  case Layout:
  case Side:
  case Uplo:
  case TransA:
  case TransB:
  case Diag:
    return SlotKind::Flag;
  case Alpha:
  case Beta:
    return SlotKind::Number;
  case A:
  case B:
  case BlasSlot::C:
  case X:
  case Y:
  case Pivots:
    return SlotKind::Address;
  default:
    return SlotKind::Integer;
  }
}

/// The type of an operand that is passed by value.
Type *valueType(BlasSlot S, const BlasInterface &I, const BlasRoutine &R,
                LLVMContext &Ctx) {
  switch (kindOf(S)) {
  case SlotKind::Flag: {
    bool Letter = I.Style == BlasInterface::Fortran ||
                  (R.Library == BlasRoutine::Lapack && S != Layout);
    return Type::getIntNTy(Ctx, Letter ? 8 : 32);
  }
  case SlotKind::Integer:
    return I.integer(Ctx);
  case SlotKind::Number:
    return I.number(Ctx);
  case SlotKind::Address:
    return PointerType::getUnqual(Ctx);
  }
  return nullptr;
}

Type *resultType(const BlasInterface &I, const BlasRoutine &R,
                 LLVMContext &Ctx) {
  switch (R.Result) {
  case BlasRoutine::Nothing:
    return Type::getVoidTy(Ctx);
  case BlasRoutine::Number:
    return I.number(Ctx);
  case BlasRoutine::Info:
    return I.integer(Ctx);
  }
  return nullptr;
}

/// The call's operands by value; empty if the call is not as the library
/// declares the function.
SmallVector<Value *, 14> operandsByValue(IRBuilder<> &B, CallBase &Call,
                                         const BlasFunction &F,
                                         Type *&Lengths) {
  const BlasInterface &I = F.Interface;
  const BlasRoutine &R = *F.Routine;
  auto Slots = I.operands(R);
  bool Fortran = I.Style == BlasInterface::Fortran;
  size_t Count = Slots.size();
  if (Fortran && R.Result == BlasRoutine::Info)
    ++Count;
  SmallVector<Value *, 14> Out;
  size_t Hidden = Call.arg_size() - Count;
  if (Call.arg_size() < Count || (!Fortran && Hidden))
    return Out;
  Lengths = nullptr;
  for (size_t N = Count; N < Call.arg_size(); ++N) {
    Lengths = Call.getArgOperand(static_cast<unsigned>(N))->getType();
    if (!Lengths->isIntegerTy())
      return {};
  }
  for (unsigned N = 0; N < Slots.size(); ++N) {
    Value *V = Call.getArgOperand(N);
    Type *T = valueType(Slots[N], I, R, B.getContext());
    if (Fortran && !V->getType()->isPointerTy())
      return {};
    if (Fortran && kindOf(Slots[N]) != SlotKind::Address)
      V = B.CreateAlignedLoad(T, V, Align(1));
    if (V->getType() != T)
      return {};
    Out.push_back(V);
  }
  return Out;
}

/// Solves with what was just factorized, if the factorization succeeded.
CallInst *factorizeAndSolve(IRBuilder<> &B, const BlasFunction &F,
                            ArrayRef<Value *> Ops, Type *Lengths) {
  const BlasInterface &I = F.Interface;
  bool Symmetric = F.Routine->Id == BlasId::Posv;
  auto Slots = I.operands(*F.Routine);
  auto Operand = [&](BlasSlot S) -> Value * {
    if (S == TransA) // not transposed
      return ConstantInt::get(B.getInt8Ty(),
                              static_cast<uint8_t>(blasFlag(TransA).Else));
    if (S == M)
      S = N;
    return Ops[static_cast<size_t>(find(Slots, S) - Slots.begin())];
  };
  Module &Mod = *B.GetInsertBlock()->getModule();
  auto Call = [&](BlasId Id) {
    const BlasRoutine &R = blasRoutine(Id);
    SmallVector<Value *> Args;
    for (BlasSlot S : I.operands(R))
      Args.push_back(Operand(S));
    return B.CreateCall(blasFunctionOf(Mod, I, R, Lengths), Args);
  };
  CallInst *Info = Call(Symmetric ? BlasId::Potrf : BlasId::Getrf);
  Value *Good = B.CreateICmpEQ(Info, ConstantInt::get(Info->getType(), 0));
  emitLoop(B, B.CreateZExt(Good, B.getInt64Ty()),
           [&](Value *) { Call(Symmetric ? BlasId::Potrs : BlasId::Getrs); });
  return Info;
}

} // namespace

const BlasFlag &blasFlag(BlasSlot Slot) {
  // The values that the standard gives to the enumerations of cblas.h.
  static const BlasFlag Flags[] = {
      {Layout, 101, 102, 0, 0},     {Side, 142, 141, 'R', 'L'},
      {Uplo, 122, 121, 'L', 'U'},   {TransA, 112, 111, 'T', 'N'},
      {TransB, 112, 111, 'T', 'N'}, {Diag, 132, 131, 'U', 'N'},
  };
  return *find_if(Flags, [&](const BlasFlag &F) { return F.Slot == Slot; });
}

Type *hiddenLengths(const Function &Canonical) {
  Attribute A = Canonical.getFnAttribute(LengthAttribute);
  unsigned Bits = 0;
  if (!A.isValid() || A.getValueAsString().getAsInteger(10, Bits))
    return nullptr;
  return Type::getIntNTy(Canonical.getContext(), Bits);
}

Function *blasFunctionOf(Module &M, const BlasInterface &I,
                         const BlasRoutine &R, Type *Lengths) {
  LLVMContext &Ctx = M.getContext();
  auto Slots = I.operands(R);
  SmallVector<Type *> Params;
  for (BlasSlot S : Slots)
    Params.push_back(valueType(S, I, R, Ctx));
  std::string Name = I.symbol(R);
  Function *F = canonicalFunction(
      M, Name, FunctionType::get(resultType(I, R, Ctx), Params, false), Name);
  if (Lengths)
    F->addFnAttr(LengthAttribute,
                 std::to_string(Lengths->getIntegerBitWidth()));
  bool Writes = any_of(R.Arrays, [](auto &X) { return X.writes(); });
  F->setMemoryEffects(
      MemoryEffects::argMemOnly(Writes ? ModRefInfo::ModRef : ModRefInfo::Ref));
  for (const BlasArray &X : R.Arrays) {
    unsigned N = static_cast<unsigned>(find(Slots, X.Slot) - Slots.begin());
    F->addParamAttr(N, Attribute::getWithCaptureInfo(Ctx, CaptureInfo::none()));
    if (!X.writes())
      F->addParamAttr(N, Attribute::ReadOnly);
  }
  return F;
}

bool canonicalizeBlas(CallBase &C, KnownCall K) {
  BlasFunction F = blasFunction(*K.Row);
  const BlasRoutine &R = *F.Routine;
  Type *Result = resultType(F.Interface, R, C.getContext());
  bool Fortran = F.Interface.Style == BlasInterface::Fortran;
  bool InfoInMemory = Fortran && R.Result == BlasRoutine::Info;
  if (isa<InvokeInst>(C) ||
      (!InfoInMemory && !C.getType()->isVoidTy() && C.getType() != Result) ||
      (R.Result == BlasRoutine::Number && C.getType() != Result))
    return false;
  IRBuilder<> B(&C);
  Type *Lengths = nullptr;
  auto Ops = operandsByValue(B, C, F, Lengths);
  if (Ops.empty())
    return false;
  CallInst *New;
  if (R.Id == BlasId::Gesv || R.Id == BlasId::Posv) {
    New = factorizeAndSolve(B, F, Ops, Lengths);
  } else {
    New = B.CreateCall(blasFunctionOf(*C.getModule(), F.Interface, R, Lengths),
                       Ops);
    New->setDebugLoc(C.getDebugLoc());
  }
  if (InfoInMemory) {
    B.SetInsertPoint(&C);
    B.CreateStore(New,
                  C.getArgOperand(static_cast<unsigned>(R.Operands.size())));
  } else if (!C.getType()->isVoidTy()) {
    C.replaceAllUsesWith(New);
  }
  C.eraseFromParent();
  return true;
}

void expandBlas(CallBase &Call) {
  BlasCall X(Call);
  const BlasInterface &I = X.interface();
  const BlasRoutine &R = X.routine();
  Function &Canonical = *Call.getCalledFunction();
  Module &M = *Canonical.getParent();
  LLVMContext &Ctx = M.getContext();
  IRBuilder<> B(&Call);
  std::string Name = I.symbol(R);
  auto Slots = I.operands(R);
  Type *Result = resultType(I, R, Ctx);
  if (I.Style == BlasInterface::C) {
    FunctionCallee F = M.getOrInsertFunction(Name, Canonical.getFunctionType());
    Call.setCalledFunction(F);
    Call.setAttributes(AttributeList());
    return;
  }
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> EB(&Entry, Entry.begin());
  SmallVector<Value *> Args;
  unsigned Letters = 0;
  for (unsigned N = 0; N < Slots.size(); ++N) {
    Value *V = Call.getArgOperand(N);
    if (kindOf(Slots[N]) != SlotKind::Address) {
      AllocaInst *Place = EB.CreateAlloca(V->getType());
      B.CreateStore(V, Place);
      V = Place;
    }
    Letters += kindOf(Slots[N]) == SlotKind::Flag;
    Args.push_back(V);
  }
  AllocaInst *Info = nullptr;
  if (R.Result == BlasRoutine::Info)
    Args.push_back(Info = EB.CreateAlloca(Result));
  if (Type *Lengths = hiddenLengths(Canonical))
    Args.append(Letters, ConstantInt::get(Lengths, 1));
  SmallVector<Type *> Params;
  for (Value *V : Args)
    Params.push_back(V->getType());
  FunctionCallee F = M.getOrInsertFunction(
      Name,
      FunctionType::get(Info ? Type::getVoidTy(Ctx) : Result, Params, false));
  // A program may have declared the function with other parameters.
  CallInst *New = B.CreateCall(
      FunctionType::get(Info ? Type::getVoidTy(Ctx) : Result, Params, false),
      F.getCallee(), Args);
  New->setDebugLoc(Call.getDebugLoc());
  Value *V = Info ? static_cast<Value *>(B.CreateLoad(Result, Info)) : New;
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(V);
  Call.eraseFromParent();
}

} // namespace retro
