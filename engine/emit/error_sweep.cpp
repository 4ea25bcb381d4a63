// Error estimates: forward mode whose tangents are bounds of errors. An
// operation carries the errors of its operands by the sizes of its partials,
// and adds what facts/activity/operation_errors.h says that it rounds.
#include "emit/common/tangent_sweep.h"

#include "emit/calls/complex.h"
#include "emit/words/ir_ops.h"
#include "emit/words/last_place.h"
#include "facts/activity/needs.h"
#include "facts/activity/operation_errors.h"
#include "prepare/calls/complex_calls.h"
#include "rules/errors.h"

using namespace llvm;

namespace retro {
namespace {

Value *sizeOf(IRBuilder<> &B, Value *V) {
  return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
}

Value *times(IRBuilder<> &B, int N, Value *Unit) {
  return N == 1 ? Unit
                : B.CreateFMul(Unit, ConstantFP::get(Unit->getType(), N));
}

} // namespace

/// What the errors of the operands do to the result; null: nothing.
Value *TangentSweep::carriedError(Instruction &I, rules::RuleId Rule,
                                  function_ref<Value *(int)> Fetch,
                                  IRBuilder<> &B) {
  IROps Ops(B, /*GuardProducts=*/true);
  IROps::Operands X{Fetch};
  rules::OperandErrors<IROps> Errors;
  for (int N = 0; N < rules::arityOf(Rule); ++N)
    if (Value *O = I.getOperand(static_cast<unsigned>(N)); Act.active(O))
      Errors[static_cast<size_t>(N)] = tangent(O);
  return rules::carriedError<IROps>(Rule, Ops, X, Errors).value_or(nullptr);
}

/// Where a choice by order could go the other way, the greater error counts.
Value *TangentSweep::choiceError(SelectInst &S, Value *Chosen, IRBuilder<> &B) {
  IROps Ops(B);
  return rules::choiceError<IROps>(
      Ops, primal(S.getTrueValue()), primal(S.getFalseValue()),
      tangentLike(S.getTrueValue(), S, B), tangentLike(S.getFalseValue(), S, B),
      Chosen);
}

/// The error of I's result: what its operands' errors do to it, and its own.
Value *TangentSweep::resultError(Instruction &I, Value *Carried,
                                 IRBuilder<> &B) {
  const OwnError Own = *ownError(I);
  Value *Y = primal(&I), *Error = Carried;
  auto Add = [&](Value *E) { Error = Error ? B.CreateFAdd(Error, E) : E; };
  if (Own.any()) {
    Value *Unit = times(B, Own.Units, unitInLastPlace(B, Y, Own.Underflows));
    if (Own.IfLarge)
      Unit = B.CreateSelect(
          B.CreateFCmpOLE(sizeOf(B, Y), largestExact(Y->getType())),
          Constant::getNullValue(Y->getType()), Unit);
    if (Own.PerFactor)
      Unit = B.CreateFMul(
          Unit, sizeOf(B, IROps(B).fromInt(primal(I.getOperand(1)), Y)));
    Add(Unit);
  }
  if (Own.OfProduct)
    Add(unitInLastPlace(
        B, B.CreateFMul(primal(I.getOperand(0)), primal(I.getOperand(1))),
        /*Underflows=*/true));
  if (!Error)
    Error = Constant::getNullValue(Act.adjointType(&I));
  if ((ruleOf(I) || Own.any()) && Y->getType()->isFPOrFPVectorTy())
    logError(I, Y, Error, B);
  return Error;
}

/// What a place rounds that threads add V to.
Value *TangentSweep::sumError(AtomicRMWInst &I, IRBuilder<> &B) {
  Value *V = primal(I.getValOperand());
  Value *Sum = I.getOperation() == AtomicRMWInst::FAdd
                   ? B.CreateFAdd(primal(&I), V)
                   : B.CreateFSub(primal(&I), V);
  Value *Own = unitInLastPlace(B, Sum, /*Underflows=*/false);
  Value *Error = tangent(I.getValOperand());
  Error = B.CreateFAdd(Error, Own);
  logError(I, Sum, Error, B);
  return Error;
}

/// The error of a sine or cosine that is computed beside the other one.
Value *TangentSweep::sincosError(CallBase &C, Value *Carried, rules::Fn F,
                                 IRBuilder<> &B) {
  IROps Ops(B);
  Value *Y = Ops.call(F, primal(C.getArgOperand(0)));
  Value *Error =
      B.CreateFAdd(sizeOf(B, Carried),
                   times(B, ownError(C)->Units, unitInLastPlace(B, Y, true)));
  logError(C, Y, Error, B);
  return Error;
}

/// The errors of both parts of a complex function's result.
Value *TangentSweep::complexError(CallBase &C, ComplexRule &Rule,
                                  ArrayRef<Value *> Errors, IRBuilder<> &B) {
  const OwnError Own = *ownError(C);
  ComplexValue Y = Rule.result(), Sum;
  const bool Pair = C.getType()->isStructTy();
  auto Add = [&](Value *&To, Value *E) { To = To ? B.CreateFAdd(To, E) : E; };
  auto Unit = [&](Value *V) { return unitInLastPlace(B, V, true); };
  for (size_t N = 0; N < Errors.size(); ++N) {
    SmallVector<Value *> Alone(Errors.size(), nullptr);
    Alone[N] = Errors[N];
    if (!Errors[N])
      continue;
    Value *D = Rule.tangent(Alone);
    Add(Sum.Re, sizeOf(B, Pair ? B.CreateExtractValue(D, 0) : D));
    if (Pair)
      Add(Sum.Im, sizeOf(B, B.CreateExtractValue(D, 1)));
  }
  ComplexValue Of = Y;
  if (Own.OfGreater)
    Of.Re = Of.Im = B.CreateMaxNum(sizeOf(B, Y.Re), sizeOf(B, Y.Im));
  if (Own.any()) {
    Add(Sum.Re, times(B, Own.Units, Unit(Of.Re)));
    Add(Sum.Im, times(B, Own.Units, Unit(Of.Im)));
  }
  if (Own.OfProduct)
    for (unsigned N = 0; N < 2; ++N) {
      ComplexValue X = Rule.operand(0), Z = Rule.operand(1);
      if (N == 1)
        std::swap(X.Re, X.Im);
      Add(Sum.Re, Unit(B.CreateFMul(X.Re, N ? Z.Im : Z.Re)));
      Add(Sum.Im, Unit(B.CreateFMul(X.Re, N ? Z.Re : Z.Im)));
    }
  logError(C, Y.Re, Sum.Re, B);
  if (!Pair)
    return Sum.Re;
  logError(C, Y.Im, Sum.Im, B);
  return packComplex(B, C.getType(), Sum.Re, Sum.Im);
}

/// Tells the program's logger: value and error, then what its parameters have
/// room for. Pointers get names, integers the place in the source.
void TangentSweep::logError(const Instruction &I, Value *V, Value *Error,
                            IRBuilder<> &B) {
  if (!Logger || !Error)
    return;
  if (auto *T = dyn_cast<FixedVectorType>(V->getType())) {
    for (unsigned N = 0; N < T->getNumElements(); ++N)
      logError(I, B.CreateExtractElement(V, N),
               B.CreateExtractElement(Error, N), B);
    return;
  }
  auto *C = dyn_cast<CallBase>(&I);
  const DebugLoc &At = I.getDebugLoc();
  SmallVector<StringRef> Names{
      I.getOpcodeName(), C ? C->getCalledOperand()->getName() : "",
      E.M.getSourceFileName(), UF.Source->getName(), I.getParent()->getName()};
  SmallVector<unsigned> Places{At ? At.getLine() : 0, At ? At.getCol() : 0};
  SmallVector<Value *> Args;
  unsigned Numbers = 0, Texts = 0, Integers = 0;
  for (const Argument &A : Logger->args()) {
    Type *T = A.getType();
    if (T->isFloatingPointTy() && Numbers < 2)
      Args.push_back(B.CreateFPCast(Numbers++ ? Error : V, T));
    else if (T->isPointerTy() && Texts < Names.size())
      Args.push_back(B.CreateGlobalString(Names[Texts++]));
    else if (T->isIntegerTy() && Integers < Places.size())
      Args.push_back(ConstantInt::get(T, Places[Integers++]));
    else
      Args.push_back(Constant::getNullValue(T));
  }
  CallInst *Told = B.CreateCall(Logger, Args);
  Told->setCallingConv(Logger->getCallingConv());
  Told->setDebugLoc(At);
}

} // namespace retro
