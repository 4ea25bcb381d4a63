// Input: an expression, and what its leaves are elsewhere. Output: the same
// number there. LLVM's own expander writes only into the function that it has
// analysed, and a derivative is another one.
#include "ir/expressions.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace retro {
namespace {

using Values = function_ref<Value *(const Value *)>;
using Counters = function_ref<Value *(const BasicBlock *)>;

Value *emitRecurrence(IRBuilder<> &B, const SCEVAddRecExpr &S, Values Of,
                      Counters Counter) {
  Value *Start = emitExpression(B, S.getStart(), Of, Counter);
  Value *Step = emitExpression(B, S.getOperand(1), Of, Counter);
  Value *N =
      B.CreateZExtOrTrunc(Counter(S.getLoop()->getHeader()), Step->getType());
  return B.CreateAdd(Start, B.CreateMul(N, Step));
}

} // namespace

Value *emitExpression(IRBuilder<> &B, const SCEV *S, Values Of,
                      Counters Counter) {
  auto Operand = [&](const SCEV *X) {
    return emitExpression(B, X, Of, Counter);
  };
  auto Fold = [&](auto Combine) {
    Value *V = Operand(S->operands().front());
    for (const SCEV *X : drop_begin(S->operands()))
      V = Combine(V, Operand(X));
    return V;
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(S)->getValue();
  case scUnknown:
    return Of(cast<SCEVUnknown>(S)->getValue());
  case scTruncate:
    return B.CreateTrunc(Operand(S->operands().front()), S->getType());
  case scZeroExtend:
    return B.CreateZExt(Operand(S->operands().front()), S->getType());
  case scSignExtend:
    return B.CreateSExt(Operand(S->operands().front()), S->getType());
  case scAddExpr:
    return Fold([&](Value *X, Value *Y) { return B.CreateAdd(X, Y); });
  case scMulExpr:
    return Fold([&](Value *X, Value *Y) { return B.CreateMul(X, Y); });
  case scAddRecExpr:
    return emitRecurrence(B, *cast<SCEVAddRecExpr>(S), Of, Counter);
  default:
    llvm_unreachable("the facts admit no other expressions");
  }
}

} // namespace retro
