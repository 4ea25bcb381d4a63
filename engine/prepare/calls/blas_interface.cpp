// Input: calls of BLAS and LAPACK by the interfaces of C and Fortran. Output:
// calls of canonical functions, with each scalar as an operand by value and
// each flag as a number; and, in emitted functions, calls of the library again.
// Rules and emission know the canonical form alone. Without it each of these
// would have to know all interfaces.
#include "prepare/calls/blas_interface.h"

#include "front/names/foreign.h"
#include "ir/canonical_functions.h"
#include "ir/emit_loop.h"
#include "ir/end_program.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace retro {
namespace {

using enum BlasSlot;

constexpr StringLiteral LengthAttribute = "retro-lengths";
/// Of a product with a triangle that is written to memory of its own.
constexpr StringLiteral ApartAttribute = "retro-apart";
/// Of a call whose status the program looks at, and that has none.
constexpr StringLiteral StatusAttribute = "retro-status";

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
  case Handle:
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
  case BlasRoutine::Nothing: // but a status
    return I.Handles ? Type::getInt32Ty(Ctx) : Type::getVoidTy(Ctx);
  case BlasRoutine::Number:
    return I.number(Ctx);
  case BlasRoutine::Info:
    return I.integer(Ctx);
  }
  return nullptr;
}

/// Is the operand given by its address, though it is none?
bool isByAddress(BlasSlot S, const BlasInterface &I) {
  if (I.Style == BlasInterface::Fortran)
    return kindOf(S) != SlotKind::Address;
  return I.Handles && kindOf(S) == SlotKind::Number;
}

/// Products with triangles have two forms where a handle is given: in the place
/// of B, or in a further array behind the others.
bool mayBeApart(const BlasFunction &F) {
  return F.Interface.Handles && F.Routine->Id == BlasId::Trmm;
}

/// The call's operands by value; empty if the call is not as the library
/// declares the function. Behind: what else it is given.
SmallVector<Value *, 14> operandsByValue(IRBuilder<> &B, CallBase &Call,
                                         const BlasFunction &F,
                                         SmallVectorImpl<Value *> &Behind) {
  const BlasInterface &I = F.Interface;
  const BlasRoutine &R = *F.Routine;
  auto Slots = I.operands(R);
  SmallVector<Value *, 14> Out;
  if (Call.arg_size() < Slots.size())
    return Out;
  Behind.append(Call.arg_begin() + Slots.size(), Call.arg_end());
  for (unsigned N = 0; N < Slots.size(); ++N) {
    Value *V = Call.getArgOperand(N);
    Type *T = valueType(Slots[N], I, R, B.getContext());
    if (isByAddress(Slots[N], I)) {
      if (!V->getType()->isPointerTy())
        return {};
      V = B.CreateAlignedLoad(T, V, Align(1));
    }
    if (V->getType() != T)
      return {};
    Out.push_back(V);
  }
  return Out;
}

/// Is what stands behind the operands what the interface has there: lengths of
/// letters, of which Lengths becomes the type, and where a result goes?
bool fitsBehind(const BlasFunction &F, ArrayRef<Value *> Behind,
                Type *&Lengths) {
  const BlasRoutine &R = *F.Routine;
  Lengths = nullptr;
  if (F.Interface.Handles) {
    size_t Result = R.Result == BlasRoutine::Number ? 1 : 0;
    return Behind.size() == Result || (mayBeApart(F) && Behind.size() == 2 &&
                                       Behind[0]->getType()->isPointerTy());
  }
  if (F.Interface.Style == BlasInterface::C)
    return Behind.empty();
  if (R.Result == BlasRoutine::Info) {
    if (Behind.empty())
      return false;
    Behind = Behind.drop_front();
  }
  if (!Behind.empty())
    Lengths = Behind.back()->getType();
  return all_of(Behind,
                [](const Value *V) { return V->getType()->isIntegerTy(); });
}

