// The exponent of a number, without its digits, is a power of two; what its
// last digit stands for is a constant times that. No function of the C library
// says so for all types and for vectors.
#include "emit/words/last_place.h"

using namespace llvm;

namespace retro {
namespace {

int digitsOf(const fltSemantics &S) {
  return static_cast<int>(APFloat::semanticsPrecision(S));
}

APFloat power(const fltSemantics &S, int Exponent) {
  return scalbn(APFloat::getOne(S), Exponent, APFloat::rmNearestTiesToEven);
}

} // namespace

Value *unitInLastPlace(IRBuilder<> &B, Value *V, bool Underflows) {
  Type *T = V->getType();
  const fltSemantics &S = T->getScalarType()->getFltSemantics();
  // The bits of infinity are those of the exponent.
  APInt Exponent = APFloat::getInf(S).bitcastToAPInt();
  Type *Bits = T->getWithNewType(B.getIntNTy(Exponent.getBitWidth()));
  Value *Power = B.CreateBitCast(
      B.CreateAnd(B.CreateBitCast(V, Bits), ConstantInt::get(Bits, Exponent)),
      T);
  Value *Unit =
      B.CreateFMul(Power, ConstantFP::get(T, power(S, 1 - digitsOf(S))));
  if (!Underflows)
    return Unit;
  return B.CreateMaxNum(Unit, ConstantFP::get(T, APFloat::getSmallest(S)));
}

Value *largestExact(Type *T) {
  const fltSemantics &S = T->getScalarType()->getFltSemantics();
  return ConstantFP::get(T, power(S, digitsOf(S)));
}

} // namespace retro
