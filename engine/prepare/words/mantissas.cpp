// Input: bit operations that replace a number's exponent by a constant, as
// frexp and logarithms for vector registers do. Output: the number times a
// power of two, which has a derivative; bit operations have none.
#include "prepare/words/mantissas.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

struct Replacement {
  BitCastInst *Result;
  Value *X;     ///< the number that gives sign and mantissa
  int Exponent; ///< of the result, as frexp has it
};

std::optional<Replacement> match(BitCastInst &C) {
  Type *T = C.getType();
  Value *X;
  const APInt *Keep, *Bits;
  if (!T->isFPOrFPVectorTy() ||
      !PatternMatch::match(
          C.getOperand(0),
          m_Or(m_And(m_BitCast(m_Value(X)), m_APInt(Keep)), m_APInt(Bits))) ||
      X->getType() != T)
    return std::nullopt;
  const fltSemantics &S = T->getScalarType()->getFltSemantics();
  APInt Exponents = APFloat::getInf(S).bitcastToAPInt();
  if (*Keep != ~Exponents || !Bits->isSubsetOf(Exponents) || Bits->isZero() ||
      *Bits == Exponents)
    return std::nullopt;
  return Replacement{&C, X, ilogb(APFloat(S, *Bits)) + 1};
}

/// The mantissa of one lane. The bits of what is no normal number are not
/// followed: zero and infinity have no digits, and the others are not meant to
/// get here.
Value *mantissa(IRBuilder<> &B, Value *X, int Exponent) {
  Type *T = X->getType();
  const fltSemantics &S = T->getFltSemantics();
  Value *M = B.CreateExtractValue(
      B.CreateIntrinsic(Intrinsic::frexp, {T, B.getInt32Ty()}, {X}), 0);
  auto Power = [&](int E) {
    return ConstantFP::get(
        T, scalbn(APFloat::getOne(S), E, APFloat::rmNearestTiesToEven));
  };
  Value *Normal = B.createIsFPClass(X, fcNormal);
  Value *Bare =
      B.CreateBinaryIntrinsic(Intrinsic::copysign, Power(Exponent - 1), X);
  return B.CreateSelect(Normal, B.CreateFMul(M, Power(Exponent)), Bare);
}

} // namespace

void lowerMantissas(Function &F) {
  SmallVector<Replacement> Work;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<BitCastInst>(&I))
      if (auto R = match(*C))
        Work.push_back(*R);
  for (const Replacement &R : Work) {
    IRBuilder<> B(R.Result);
    Value *Y;
    if (auto *T = dyn_cast<FixedVectorType>(R.X->getType())) {
      Y = PoisonValue::get(T);
      for (unsigned L = 0; L < T->getNumElements(); ++L)
        Y = B.CreateInsertElement(
            Y, mantissa(B, B.CreateExtractElement(R.X, L), R.Exponent), L);
    } else {
      Y = mantissa(B, R.X, R.Exponent);
    }
    R.Result->replaceAllUsesWith(Y);
    R.Result->eraseFromParent();
  }
}

} // namespace retro