/// A product that is written to an array of its own is one in the place of a
/// copy.
void copyColumns(IRBuilder<> &B, const BlasFunction &F,
                 MutableArrayRef<Value *> Ops, ArrayRef<Value *> To) {
  const BlasInterface &I = F.Interface;
  auto Slots = I.operands(*F.Routine);
  auto Operand = [&](BlasSlot S) -> Value *& {
    return Ops[static_cast<size_t>(find(Slots, S) - Slots.begin())];
  };
  Module &Mod = *B.GetInsertBlock()->getModule();
  Function *Copy = blasFunctionOf(Mod, I, blasRoutine(BlasId::Copy), nullptr);
  Type *T = I.number(B.getContext());
  Value *One = ConstantInt::get(I.integer(B.getContext()), 1);
  Value *Columns = B.CreateSExt(Operand(N), B.getInt64Ty());
  Columns = B.CreateBinaryIntrinsic(Intrinsic::smax, Columns, B.getInt64(0));
  // That array may be B.
  Value *Same = B.CreateICmpEQ(Operand(BlasSlot::B), To[0]);
  Columns = B.CreateSelect(Same, B.getInt64(0), Columns);
  emitLoop(B, Columns, [&](Value *Column) {
    auto At = [&](Value *P, Value *Step) {
      Step = B.CreateSExt(Step, B.getInt64Ty());
      return B.CreateGEP(T, P, B.CreateMul(Column, Step));
    };
    B.CreateCall(Copy, {Operand(Handle), Operand(M),
                        At(Operand(BlasSlot::B), Operand(LdB)), One,
                        At(To[0], To[1]), One});
  });
  Operand(BlasSlot::B) = To[0];
  Operand(LdB) = To[1];
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
      {Layout, 101, 102, 0, 0, 0, 0},     {Side, 142, 141, 'R', 'L', 1, 0},
      {Uplo, 122, 121, 'L', 'U', 0, 1},   {TransA, 112, 111, 'T', 'N', 1, 0},
      {TransB, 112, 111, 'T', 'N', 1, 0}, {Diag, 132, 131, 'U', 'N', 1, 0},
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
  if (I.Handles)
    F->addParamAttr(0, Attribute::ReadNone);
  for (const BlasArray &X : R.Arrays) {
    unsigned N = static_cast<unsigned>(find(Slots, X.Slot) - Slots.begin());
    F->addParamAttr(N, Attribute::getWithCaptureInfo(Ctx, CaptureInfo::none()));
    if (!X.writes())
      F->addParamAttr(N, Attribute::ReadOnly);
  }
  return F;
}

/// Has the call a type that calls of the routine have?
static bool fitsResult(const CallBase &C, const BlasFunction &F) {
  Type *T = C.getType(),
       *Result = resultType(F.Interface, *F.Routine, C.getContext());
  const BlasRoutine::ResultKind K = F.Routine->Result;
  if (F.Interface.Handles)
    return T->isVoidTy() || T->isIntegerTy(32);
  if (K == BlasRoutine::Number)
    return T == Result;
  return T->isVoidTy() || T == Result ||
         (K == BlasRoutine::Info &&
          F.Interface.Style == BlasInterface::Fortran);
}

/// May factors and results be in the memory of the device, which nothing here
/// can read?
static bool mayPointToDevice(const Module &M) {
  return any_of(M, [](const Function &F) {
    return isA(F.getName(), NameKind::SetsPointers) &&
           any_of(F.users(), [](const User *U) {
             auto *C = dyn_cast<CallBase>(U);
             auto *Mode = C && C->arg_size() == 2
                              ? dyn_cast<ConstantInt>(C->getArgOperand(1))
                              : nullptr;
             return !Mode || !Mode->isZero();
           });
  });
}

bool canonicalizeBlas(CallBase &C, KnownCall K) {
  BlasFunction F = blasFunction(*K.Row);
  const BlasInterface &I = F.Interface;
  const BlasRoutine &R = *F.Routine;
  if (isa<InvokeInst>(C) || !fitsResult(C, F) ||
      (I.Handles && mayPointToDevice(*C.getModule())))
    return false;
  IRBuilder<> B(&C);
  Type *Lengths = nullptr;
  SmallVector<Value *, 4> Behind;
  auto Ops = operandsByValue(B, C, F, Behind);
  if (Ops.empty() || !fitsBehind(F, Behind, Lengths))
    return false;
  const bool Apart = mayBeApart(F) && Behind.size() == 2;
  if (Apart)
    copyColumns(B, F, Ops, Behind);
  CallInst *New;
  if (R.Id == BlasId::Gesv || R.Id == BlasId::Posv) {
    New = factorizeAndSolve(B, F, Ops, Lengths);
  } else {
    Function *Canonical = blasFunctionOf(*C.getModule(), I, R, Lengths);
    if (Apart)
      Canonical->addFnAttr(ApartAttribute);
    New = B.CreateCall(Canonical, Ops);
    New->setDebugLoc(C.getDebugLoc());
  }
  B.SetInsertPoint(&C);
  if (I.Handles && R.Result == BlasRoutine::Number) {
    B.CreateStore(New, Behind[0]);
    if (!C.use_empty())
      New->addFnAttr(Attribute::get(C.getContext(), StatusAttribute));
    if (!C.getType()->isVoidTy())
      C.replaceAllUsesWith(Constant::getNullValue(C.getType()));
  } else if (I.Style == BlasInterface::Fortran &&
             R.Result == BlasRoutine::Info) {
    B.CreateStore(New, Behind[0]);
  } else if (!C.getType()->isVoidTy()) {
    C.replaceAllUsesWith(New);
  }
  C.eraseFromParent();
  return true;
}

