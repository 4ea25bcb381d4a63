// Operations in another format: those of the machine's types are instructions
// and functions of the C library, others are computed by MPFR. An operation
// that is left out here would be computed in the program's own format, and the
// result would say nothing of the other.
#include "formats/operations.h"

#include "facts/activity/operation_errors.h"
#include "front/known/known_functions.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

enum MpfrOperation : unsigned {
#define MPFR_OPERATION(Name, Operands, Function) Is_##Name,
#include "runtime/mpfr_operations.def"
};

/// The number of an operation, and how many operands it has.
std::optional<std::pair<unsigned, unsigned>> mpfrOperation(StringRef Name) {
#define MPFR_OPERATION(Id, Operands, Function)                                 \
  if (Name == #Id)                                                             \
    return std::pair(unsigned(Is_##Id), unsigned(Operands));
#include "runtime/mpfr_operations.def"
  return std::nullopt;
}

/// The name of what I computes, as the C library has it.
StringRef nameOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return "add";
  case Instruction::FSub:
    return "sub";
  case Instruction::FMul:
    return "mul";
  case Instruction::FDiv:
    return "div";
  case Instruction::FRem:
    return "fmod";
  default:
    break;
  }
  auto *C = dyn_cast<CallBase>(&I);
  Function *Callee = C ? C->getCalledFunction() : nullptr;
  if (!Callee)
    return "";
  StringRef Name = Callee->isIntrinsic()
                       ? Intrinsic::getBaseName(Callee->getIntrinsicID())
                       : Callee->getName();
  Name.consume_front("llvm.");
  return Name;
}

/// Does I give one of its operands, but for signs and digits behind the point?
bool isExact(const Instruction &I) {
  if (isa<FCmpInst>(I) || I.getOpcode() == Instruction::FNeg)
    return true;
  auto *C = dyn_cast<CallBase>(&I);
  std::optional<OwnError> Rounding = C ? ownError(*C) : std::nullopt;
  return Rounding && !Rounding->any();
}

/// Applies One to each element of vectors.
Value *byElements(IRBuilder<> &B, FixedVectorType *T,
                  ArrayRef<Value *> Operands,
                  function_ref<Value *(ArrayRef<Value *>)> One) {
  Value *Result = nullptr;
  for (unsigned N = 0; N < T->getNumElements(); ++N) {
    SmallVector<Value *> Elements;
    for (Value *V : Operands)
      Elements.push_back(
          V->getType()->isVectorTy() ? B.CreateExtractElement(V, N) : V);
    Value *E = One(Elements);
    if (!E)
      return nullptr;
    if (!Result)
      Result = PoisonValue::get(
          FixedVectorType::get(E->getType(), T->getNumElements()));
    Result = B.CreateInsertElement(Result, E, N);
  }
  return Result;
}

} // namespace

Type *Operations::computed(Type *T) const {
  if (auto *S = dyn_cast<StructType>(T)) {
    SmallVector<Type *> Fields;
    for (Type *E : S->elements())
      Fields.push_back(computed(E));
    return StructType::get(T->getContext(), Fields);
  }
  return isFrom(T) && F.Narrow ? T->getWithNewType(F.Narrow) : T;
}

Value *Operations::taken(IRBuilder<> &B, Value *V) const {
  Type *T = V->getType();
  if (!isFrom(T) || !F.Narrow)
    return V; // MPFR's operands are rounded where they are used
  if (!Memory)
    return B.CreateFPTrunc(V, computed(T));
  const unsigned Wide = F.From->getScalarSizeInBits(),
                 Narrow = F.Narrow->getScalarSizeInBits();
  Value *Bits = B.CreateBitCast(V, T->getWithNewType(B.getIntNTy(Wide)));
  Bits = B.CreateTrunc(Bits, T->getWithNewType(B.getIntNTy(Narrow)));
  return B.CreateBitCast(Bits, computed(T));
}

Value *Operations::given(IRBuilder<> &B, Value *V) const {
  Type *T = V->getType();
  if (auto *S = dyn_cast<StructType>(T)) {
    SmallVector<Value *> Fields;
    SmallVector<Type *> Types;
    for (unsigned N = 0; N < S->getNumElements(); ++N) {
      Fields.push_back(given(B, B.CreateExtractValue(V, N)));
      Types.push_back(Fields.back()->getType());
    }
    Value *Result = PoisonValue::get(StructType::get(T->getContext(), Types));
    for (unsigned N = 0; N < S->getNumElements(); ++N)
      Result = B.CreateInsertValue(Result, Fields[N], N);
    return Result;
  }
  if (!F.Narrow || T->getScalarType() != F.Narrow)
    return V;
  if (!Memory)
    return B.CreateFPExt(V, T->getWithNewType(F.From));
  const unsigned Wide = F.From->getScalarSizeInBits(),
                 Narrow = F.Narrow->getScalarSizeInBits();
  Value *Bits = B.CreateBitCast(V, T->getWithNewType(B.getIntNTy(Narrow)));
  Bits = B.CreateZExt(Bits, T->getWithNewType(B.getIntNTy(Wide)));
  return B.CreateBitCast(Bits, T->getWithNewType(F.From));
}

