#include "emit/calls/complex.h"

#include "prepare/calls/library_calls.h"
#include "emit/tangent.h"

using namespace llvm;

namespace retro {

using rules::ComplexOp;
using rules::complexOpOf;

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
        M, complexSpelling(rules::nameOf(Op), T),
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

Value *part(IRBuilder<> &B, Value *Z, unsigned I) {
  return Z->getType()->isVectorTy() ? B.CreateExtractElement(Z, I)
                                    : B.CreateExtractValue(Z, I);
}

/// The number type of a pair in one of the shapes that calls pass it in.
Type *pairOf(Type *T) {
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return V->getNumElements() == 2 ? V->getElementType() : nullptr;
  if (auto *S = dyn_cast<StructType>(T))
    return S->getNumElements() == 2 &&
                   S->getElementType(0) == S->getElementType(1)
               ? S->getElementType(0)
               : nullptr;
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() == 2 ? A->getElementType() : nullptr;
  return nullptr;
}

/// Adds the numbers that parameter N of a library function passes.
bool unpack(IRBuilder<> &B, CallBase &C, unsigned N,
            SmallVectorImpl<Value *> &Out) {
  Value *A = C.getArgOperand(N);
  Type *T = A->getType();
  if (T->isFloatingPointTy()) {
    Out.push_back(A);
    return true;
  }
  Type *Memory = T->isPointerTy() ? C.getParamByValType(N) : nullptr;
  Type *Number = pairOf(Memory ? Memory : T);
  if (!Number || !Number->isFloatingPointTy())
    return false;
  for (unsigned I = 0; I < 2; ++I)
    Out.push_back(Memory
                      ? B.CreateLoad(Number, B.CreateConstGEP1_32(Number, A, I))
                      : part(B, A, I));
  return true;
}

Value *pack(IRBuilder<> &B, Type *T, Value *Re, Value *Im) {
  Value *R = PoisonValue::get(T);
  if (T->isVectorTy())
    return B.CreateInsertElement(B.CreateInsertElement(R, Re, uint64_t(0)), Im,
                                 uint64_t(1));
  return B.CreateInsertValue(B.CreateInsertValue(R, Re, 0), Im, 1);
}

} // namespace

bool canonicalizeComplex(CallBase &C, KnownCall K) {
  ComplexOp Op = complexOpOf(K.Row->Text);
  auto *F =
      dyn_cast<Function>(C.getCalledOperand()->stripPointerCastsAndAliases());
  SmallVector<Value *> Ops;
  IRBuilder<> B(&C);
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (!unpack(B, C, N, Ops))
      return false;
  if (!F || isa<InvokeInst>(C) ||
      Ops.size() != 2 * static_cast<size_t>(rules::arityOf(Op)))
    return false;
  Type *T = Ops[0]->getType();
  Type *Result =
      rules::isReal(Op) ? T : static_cast<Type *>(StructType::get(T, T));
  if (rules::isReal(Op) ? C.getType() != T : pairOf(C.getType()) != T)
    return false;
  SmallVector<Type *> Types(Ops.size(), T);
  Function *G =
      canonicalFunction(*F->getParent(), F->getName(),
                        FunctionType::get(Result, Types, false), F->getName());
  G->setDoesNotAccessMemory();
  CallInst *New = B.CreateCall(G, Ops);
  Value *R = New;
  if (!rules::isReal(Op))
    R = pack(B, C.getType(), B.CreateExtractValue(New, 0),
             B.CreateExtractValue(New, 1));
  C.replaceAllUsesWith(R);
  C.eraseFromParent();
  return true;
}

