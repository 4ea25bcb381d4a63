// Calls of the derivatives that the user wrote, in every sweep. How values
// travel in them says the rule (front/registered/custom_rule.h). Without it a
// registered derivative would never be called.
#include "emit/calls/custom.h"

#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "emit/words/memory_adjoint.h"
#include "facts/activity/custom_calls.h"

using namespace llvm;

namespace retro {

AllocaInst *CustomCall::variable(Type *T) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> EB(&Entry, Entry.begin());
  return EB.CreateAlloca(T);
}

void CustomCall::emit(function_ref<Value *(const CustomParam &)> Operand,
                      const DebugLoc &Loc) {
  SmallVector<Value *> Args;
  if (F.ResultsInMemory) {
    Memory = variable(F.F->getParamStructRetType(0));
    if (MaybeAlign A = F.F->getParamAlign(0))
      Memory->setAlignment(*A);
  }
  for (unsigned I = 0; I < F.Params.size(); ++I) {
    const CustomParam &P = F.Params[I];
    Type *T = F.F->getArg(I)->getType();
    if (P.What == CustomParam::Results) {
      Args.push_back(Memory);
      continue;
    }
    // What is not looked at need not be there.
    Value *V = reads(F, I) ? Operand(P) : Constant::getNullValue(T);
    if (reads(F, I) && P.Leaf >= 0)
      V = B.CreateExtractValue(V, static_cast<unsigned>(P.Leaf));
    if (reads(F, I) && P.InMemory && !V->getType()->isPointerTy()) {
      AllocaInst *Copy = variable(V->getType());
      if (MaybeAlign A = F.F->getParamAlign(I))
        Copy->setAlignment(std::max(*A, Copy->getAlign()));
      B.CreateStore(V, Copy);
      V = Copy;
    }
    if (!P.InMemory)
      V = derivativeAs(B, V, T);
    Args.push_back(V);
  }
  Call = B.CreateCall(F.F, Args);
  Call->setCallingConv(F.F->getCallingConv());
  Call->setAttributes(F.F->getAttributes().removeFnAttributes(B.getContext()));
  Call->setDebugLoc(Loc);
  if (Memory || !F.Results)
    return;
  Type *T = Call->getType();
  bool Direct = T == F.Results || (F.Results->getNumElements() == 1 &&
                                   T == F.Results->getElementType(0));
  if (Direct)
    return;
  Memory = variable(T);
  Memory->setAlignment(Align(16));
  B.CreateStore(Call, Memory);
}

Value *CustomCall::resultAddress(int Field) {
  if (!Memory) {
    Value *V = result(Field);
    AllocaInst *A = variable(V->getType());
    B.CreateStore(V, A);
    return A;
  }
  return B.CreateStructGEP(F.Results, Memory, static_cast<unsigned>(Field));
}

Value *CustomCall::result(int Field) {
  unsigned N = static_cast<unsigned>(Field);
  if (Memory)
    return B.CreateAlignedLoad(F.Results->getElementType(N),
                               resultAddress(Field), Align(1));
  return Call->getType() == F.Results ? B.CreateExtractValue(Call, N) : Call;
}

Value *resultOperand(const CallBase &C) {
  return C.arg_size() && C.paramHasAttr(0, Attribute::StructRet)
             ? C.getArgOperand(0)
             : nullptr;
}

void copyResult(IRBuilder<> &B, Value *To, Value *From, const CallBase &C) {
  const DataLayout &DL = C.getDataLayout();
  B.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(),
                 DL.getTypeAllocSize(C.getParamStructRetType(0)));
}

/// The augmented function instead of the primal; without one the primal runs,
/// and where the function does not return a result that is read.
void ForwardSweep::customCall(CallBase &C, const CustomFunction &F) {
  if (!F.F)
    return;
  IRBuilder<> B(cloned(C));
  CustomCall Call(B, F);
  Call.emit(
      [&](const CustomParam &P) {
        Value *A = C.getArgOperand(P.Arg);
        return P.What == CustomParam::Shadow ? shadow(A) : primal(A);
      },
      C.getDebugLoc());
  if (F.Tape >= 0 && P.Cached.count(Item{Item::Tape, &C}))
    store({Item::Tape, &C}, Call.result(F.Tape), B);
  if (customRule(Act.unit(), C)->Besides) {
    if (Act.shadowed(&C))
      Shadows[&C] = Call.result(F.Derivative);
    return;
  }
  if (readsPrimal(C, F))
    return;
  Value *Memory = resultOperand(C);
  if (Memory) {
    copyResult(B, primal(Memory), Call.resultAddress(F.Primal), C);
    if (F.Derivative >= 0 && Act.shadowed(Memory))
      copyResult(B, shadow(Memory), Call.resultAddress(F.Derivative), C);
  }
  Value *Result = C.getType()->isVoidTy() ? nullptr
                  : F.Primal < 0          ? PoisonValue::get(C.getType())
                                          : Call.result(F.Primal);
  if (Result && Act.shadowed(&C))
    Shadows[&C] = Call.result(F.Derivative);
  replaceCloned(C, Result);
}

