// Error estimates: forward mode whose tangents are bounds of errors. An
// operation carries the errors of its operands by the sizes of its partials,
// and adds what facts/activity/operation_errors.h says that it rounds. Without
// the second part errors would be carried, and none would ever arise. Members
// of TangentSweep (emit/common/tangent_sweep.h).
#include "emit/common/tangent_sweep.h"

#include "emit/calls/complex.h"
#include "emit/words/ir_ops.h"
#include "emit/words/last_place.h"
#include "facts/activity/needs.h"
#include "facts/activity/operation_errors.h"
#include "facts/types/variables.h"
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

/// What is told behind the operation's name: of a call the function, of a store
/// the operation that made what is stored.
StringRef inputOf(const Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return C->getCalledOperand()->getName();
  auto *S = dyn_cast<StoreInst>(&I);
  const Value *V = S ? S->getValueOperand() : nullptr;
  if (auto *From = dyn_cast_or_null<Instruction>(V))
    return From->getOpcodeName();
  return isa_and_nonnull<Argument>(V) ? "argument" : "";
}

/// Memory that I reads or writes as a number, or whose address, an argument, it
/// keeps in a variable; and the address of what the program names it by.
std::pair<const Value *, const Value *> namedMemory(const Instruction &I) {
  const Value *P = getLoadStorePointerOperand(&I);
  if (P && getLoadStoreType(&I)->isFPOrFPVectorTy())
    return {P, P};
  auto *S = dyn_cast<StoreInst>(&I);
  if (S && S->getValueOperand()->getType()->isPointerTy() &&
      isa<Argument>(S->getValueOperand()))
    return {S->getValueOperand(), P};
  return {};
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
  const OwnError OfStep = *ownError(I);
  Value *Y = primal(&I), *Error = Carried;
  // Integers that fit may not do so in what the program has in mind.
  if (OfStep.any() || (ErrorFunction && isa<SIToFPInst, UIToFPInst>(I))) {
    Value *Rounded = askedError(I, Y, ownErrorOf(I, OfStep, Y, B), B);
    Error = Error ? B.CreateFAdd(Error, Rounded) : Rounded;
  }
  if (!Error)
    Error = Constant::getNullValue(Act.adjointType(&I));
  if ((ruleOf(I) || OfStep.any()) && Y->getType()->isFPOrFPVectorTy())
    logError(I, Y, Error, B);
  return Error;
}

/// What I itself rounds, of which the units are known.
Value *TangentSweep::ownErrorOf(Instruction &I, const OwnError &OfStep,
                                Value *Y, IRBuilder<> &B) {
  Value *Unit =
      times(B, OfStep.Units, unitInLastPlace(B, Y, OfStep.Underflows));
  if (OfStep.IfLarge)
    Unit = B.CreateSelect(
        B.CreateFCmpOLE(sizeOf(B, Y), largestExact(Y->getType())),
        Constant::getNullValue(Y->getType()), Unit);
  if (OfStep.PerFactor)
    Unit = B.CreateFMul(
        Unit, sizeOf(B, IROps(B).fromInt(primal(I.getOperand(1)), Y)));
  if (OfStep.OfProduct)
    Unit = B.CreateFAdd(Unit,
                        unitInLastPlace(B,
                                        B.CreateFMul(primal(I.getOperand(0)),
                                                     primal(I.getOperand(1))),
                                        /*Underflows=*/true));
  return Unit;
}

/// What a place rounds that threads add V to.
Value *TangentSweep::sumError(AtomicRMWInst &I, IRBuilder<> &B) {
  Value *V = primal(I.getValOperand());
  Value *Sum = I.getOperation() == AtomicRMWInst::FAdd
                   ? B.CreateFAdd(primal(&I), V)
                   : B.CreateFSub(primal(&I), V);
  Value *OfStep =
      askedError(I, Sum, unitInLastPlace(B, Sum, /*Underflows=*/false), B);
  Value *Error = tangent(I.getValOperand());
  Error = B.CreateFAdd(Error, OfStep);
  logError(I, Sum, Error, B);
  return Error;
}

/// The error of a sine or cosine that is computed beside the other one.
Value *TangentSweep::sincosError(CallBase &C, Value *Carried, rules::Fn F,
                                 IRBuilder<> &B) {
  IROps Ops(B);
  Value *Y = Ops.call(F, primal(C.getArgOperand(0)));
  Value *OfStep = times(B, ownError(C)->Units, unitInLastPlace(B, Y, true));
  Value *Error = B.CreateFAdd(sizeOf(B, Carried), askedError(C, Y, OfStep, B));
  logError(C, Y, Error, B);
  return Error;
}