void expandComplex(CallBase &C) {
  Function &G = *C.getCalledFunction();
  ComplexOp Op = complexOpOf(knownCall(C).Row->Text);
  Function *Like = conventionsOf(G);
  FunctionType *LT = Like->getFunctionType();
  Type *T = C.getArgOperand(0)->getType();
  Module &M = *G.getParent();
  // The compiler's own functions take numbers, the library's what a complex
  // number is passed as.
  bool Runtime = Op == ComplexOp::Mul || Op == ComplexOp::Div;
  SmallVector<Type *> Params;
  Type *Pair = nullptr, *Memory = nullptr;
  if (!Runtime && !LT->getParamType(0)->isFloatingPointTy()) {
    Pair = LT->getParamType(0);
    Memory = Like->getParamByValType(0);
  }
  for (unsigned N = 0; N < C.arg_size(); N += Pair ? 2 : 1)
    Params.push_back(Pair ? Pair : T);
  Type *Result = T;
  if (!rules::isReal(Op)) {
    Type *First = LT->getParamType(0);
    Result = pairOf(LT->getReturnType()) ? LT->getReturnType()
             : First->isVectorTy()       ? First
                                         : StructType::get(T, T);
  }
  FunctionCallee F = M.getOrInsertFunction(
      libraryName(G), FunctionType::get(Result, Params, false));
  IRBuilder<> B(&C);
  SmallVector<Value *> Args;
  for (unsigned N = 0; N < C.arg_size(); N += Pair ? 2 : 1) {
    if (!Pair) {
      Args.push_back(C.getArgOperand(N));
      continue;
    }
    Value *Re = C.getArgOperand(N), *Im = C.getArgOperand(N + 1);
    if (!Memory) {
      Args.push_back(pack(B, Pair, Re, Im));
      continue;
    }
    BasicBlock &Entry = C.getFunction()->getEntryBlock();
    IRBuilder<> EB(&Entry, Entry.begin());
    AllocaInst *Place = EB.CreateAlloca(Memory);
    Place->setAlignment(Like->getParamAlign(0).value_or(Place->getAlign()));
    B.CreateStore(Re, B.CreateConstGEP1_32(T, Place, 0));
    B.CreateStore(Im, B.CreateConstGEP1_32(T, Place, 1));
    Args.push_back(Place);
  }
  CallInst *New = B.CreateCall(F, Args);
  New->setDebugLoc(C.getDebugLoc());
  if (Memory)
    for (unsigned N = 0; N < Args.size(); ++N)
      for (auto X : {Attribute::ByVal, Attribute::Alignment})
        if (Like->hasParamAttribute(0, X))
          New->addParamAttr(N, Like->getAttributes().getParamAttr(0, X));
  Value *R = New;
  if (!rules::isReal(Op))
    R = pack(B, C.getType(), part(B, New, 0), part(B, New, 1));
  C.replaceAllUsesWith(R);
  C.eraseFromParent();
}

ComplexRule::ComplexRule(IRBuilder<> &B, const CallBase &C,
                         ArrayRef<Value *> Operands, Value *Result)
    : B(B), C(C), Operands(Operands), Result(Result) {
  KnownCall K = knownCall(C);
  Op = complexOpOf(K.Row->Text);
  Known = K.Canonical;
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
  return rules::isReal(Op) ? Sum.Re : pack(B, C.getType(), Sum.Re, Sum.Im);
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
  auto Uses = rules::complexUsesOf(complexOpOf(K.Row->Text));
  SmallVector<Value *> Operands;
  for (Value *A : C.args())
    Operands.push_back(Uses.operand ? primal(A)
                                    : PoisonValue::get(A->getType()));
  ComplexRule Rule(B, C, Operands, Uses.result ? primal(&C) : nullptr);
  if (!Rule.known())
    return E.R.error(Diag::NoDerivative, &C, {K.Row->Name.str()});
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

Value *TangentSweep::complexTangent(CallBase &C, KnownCall K, IRBuilder<> &B) {
  SmallVector<Value *> Operands, Tangents;
  for (Value *A : C.args()) {
    Operands.push_back(primal(A));
    Tangents.push_back(Act.active(A) ? tangent(A) : nullptr);
  }
  ComplexRule Rule(B, C, Operands, primal(&C));
  if (!Rule.known()) {
    E.R.error(Diag::NoDerivative, &C, {K.Row->Name.str()});
    return Constant::getNullValue(C.getType());
  }
  return Rule.tangent(Tangents);
}

} // namespace retro