namespace {

/// The operands of the library's function: scalars that it takes by address
/// are put in memory.
SmallVector<Value *, 16> libraryOperands(IRBuilder<> &B, IRBuilder<> &EB,
                                         const BlasCall &X,
                                         const CallBase &Call) {
  const BlasInterface &I = X.interface();
  SmallVector<Value *, 16> Args;
  auto Slots = I.operands(X.routine());
  for (unsigned N = 0; N < Slots.size(); ++N) {
    Value *V = Call.getArgOperand(N);
    if (isByAddress(Slots[N], I)) {
      AllocaInst *Place = EB.CreateAlloca(V->getType());
      B.CreateStore(V, Place);
      V = Place;
    }
    Args.push_back(V);
  }
  if (Call.getCalledFunction()->hasFnAttribute(ApartAttribute))
    Args.append({X.operand(BlasSlot::B), X.operand(LdB)});
  return Args;
}

/// Ends the program if a call has failed that the program would have asked.
void checkStatus(CallInst &Status, StringRef Name) {
  Instruction *Next = Status.getNextNode();
  IRBuilder<> B(Next);
  Value *Bad = B.CreateICmpNE(&Status, B.getInt32(0));
  IRBuilder<> FB(SplitBlockAndInsertIfThen(Bad, Next, true));
  endProgram(FB, (Name + " failed in a derivative, with the status ").str(),
             FB.CreateZExt(&Status, FB.getInt64Ty()));
}

} // namespace

void expandBlas(CallBase &Call) {
  BlasCall X(Call);
  const BlasInterface &I = X.interface();
  const BlasRoutine &R = X.routine();
  Function &Canonical = *Call.getCalledFunction();
  Module &M = *Canonical.getParent();
  LLVMContext &Ctx = M.getContext();
  IRBuilder<> B(&Call);
  std::string Name = I.symbol(R);
  if (I.Style == BlasInterface::C) {
    FunctionCallee F = M.getOrInsertFunction(Name, Canonical.getFunctionType());
    Call.setCalledFunction(F);
    Call.setAttributes(AttributeList());
    return;
  }
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> EB(&Entry, Entry.begin());
  auto Args = libraryOperands(B, EB, X, Call);
  Type *Result = resultType(I, R, Ctx), *Returned = Result;
  AllocaInst *Place = nullptr; // of the result
  if (R.Result == BlasRoutine::Info ||
      (I.Handles && R.Result == BlasRoutine::Number)) {
    Args.push_back(Place = EB.CreateAlloca(Result));
    Returned = I.Handles ? B.getInt32Ty() : B.getVoidTy();
  }
  if (Type *Lengths = hiddenLengths(Canonical))
    Args.append(static_cast<size_t>(count_if(
                    I.operands(R),
                    [](BlasSlot S) { return kindOf(S) == SlotKind::Flag; })),
                ConstantInt::get(Lengths, 1));
  SmallVector<Type *> Params;
  for (Value *V : Args)
    Params.push_back(V->getType());
  auto *T = FunctionType::get(Returned, Params, false);
  FunctionCallee F = M.getOrInsertFunction(Name, T);
  // A program may have declared the function with other parameters.
  CallInst *New = B.CreateCall(T, F.getCallee(), Args);
  New->setDebugLoc(Call.getDebugLoc());
  Value *V = Place ? static_cast<Value *>(B.CreateLoad(Result, Place)) : New;
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(V);
  const bool WantsStatus = Call.hasFnAttr(StatusAttribute);
  Call.eraseFromParent();
  if (WantsStatus)
    checkStatus(*New, Name);
}

} // namespace retro
