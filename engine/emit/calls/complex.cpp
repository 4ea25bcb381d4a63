// Complex functions in the sweeps, by the factors of rules/complex.h: a tangent
// is multiplied by one, an adjoint by its conjugate. Calls of complex functions
// stay calls in canonical form until all is emitted, so that the next
// derivative knows them, too. Without it a complex function would be a call
// without a derivative.
#include "emit/calls/complex.h"

#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "ir/canonical_functions.h"
#include "prepare/calls/complex_calls.h"

using namespace llvm;

namespace retro {

using rules::ComplexOp;

namespace {

/// The builder of rules/complex.h that emits IR.
class ComplexIR {
public:
  using Complex = ComplexValue;
  struct Operands {
    const ComplexRule &Rule;
    Complex in(int I) { return Rule.operand(static_cast<unsigned>(I)); }
    Complex out() { return Rule.result(); }
  };

  ComplexIR(IRBuilder<> &B, const Function &Like)
      : B(B), Like(Like), T(Like.getFunctionType()->getParamType(0)) {}

  Complex constant(double Re, double Im) {
    return {ConstantFP::get(T, Re), ConstantFP::get(T, Im)};
  }
  Complex add(Complex X, Complex Y) {
    return {B.CreateFAdd(X.Re, Y.Re), B.CreateFAdd(X.Im, Y.Im)};
  }
  Complex neg(Complex X) { return {B.CreateFNeg(X.Re), B.CreateFNeg(X.Im)}; }
  Complex conj(Complex X) { return {X.Re, B.CreateFNeg(X.Im)}; }
  Complex plus(Complex X, double C) {
    return {B.CreateFAdd(X.Re, ConstantFP::get(T, C)), X.Im};
  }
  Complex timesI(Complex X) { return {B.CreateFNeg(X.Im), X.Re}; }
  Complex scale(Complex X, Value *R) {
    return {B.CreateFMul(X.Re, R), B.CreateFMul(X.Im, R)};
  }
  Complex scaleDown(Complex X, Complex Y) {
    return {B.CreateFDiv(X.Re, Y.Re), B.CreateFDiv(X.Im, Y.Re)};
  }
  Complex mul(Complex X, Complex Y) {
    return {B.CreateFSub(B.CreateFMul(X.Re, Y.Re), B.CreateFMul(X.Im, Y.Im)),
            B.CreateFAdd(B.CreateFMul(X.Re, Y.Im), B.CreateFMul(X.Im, Y.Re))};
  }
  Complex div(Complex X, Complex Y) { return call(ComplexOp::Div, X, Y); }
  Complex call(ComplexOp Op, Complex X) { return emit(Op, {X.Re, X.Im}); }
  Complex call(ComplexOp Op, Complex X, Complex Y) {
    return emit(Op, {X.Re, X.Im, Y.Re, Y.Im});
  }
  /// Product, or 0 where Seed is 0 and it is not a number.
  Complex zeroWhere(Complex Seed, Complex Product) {
    Value *Zero = ConstantFP::get(T, 0);
    Value *None = B.CreateAnd(B.CreateFCmpOEQ(Seed.Re, Zero),
                              B.CreateFCmpOEQ(Seed.Im, Zero));
    None = B.CreateAnd(None, B.CreateFCmpUNO(Product.Re, Product.Im));
    return {B.CreateSelect(None, Zero, Product.Re),
            B.CreateSelect(None, Zero, Product.Im)};
  }

private:
  Complex emit(ComplexOp Op, ArrayRef<Value *> Ops) {
    SmallVector<Type *> Types(Ops.size(), T);
    Module &M = *B.GetInsertBlock()->getModule();
    Function *F = canonicalFunction(
        M, complexSpelling(Op, T),
        FunctionType::get(StructType::get(T, T), Types, false),
        conventionsOf(Like)->getName());
    F->setDoesNotAccessMemory();
    Value *R = B.CreateCall(F, Ops);
    return {B.CreateExtractValue(R, 0), B.CreateExtractValue(R, 1)};
  }

