// What rules call of functions: intrinsics where LLVM has one, the library's or
// the device's function for the type of number where it has none, and one call
// an element for vectors. A rule is written once for all of these, and would
// otherwise call what the target does not have.
#include "emit/words/ir_ops.h"

#include "front/known/known_functions.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace retro {
namespace {

/// The C library's suffix for a floating-point type.
const char *suffixOf(Type *T) {
  if (T->isFloatTy())
    return "f";
  if (T->isX86_FP80Ty() || T->isPPC_FP128Ty())
    return "l";
  if (T->isFP128Ty())
    return "f128";
  return "";
}

} // namespace

std::optional<double> IROps::known(Value V) {
  const APFloat *C = nullptr;
  if (auto *F = dyn_cast<ConstantFP>(V))
    C = &F->getValueAPF();
  else if (auto *K = dyn_cast<Constant>(V))
    if (auto *S = dyn_cast_or_null<ConstantFP>(
            K->getType()->isVectorTy() ? K->getSplatValue() : nullptr))
      C = &S->getValueAPF();
  if (!C)
    return std::nullopt;
  APFloat D = *C;
  bool Lost;
  D.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lost);
  return D.convertToDouble();
}

IROps::Bool IROps::signbit(Value A) {
  Type *T = A->getType();
  Type *I = T->getWithNewType(
      B.getIntNTy(T->getScalarType()->getPrimitiveSizeInBits()));
  return B.CreateICmpSLT(B.CreateBitCast(A, I), Constant::getNullValue(I));
}

IROps::Value IROps::spread(llvm::Value *V, Type *Like) {
  if (auto *VT = dyn_cast<VectorType>(Like); VT && !V->getType()->isVectorTy())
    return B.CreateVectorSplat(VT->getElementCount(), V);
  return V;
}

IROps::Bool IROps::eqInt(Int N, int C, Value Like) {
  return spread(B.CreateICmpEQ(N, ConstantInt::getSigned(N->getType(), C)),
                Like->getType());
}

IROps::Value IROps::fromInt(Int N, Value Like) {
  return spread(B.CreateSIToFP(N, Like->getType()->getScalarType()),
                Like->getType());
}

IROps::Value IROps::callInt(rules::Fn F, Value A, Int N) {
  // The library takes an int. No number is left of 70000 binary exponents.
  if (N->getType()->getScalarSizeInBits() > 32) {
    Type *Wide = N->getType();
    N = B.CreateBinaryIntrinsic(Intrinsic::smin, N,
                                ConstantInt::get(Wide, 70000));
    N = B.CreateBinaryIntrinsic(Intrinsic::smax, N,
                                ConstantInt::getSigned(Wide, -70000));
    N = B.CreateTrunc(N, Wide->getWithNewBitWidth(32));
  }
  return callPrimal(F, {A, N});
}

IROps::Value IROps::callPrimal(rules::Fn F, ArrayRef<llvm::Value *> Args) {
  PrimalSpelling S = spellingOf(F);
  Type *T = Args[0]->getType();
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Device = isGpu(M) ? deviceSpelling(F, M, T->getScalarType()) : "";
  if (*S.Intrinsic && Device.empty()) {
    Intrinsic::ID Id = Intrinsic::lookupIntrinsicID(S.Intrinsic);
    SmallVector<Type *> Types{T};
    if (Args.size() == 2 && Args[1]->getType()->isIntegerTy())
      Types.push_back(Args[1]->getType());
    return B.CreateIntrinsic(Id, Types, Args);
  }
  if (auto *VT = dyn_cast<FixedVectorType>(T)) {
    llvm::Value *R = PoisonValue::get(T);
    for (unsigned I = 0; I < VT->getNumElements(); ++I) {
      SmallVector<llvm::Value *> Lane;
      for (llvm::Value *A : Args)
        Lane.push_back(A->getType()->isVectorTy() ? B.CreateExtractElement(A, I)
                                                  : A);
      R = B.CreateInsertElement(R, callPrimal(F, Lane), I);
    }
    return R;
  }
  if (T->isHalfTy() || T->isBFloatTy()) {
    SmallVector<llvm::Value *> Wide(Args);
    for (llvm::Value *&A : Wide)
      if (A->getType() == T)
        A = B.CreateFPExt(A, B.getFloatTy());
    return B.CreateFPTrunc(callPrimal(F, Wide), T);
  }
  SmallVector<Type *> Types;
  SmallVector<llvm::Value *> Ordered(Args);
  // The C library's jn and yn take their order first.
  if (F == rules::Fn::Jn || F == rules::Fn::Yn)
    std::swap(Ordered[0], Ordered[1]);
  // A GPU's library has no power with an integer exponent under one name.
  if (F == rules::Fn::Powi && !Device.empty())
    Ordered[1] = B.CreateSIToFP(Ordered[1], T);
  for (llvm::Value *A : Ordered)
    Types.push_back(A->getType());
  FunctionCallee Callee = M.getOrInsertFunction(
      Device.empty() ? std::string(S.Libm) + suffixOf(T) : Device,
      FunctionType::get(T, Types, false));
  auto *Fun = dyn_cast<Function>(Callee.getCallee());
  if (Fun && Fun->isDeclaration()) {
    Fun->setDoesNotThrow();
    Fun->setWillReturn();
  }
  CallInst *C = B.CreateCall(Callee, Ordered);
  C->setDoesNotAccessMemory();
  C->setDoesNotThrow();
  return C;
}

} // namespace retro
