// Input: calls of complex functions by the interfaces of C, C++ and Fortran,
// which pass a complex number as a vector, a struct, two numbers or an address.
// Output: calls of canonical functions of real and imaginary parts; and back in
// emitted functions. Without one form each rule would have to know all
// interfaces.
#include "prepare/calls/complex_calls.h"

#include "ir/canonical_functions.h"
#include "rules/complex.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

Value *part(IRBuilder<> &B, Value *Z, unsigned I) {
  return Z->getType()->isVectorTy() ? B.CreateExtractElement(Z, I)
                                    : B.CreateExtractValue(Z, I);
}

/// The type of the two numbers, if T is a shape in which calls pass a pair.
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

/// Collects the numbers that parameter N of a library function passes.
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

} // namespace

Value *packComplex(IRBuilder<> &B, Type *T, Value *Re, Value *Im) {
  Value *R = PoisonValue::get(T);
  if (T->isVectorTy())
    return B.CreateInsertElement(B.CreateInsertElement(R, Re, uint64_t(0)), Im,
                                 uint64_t(1));
  return B.CreateInsertValue(B.CreateInsertValue(R, Re, 0), Im, 1);
}

using rules::ComplexOp;

bool canonicalizeComplex(CallBase &C, KnownCall K) {
  ComplexOp Op = K.Row->word<ComplexOp>();
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
    R = packComplex(B, C.getType(), B.CreateExtractValue(New, 0),
                    B.CreateExtractValue(New, 1));
  C.replaceAllUsesWith(R);
  C.eraseFromParent();
  return true;
}

namespace {

/// How a function of the library takes and returns complex numbers: the
/// compiler's own take single numbers, the others a number in the shape of the
/// platform's ABI.
struct ComplexAbi {
  Function *Like;         ///< has that shape
  Type *Pair = nullptr;   ///< what a number is passed as, if as one
  Type *Memory = nullptr; ///< what lies at a place, if it is passed at one

  ComplexAbi(Function &G, ComplexOp Op) : Like(conventionsOf(G)) {
    bool Runtime = Op == ComplexOp::Mul || Op == ComplexOp::Div;
    if (Runtime || type()->getParamType(0)->isFloatingPointTy())
      return;
    Pair = type()->getParamType(0);
    Memory = Like->getParamByValType(0);
  }
  FunctionType *type() const { return Like->getFunctionType(); }
  unsigned step() const { return Pair ? 2 : 1; }
  Type *result(Type *T, ComplexOp Op) const;
  Value *operand(IRBuilder<> &B, CallBase &C, unsigned N) const;
  void annotate(CallInst &New) const;
};

Type *ComplexAbi::result(Type *T, ComplexOp Op) const {
  if (rules::isReal(Op))
    return T;
  Type *First = type()->getParamType(0);
  return pairOf(type()->getReturnType()) ? type()->getReturnType()
         : First->isVectorTy()           ? First
                                         : StructType::get(T, T);
}

/// Operand N of the canonical call C, or that and the one behind it, as the
/// library takes it.
Value *ComplexAbi::operand(IRBuilder<> &B, CallBase &C, unsigned N) const {
  Value *Re = C.getArgOperand(N);
  if (!Pair)
    return Re;
  Value *Im = C.getArgOperand(N + 1);
  if (!Memory)
    return packComplex(B, Pair, Re, Im);
  BasicBlock &Entry = C.getFunction()->getEntryBlock();
  IRBuilder<> EB(&Entry, Entry.begin());
  AllocaInst *Place = EB.CreateAlloca(Memory);
  Place->setAlignment(Like->getParamAlign(0).value_or(Place->getAlign()));
  B.CreateStore(Re, B.CreateConstGEP1_32(Re->getType(), Place, 0));
  B.CreateStore(Im, B.CreateConstGEP1_32(Re->getType(), Place, 1));
  return Place;
}

void ComplexAbi::annotate(CallInst &New) const {
  if (Memory)
    for (unsigned N = 0; N < New.arg_size(); ++N)
      for (auto X : {Attribute::ByVal, Attribute::Alignment})
        if (Like->hasParamAttribute(0, X))
          New.addParamAttr(N, Like->getAttributes().getParamAttr(0, X));
}

} // namespace

void expandComplex(CallBase &C) {
  Function &G = *C.getCalledFunction();
  ComplexOp Op = knownCall(C).Row->word<ComplexOp>();
  const ComplexAbi Abi(G, Op);
  Type *T = C.getArgOperand(0)->getType();
  SmallVector<Type *> Params(C.arg_size() / Abi.step(),
                             Abi.Pair ? Abi.Pair : T);
  FunctionCallee F = G.getParent()->getOrInsertFunction(
      libraryName(G), FunctionType::get(Abi.result(T, Op), Params, false));
  IRBuilder<> B(&C);
  SmallVector<Value *> Args;
  for (unsigned N = 0; N < C.arg_size(); N += Abi.step())
    Args.push_back(Abi.operand(B, C, N));
  CallInst *New = B.CreateCall(F, Args);
  New->setDebugLoc(C.getDebugLoc());
  Abi.annotate(*New);
  Value *R = New;
  if (!rules::isReal(Op))
    R = packComplex(B, C.getType(), part(B, New, 0), part(B, New, 1));
  C.replaceAllUsesWith(R);
  C.eraseFromParent();
}

} // namespace retro