  IRBuilder<> &B;
  const Function &Like;
  Type *T;
};

} // namespace

ComplexRule::ComplexRule(IRBuilder<> &B, const CallBase &C,
                         ArrayRef<Value *> Operands, Value *Result)
    : B(B), C(C), Operands(Operands), Result(Result) {
  KnownCall K = knownCall(C);
  Op = K.Row->word<ComplexOp>();
}

ComplexValue ComplexRule::result() const {
  if (!Result->getType()->isStructTy())
    return {Result, Constant::getNullValue(Result->getType())};
  return {B.CreateExtractValue(Result, 0), B.CreateExtractValue(Result, 1)};
}

Value *ComplexRule::tangent(ArrayRef<Value *> Tangents) {
  ComplexIR Ops(B, *C.getCalledFunction());
  ComplexIR::Operands X{*this};
  ComplexValue Sum = Ops.constant(0, 0);
  for (unsigned N = 0; 2 * N < Tangents.size(); ++N) {
    ComplexValue D{Tangents[2 * N], Tangents[2 * N + 1]};
    if (!D.Re && !D.Im)
      continue;
    Value *Zero = ConstantFP::get(Operands[0]->getType(), 0);
    D = {D.Re ? D.Re : Zero, D.Im ? D.Im : Zero};
    ComplexValue F = complexFactor(Op, Ops, X, static_cast<int>(N));
    ComplexValue P = Ops.conj(D);
    if (rules::isReal(Op))
      P = Ops.mul(F, P); // its real part is the sum that counts
    else if (Op != ComplexOp::Conj)
      P = Ops.mul(F, D);
    Sum = Ops.add(Sum, Ops.zeroWhere(D, P));
  }
  return rules::isReal(Op) ? Sum.Re
                           : packComplex(B, C.getType(), Sum.Re, Sum.Im);
}

ComplexValue ComplexRule::adjoint(Value *G, unsigned N) {
  ComplexIR Ops(B, *C.getCalledFunction());
  ComplexIR::Operands X{*this};
  ComplexValue F = complexFactor(Op, Ops, X, static_cast<int>(N));
  if (rules::isReal(Op)) {
    ComplexValue Seed{G, Constant::getNullValue(G->getType())};
    return Ops.zeroWhere(Seed, Ops.scale(F, G));
  }
  ComplexValue Seed{B.CreateExtractValue(G, 0), B.CreateExtractValue(G, 1)};
  if (Op == ComplexOp::Conj)
    return Ops.conj(Seed);
  return Ops.zeroWhere(Seed, Ops.mul(Ops.conj(F), Seed));
}

void ReverseSweep::complexAdjoint(CallBase &C, KnownCall K) {
  auto Uses = rules::complexUsesOf(K.Row->word<ComplexOp>());
  SmallVector<Value *> Operands;
  for (Value *A : C.args())
    Operands.push_back(Uses.operand ? primal(A)
                                    : PoisonValue::get(A->getType()));
  ComplexRule Rule(B, C, Operands, Uses.result ? primal(&C) : nullptr);
  Value *G = takeAdjoint(&C);
  for (unsigned N = 0; 2 * N < C.arg_size(); ++N) {
    Value *Re = C.getArgOperand(2 * N), *Im = C.getArgOperand(2 * N + 1);
    if (!Act.active(Re) && !Act.active(Im))
      continue;
    ComplexValue D = Rule.adjoint(G, N);
    addAdjoint(Re, D.Re);
    addAdjoint(Im, D.Im);
  }
}

Value *TangentSweep::complexTangent(CallBase &C, IRBuilder<> &B) {
  SmallVector<Value *> Operands, Tangents;
  for (Value *A : C.args()) {
    Operands.push_back(primal(A));
    Tangents.push_back(Act.active(A) ? tangent(A) : nullptr);
  }
  ComplexRule Rule(B, C, Operands, primal(&C));
  return Act.unit().Errors ? complexError(C, Rule, Tangents, B)
                           : Rule.tangent(Tangents);
}

} // namespace retro
