// Input: bit operations that replace a number's exponent by a constant, as
// frexp and logarithms do, with the sign or without it, and that step to a
// number's neighbour. Output: the number times a power of two, and nextafter,
// which have derivatives; bit operations have none.
#include "prepare/words/mantissas.h"

#include "front/known/known_functions.h"
#include "front/names/foreign.h"
#include "prepare/words/numbers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

struct Replacement {
  BitCastInst *Result;
  Value *X;      ///< the number that gives sign and mantissa
  int Exponent;  ///< of the result, as frexp has it
  bool Unsigned; ///< the sign is dropped, too
};

std::optional<Replacement> match(BitCastInst &C) {
  Type *T = C.getType();
  Value *X;
  const APInt *Keep, *Bits;
  if (!T->isFPOrFPVectorTy() ||
      !PatternMatch::match(
          C.getOperand(0),
          m_Or(m_And(m_Value(X), m_APInt(Keep)), m_APInt(Bits))) ||
      !isNumber(X))
    return std::nullopt;
  const fltSemantics &S = T->getScalarType()->getFltSemantics();
  APInt Exponents = APFloat::getInf(S).bitcastToAPInt();
  APInt Mantissa = ~Exponents;
  Mantissa.clearSignBit();
  const bool Unsigned = *Keep == Mantissa;
  if ((*Keep != ~Exponents && !Unsigned) || !Bits->isSubsetOf(Exponents) ||
      Bits->isZero() || *Bits == Exponents)
    return std::nullopt;
  return Replacement{&C, X, ilogb(APFloat(S, *Bits)) + 1, Unsigned};
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

/// A number whose bits are Bits and one more or less: the neighbour of the
/// number that Bits are of.
struct Neighbour {
  BitCastInst *Result;
  Value *Bits, *Step; ///< Step: one or minus one
};

/// One or minus one, in each lane.
bool isOne(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  auto *T = C ? dyn_cast<FixedVectorType>(C->getType()) : nullptr;
  for (unsigned L = 0; C && L < (T ? T->getNumElements() : 1); ++L) {
    auto *N = dyn_cast_or_null<ConstantInt>(T ? C->getAggregateElement(L) : C);
    if (!N || !(N->isOne() || N->isMinusOne()))
      return false;
  }
  return C;
}

std::optional<Neighbour> neighbour(BitCastInst &C) {
  Type *T = C.getType();
  Value *X, *Step, *Up, *Down;
  Type *Of = T->getScalarType();
  if (!(Of->isDoubleTy() || Of->isFloatTy()) || isa<ScalableVectorType>(T) ||
      !PatternMatch::match(C.getOperand(0), m_c_Add(m_Value(X), m_Value(Step))))
    return std::nullopt;
  if (isa<Constant, SelectInst>(X))
    std::swap(X, Step);
  const bool Chosen = PatternMatch::match(
      Step, m_Select(m_Value(), m_Value(Up), m_Value(Down)));
  if (!isNumber(X) || (!isOne(Step) && !(Chosen && isOne(Up) && isOne(Down))))
    return std::nullopt;
  return Neighbour{&C, X, Step};
}

/// One more is away from zero, one less is towards zero, whatever the sign. On
/// the other side of infinity and of zero there is no number.
Value *next(IRBuilder<> &B, Value *X, Value *Step) {
  Type *T = X->getType();
  Constant *Zero = Constant::getNullValue(T), *None = ConstantFP::getNaN(T);
  Value *Away =
      B.CreateSelect(B.createIsFPClass(X, fcInf), None,
                     B.CreateBinaryIntrinsic(Intrinsic::copysign,
                                             ConstantFP::getInfinity(T), X));
  Value *Towards = B.CreateSelect(B.createIsFPClass(X, fcZero), None, Zero);
  Value *More = B.CreateICmpSGT(Step, Constant::getNullValue(Step->getType()));
  return callForeign(B,
                     T->isDoubleTy() ? Foreign::nextafter : Foreign::nextafterf,
                     {X, B.CreateSelect(More, Away, Towards)});
}

/// Makes Y of X lane by lane.
Value *eachLane(IRBuilder<> &B, Value *X,
                function_ref<Value *(Value *, unsigned)> Make) {
  auto *T = dyn_cast<FixedVectorType>(X->getType());
  if (!T)
    return Make(X, 0);
  Value *Y = PoisonValue::get(T);
  for (unsigned L = 0; L < T->getNumElements(); ++L)
    Y = B.CreateInsertElement(Y, Make(B.CreateExtractElement(X, L), L), L);
  return Y;
}

/// What Match finds at the casts of F.
template <class T>
SmallVector<T> foundIn(Function &F, std::optional<T> (*Match)(BitCastInst &)) {
  SmallVector<T> Found;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<BitCastInst>(&I))
      if (auto One = Match(*C))
        Found.push_back(*One);
  return Found;
}

/// On a device there is no such function to call.
void lowerNeighbours(Function &F) {
  if (isGpu(*F.getParent()))
    return;
  for (const Neighbour &N : foundIn(F, neighbour)) {
    IRBuilder<> B(N.Result);
    N.Result->replaceAllUsesWith(
        eachLane(B, B.CreateBitCast(N.Bits, N.Result->getType()),
                 [&](Value *X, unsigned L) {
                   return next(B, X,
                               N.Step->getType()->isVectorTy()
                                   ? B.CreateExtractElement(N.Step, L)
                                   : N.Step);
                 }));
    N.Result->eraseFromParent();
  }
}

} // namespace

void lowerMantissas(Function &F) {
  lowerNeighbours(F);
  for (const Replacement &R : foundIn(F, match)) {
    IRBuilder<> B(R.Result);
    Value *Of = B.CreateBitCast(R.X, R.Result->getType());
    Value *Y = eachLane(B, Of, [&](Value *X, unsigned) {
      if (R.Unsigned)
        X = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
      return mantissa(B, X, R.Exponent);
    });
    R.Result->replaceAllUsesWith(Y);
    R.Result->eraseFromParent();
  }
}

} // namespace retro