/// The errors of both parts of a complex function's result.
Value *TangentSweep::complexError(CallBase &C, ComplexRule &Rule,
                                  ArrayRef<Value *> Errors, IRBuilder<> &B) {
  const OwnError OfStep = *ownError(C);
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
  if (OfStep.OfGreater)
    Of.Re = Of.Im = B.CreateMaxNum(sizeOf(B, Y.Re), sizeOf(B, Y.Im));
  ComplexValue Rounded;
  if (OfStep.any()) {
    Add(Rounded.Re, times(B, OfStep.Units, Unit(Of.Re)));
    Add(Rounded.Im, times(B, OfStep.Units, Unit(Of.Im)));
  }
  if (OfStep.OfProduct)
    for (unsigned N = 0; N < 2; ++N) {
      ComplexValue X = Rule.operand(0), Z = Rule.operand(1);
      if (N == 1)
        std::swap(X.Re, X.Im);
      Add(Rounded.Re, Unit(B.CreateFMul(X.Re, N ? Z.Im : Z.Re)));
      Add(Rounded.Im, Unit(B.CreateFMul(X.Re, N ? Z.Re : Z.Im)));
    }
  if (Rounded.Re) {
    Add(Sum.Re, askedError(C, Y.Re, Rounded.Re, B));
    Add(Sum.Im, askedError(C, Y.Im, Rounded.Im, B));
  }
  logError(C, Y.Re, Sum.Re, B);
  if (!Pair)
    return Sum.Re;
  logError(C, Y.Im, Sum.Im, B);
  return packComplex(B, C.getType(), Sum.Re, Sum.Im);
}

/// The error of what S stores, with what the program says is rounded then.
Value *TangentSweep::storedError(const StoreInst &S, Value *D, IRBuilder<> &B) {
  Value *V = primal(S.getValueOperand());
  if (!V->getType()->isFPOrFPVectorTy() || D->getType() != V->getType())
    return D;
  return B.CreateFAdd(
      D, askedError(S, V, Constant::getNullValue(V->getType()), B));
}

/// What the program says that I rounds, if it has a function that is asked;
/// what the step itself rounds, without one.
Value *TangentSweep::askedError(const Instruction &I, Value *V, Value *OfStep,
                                IRBuilder<> &B) {
  if (!ErrorFunction)
    return OfStep;
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  if (!T)
    return B.CreateFPCast(tell(*ErrorFunction, I, V, OfStep, B),
                          OfStep->getType());
  for (unsigned N = 0; N < T->getNumElements(); ++N)
    OfStep =
        B.CreateInsertElement(OfStep,
                              askedError(I, B.CreateExtractElement(V, N),
                                         B.CreateExtractElement(OfStep, N), B),
                              N);
  return OfStep;
}

/// Tells the program's logger.
void TangentSweep::logError(const Instruction &I, Value *V, Value *Error,
                            IRBuilder<> &B) {
  if (!Logger || !Error)
    return;
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  if (!T) {
    tell(*Logger, I, V, Error, B);
    return;
  }
  for (unsigned N = 0; N < T->getNumElements(); ++N)
    logError(I, B.CreateExtractElement(V, N), B.CreateExtractElement(Error, N),
             B);
}

/// Finds the variables of each class of memory. Those of one class are written
/// by the same code, under whatever name.
void TangentSweep::nameMemory() {
  for (auto &G : Act.unit().Functions)
    for (const Instruction &I : instructions(*G->F)) {
      auto [Memory, Named] = namedMemory(I);
      StringRef Name = Memory ? variableBehind(*Named) : "";
      if (Name.empty())
        continue;
      std::string &All = Variables[Act.shape().classId(Memory)];
      const std::string One = (G->Source->getName() + ":" + Name).str();
      if (!is_contained(split(All, ','), One))
        All += (All.empty() ? "" : ",") + One;
    }
}

/// Calls a function of the program with value and error, then with what its
/// parameters have room for. Pointers get names, integers the place in the
/// source.
CallInst *TangentSweep::tell(Function &Hook, const Instruction &I, Value *V,
                             Value *Error, IRBuilder<> &B) {
  const DebugLoc &At = I.getDebugLoc();
  std::string Variable;
  if (auto *S = dyn_cast<StoreInst>(&I); S && ErrorFunction)
    Variable = Variables.lookup(Act.shape().classId(S->getPointerOperand()));
  StringRef File = At ? At->getFilename() : E.M.getSourceFileName();
  SmallVector<StringRef> Names{
      I.getOpcodeName(),        inputOf(I), File, UF.Source->getName(),
      I.getParent()->getName(), Variable};
  SmallVector<unsigned> Places{At ? At.getLine() : 0, At ? At.getCol() : 0};
  SmallVector<Value *> Args;
  unsigned Numbers = 0, Texts = 0, Integers = 0;
  for (const Argument &A : Hook.args()) {
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
  CallInst *Told = B.CreateCall(&Hook, Args);
  Told->setCallingConv(Hook.getCallingConv());
  Told->setDebugLoc(At);
  return Told;
}

} // namespace retro