Value *Operations::rounded(IRBuilder<> &B, Value *V) const {
  Type *T = V->getType();
  if (F.Narrow)
    return B.CreateFPCast(V, T->getWithNewType(F.Narrow));
  V = B.CreateFPCast(V, T->getWithNewType(F.From));
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return byElements(B, Vector, V,
                      [&](ArrayRef<Value *> X) { return mpfr(B, "set", X); });
  return mpfr(B, "set", V);
}

Value *Operations::result(IRBuilder<> &B, Instruction &I,
                          ArrayRef<Value *> Operands) const {
  if (isa<FPMathOperator>(I))
    B.setFastMathFlags(I.getFastMathFlags());
  Value *Result = F.Narrow ? native(B, I, Operands) : byMpfr(B, I, Operands);
  B.clearFastMathFlags();
  return Result;
}

Value *Operations::native(IRBuilder<> &B, Instruction &I,
                          ArrayRef<Value *> Operands) const {
  auto *C = dyn_cast<CallBase>(&I);
  if (!C) {
    Instruction *Result = I.clone();
    for (unsigned N = 0; N < Operands.size(); ++N)
      Result->setOperand(N, Operands[N]);
    Result->mutateType(computed(I.getType()));
    return B.Insert(Result);
  }
  SmallVector<Type *> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  Function &Callee = *C->getCalledFunction();
  Type *T = computed(I.getType());
  if (Callee.isIntrinsic())
    return B.CreateCall(Intrinsic::getOrInsertDeclaration(
                            I.getModule(), Callee.getIntrinsicID(), T, Types),
                        Operands);
  // The C library has functions of float, and none of narrower types.
  const std::string Name = (Callee.getName() + "f").str();
  if (F.From->isFloatTy() || !lookupKnown(Name))
    return nullptr;
  auto Single = [&](Type *X) {
    return X == F.Narrow ? Type::getFloatTy(I.getContext()) : X;
  };
  SmallVector<Value *> Args;
  for (Value *V : Operands)
    Args.push_back(
        V->getType() == F.Narrow ? B.CreateFPCast(V, Single(F.Narrow)) : V);
  for (Type *&X : Types)
    X = Single(X);
  FunctionCallee Narrow = I.getModule()->getOrInsertFunction(
      Name, FunctionType::get(Single(T), Types, false));
  auto *G = dyn_cast<Function>(Narrow.getCallee());
  if (G && G->isDeclaration())
    G->addFnAttrs(
        AttrBuilder(I.getContext(), Callee.getAttributes().getFnAttrs()));
  CallInst *Result = B.CreateCall(Narrow, Args);
  return Result->getType()->isFloatTy() ? B.CreateFPCast(Result, T) : Result;
}

Value *Operations::mpfr(IRBuilder<> &B, StringRef Name,
                        ArrayRef<Value *> Operands) const {
  auto Operation = mpfrOperation(Name);
  if (!Operation || Operation->second != Operands.size())
    return nullptr;
  const Rt Functions[] = {Rt::mpfr_1, Rt::mpfr_2, Rt::mpfr_3};
  SmallVector<Value *> Args{B.getInt32(Operation->first)};
  append_range(Args, Operands);
  Args.push_back(B.getInt32(F.Exponent));
  Args.push_back(B.getInt32(F.Mantissa));
  return callRuntime(B, Functions[Operands.size() - 1], Args);
}

Value *Operations::byMpfr(IRBuilder<> &B, Instruction &I,
                          ArrayRef<Value *> Operands) const {
  if (auto *T = dyn_cast<FixedVectorType>(Operands[0]->getType()))
    return isExact(I) || I.getType()->isVectorTy()
               ? byElements(
                     B, T, Operands,
                     [&](ArrayRef<Value *> X) { return byMpfr(B, I, X); })
               : nullptr;
  const StringRef Name = nameOf(I);
  if (Name == "fmuladd")
    return mpfr(B, "add",
                {mpfr(B, "mul", Operands.take_front(2)), Operands[2]});
  if (Value *Result = mpfr(B, Name, Operands))
    return Result;
  if (Name == "powi")
    return mpfr(B, "pow", {Operands[0], B.CreateSIToFP(Operands[1], F.From)});
  const bool Scales = Name == "ldexp" || Name == "scalbn";
  if (!isExact(I) && !Scales)
    return nullptr;
  SmallVector<Value *> Rounded;
  for (Value *V : Operands)
    Rounded.push_back(V->getType() == F.From ? mpfr(B, "set", V) : V);
  Instruction *Same = I.clone();
  for (unsigned N = 0; N < Rounded.size(); ++N)
    Same->setOperand(N, Rounded[N]);
  if (Same->getType()->isVectorTy())
    return nullptr;
  B.Insert(Same);
  return Scales ? mpfr(B, "set", Same) : Same;
}

} // namespace retro