void ReverseSweep::customAdjoint(CallBase &C) {
  const CustomRule &Rule = *customRule(Act.unit(), C);
  if (!Rule.Derivative.F)
    return;
  const Function &Primal = *Act.unit().Registered.of(C)->Primal;
  PrimalSignature S(Primal);
  Value *Memory = resultOperand(C);
  Value *Seed = nullptr;
  if (Memory && holdsNumbers(S.Result))
    Seed = Act.shadowed(Memory)
               ? takeFromMemory(B, shadow(Memory), S.Result, Align(1))
               : Constant::getNullValue(S.Result);
  else if (holdsNumbers(S.Result))
    Seed = Act.active(&C) ? takeAdjoint(&C) : Constant::getNullValue(S.Result);
  CustomCall Call(B, Rule.Derivative);
  Call.emit(
      [&](const CustomParam &P) {
        if (P.What == CustomParam::Seed)
          return Seed;
        if (P.What == CustomParam::Tape)
          return lookup({Item::Tape, &C});
        Value *A = C.getArgOperand(P.Arg);
        return P.What == CustomParam::Shadow && Act.shadowed(A) ? shadow(A)
                                                                : primal(A);
      },
      C.getDebugLoc());
  size_t Number = 0;
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (S.isNumber(N)) {
      int Field = Rule.Derivative.Fields[Number++];
      if (Act.active(C.getArgOperand(N)))
        addAdjoint(C.getArgOperand(N), Call.result(Field));
    }
}

/// What the first pass left for this call, in the same order: its result, its
/// shadow, and the user's tape, which is returned. Null where there is none.
Value *TangentSweep::replayCustom(CallBase &C, const CustomRule &Rule,
                                  Value *&Result, IRBuilder<> &B) {
  if (!C.getType()->isVoidTy())
    Result = E.RT.next(B, Tape, C.getType());
  if (Act.shadowed(&C))
    Shadows[&C] = E.RT.next(B, Tape, C.getType());
  return Rule.Tape ? E.RT.next(B, Tape, Rule.Tape) : nullptr;
}

/// The tangent of the result, and its shadow if that is not known.
void TangentSweep::takeDerivative(CallBase &C, CustomCall &Call, int Field,
                                  IRBuilder<> &B, bool ShadowKnown) {
  if (Field < 0)
    return;
  Value *Memory = resultOperand(C);
  if (Memory && Act.shadowed(Memory))
    copyResult(B, shadow(Memory), Call.resultAddress(Field), C);
  if (Act.active(&C))
    Tangents[&C] = derivativeAs(B, Call.result(Field), Act.adjointType(&C));
  if (Act.shadowed(&C) && !ShadowKnown)
    Shadows[&C] = Call.result(Field);
}

void TangentSweep::customCall(CallBase &C, const CustomRule &Rule) {
  IRBuilder<> B(cloned(C));
  PrimalSignature S(*Act.unit().Registered.of(C)->Primal);
  Value *Tape = nullptr;
  auto Operand = [&](const CustomParam &P) {
    if (P.What == CustomParam::Tape)
      return Tape;
    Value *A = C.getArgOperand(P.Arg);
    if (P.What == CustomParam::Primal)
      return primal(A);
    return S.isNumber(P.Arg) ? tangent(A) : shadow(A);
  };
  Value *Memory = resultOperand(C);
  Value *Result = nullptr;
  bool SecondPass = this->Tape && Rule.Augmented.F;
  if (SecondPass)
    Tape = replayCustom(C, Rule, Result, B);
  auto TakePrimal = [&](CustomCall &Call, const CustomFunction &F) {
    if (F.Primal < 0 || Result)
      return;
    Result = Memory ? Memory : Call.result(F.Primal);
    if (Memory)
      copyResult(B, primal(Memory), Call.resultAddress(F.Primal), C);
  };
  E.forLanes([&] {
    if (Rule.Augmented.F && !SecondPass) {
      CustomCall First(B, Rule.Augmented);
      First.emit(Operand, C.getDebugLoc());
      TakePrimal(First, Rule.Augmented);
      takeDerivative(C, First, Rule.Augmented.Derivative, B, SecondPass);
      Tape = Rule.Augmented.Tape >= 0 ? First.result(Rule.Augmented.Tape)
                                      : nullptr;
    }
    CustomCall Call(B, Rule.Derivative);
    Call.emit(Operand, C.getDebugLoc());
    TakePrimal(Call, Rule.Derivative);
    takeDerivative(C, Call, Rule.Derivative.Derivative, B, SecondPass);
  });
  if (!Rule.Besides)
    replaceCloned(C, C.getType()->isVoidTy() ? nullptr : Result);
}

} // namespace retro
