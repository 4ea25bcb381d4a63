// Forward mode of the routines of BLAS. A product has a summand for each
// operand: the routine again, with a tangent in the place of the operand. What
// reads old values comes before the call, what reads its result behind it. As
// loops they would be right, too, and many times slower. Members of BlasTangent
// (blas_derivative.h).
#include "emit/calls/blas_derivative.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

void BlasTangent::emitBefore() {
  changeBefore();
  O.finish();
}

void BlasTangent::changeBefore() {
  V N = in(S::N);
  switch (O.routine().Id) {
  case BlasId::Axpy:
    if (View XD = shadow(S::X))
      axpy(N, in(S::Alpha), XD, shadow(S::Y));
    if (V D = tangent(S::Alpha))
      axpy(N, D, before(S::X), shadow(S::Y));
    return;
  case BlasId::Scal:
    O.scaleVector(in(S::Alpha), N, shadow(S::X));
    if (V D = tangent(S::Alpha))
      axpy(N, D, before(S::X), shadow(S::X));
    return;
  case BlasId::Gemv:
  case BlasId::Symv:
    return matrixVector();
  case BlasId::Ger:
  case BlasId::Syr:
  case BlasId::Syr2:
    return rankOne();
  case BlasId::Trmv:
    return triangularVector();
  case BlasId::Gemm:
  case BlasId::Symm:
  case BlasId::Syrk:
  case BlasId::Syr2k:
    return matrixMatrix();
  case BlasId::Trmm:
    return triangularMatrix();
  case BlasId::Trsm:
    O.scaleMatrix(in(S::Alpha), in(S::M), N, shadow(S::B));
    if (V D = tangent(S::Alpha))
      addMatrix(in(S::M), N, D, before(S::B), shadow(S::B));
    return;
  default:
    return; // its tangent is had after the call
  }
}

Value *BlasTangent::emitAfter() {
  const BlasRoutine &R = O.routine();
  V Result = nullptr;
  if (R.Library == BlasRoutine::Lapack)
    lapack();
  else if (R.Result == BlasRoutine::Number)
    Result = reduction();
  else if (R.Id == BlasId::Copy || R.Id == BlasId::Swap)
    moved();
  else if (R.Id == BlasId::Trsv)
    solveVector();
  else if (R.Id == BlasId::Trsm)
    solveMatrix();
  O.finish();
  return Result;
}

Value *BlasTangent::reduction() {
  V N = in(S::N);
  View XD = shadow(S::X), X = before(S::X);
  if (O.routine().Id == BlasId::Dot) {
    if (XD && O.isSquare())
      return times(O.constant(2), dot(N, XD, X));
    V Sum = XD ? dot(N, XD, before(S::Y)) : zero();
    if (View YD = shadow(S::Y))
      Sum = IR.CreateFAdd(Sum, dot(N, X, YD));
    return Sum;
  }
  IROps Ops(IR, true);
  if (O.routine().Id == BlasId::Nrm2) {
    V D = dot(N, X, XD);
    return rules::guarded<IROps>(Ops, D, IR.CreateFDiv(D, From.Result()));
  }
  X = O.toHost(N, X);
  XD = O.toHost(N, XD);
  return O.sum([&](function_ref<void(V)> Sum) {
    emitLoop(IR, O.count(N), [&](V I) {
      V E = O.load(O.element(X, N, I)), G = O.load(O.element(XD, N, I));
      Sum(signOf(Ops, E, G));
    });
  });
}

void BlasTangent::moved() {
  V N = in(S::N);
  View XD = shadow(S::X), YD = shadow(S::Y);
  if (XD && YD) {
    O.call(O.routine().Id, {{S::N, N}, {S::X, XD}, {S::Y, YD}});
    return;
  }
  // What comes from inactive memory has no tangent.
  bool Copy = O.routine().Id == BlasId::Copy;
  View To = YD ? YD : Copy ? View() : XD;
  if (To)
    O.clearVector(N, To);
}

/// Calls the routine with one of its operands replaced, and the tangent in the
/// place of the result, of which Keep is left.
void BlasTangent::summand(BlasSlot Output, BlasArg Instead, V &Keep) {
  again({Instead, {Output, shadow(Output)}, {S::Beta, Keep}});
  Keep = one();
}

/// y = a op(A) x + b y: the sum over the operands.
void BlasTangent::matrixVector() {
  View YD = shadow(S::Y);
  V N = in(S::N), Keep = in(S::Beta);
  bool General = O.routine().Id == BlasId::Gemv;
  V Length = General ? O.choose(in(S::TransA), N, in(S::M)) : N;
  for (BlasSlot X : {S::A, S::X})
    if (View D = shadow(X))
      summand(S::Y, {X, D}, Keep);
  if (V D = tangent(S::Alpha))
    summand(S::Y, {S::Alpha, D}, Keep);
  V Empty = O.no(); // then nothing happens to y
  if (General)
    Empty = IR.CreateICmpEQ(O.count(O.choose(in(S::TransA), in(S::M), N)),
                            IR.getInt64(0));
  O.scaleVector(O.choose(Empty, one(), Keep), Length, YD);
  if (V D = tangent(S::Beta))
    axpy(Length, O.choose(Empty, zero(), D), before(S::Y), YD);
}

/// A += a x y', a x x' and a (x y' + y x')
void BlasTangent::rankOne() {
  V Keep = nullptr;
  if (V D = tangent(S::Alpha))
    summand(S::A, {S::Alpha, D}, Keep);
  if (O.routine().Id == BlasId::Syr) {
    if (View XD = shadow(S::X))
      again({{S::Y, XD}, {S::A, shadow(S::A)}}, BlasId::Syr2);
    return;
  }
  for (BlasSlot X : {S::X, S::Y})
    if (View D = shadow(X))
      summand(S::A, {X, D}, Keep);
}

/// Y = op(A.) X, where the diagonal that is not stored does not change.
BlasView BlasTangent::tangentTimesVector(View X) {
  V N = in(S::N);
  View T = O.newVector(N);
  O.call(BlasId::Copy, {{S::N, N}, {S::X, X}, {S::Y, T}});
  again({{S::A, shadow(S::A)}, {S::X, T}}, BlasId::Trmv);
  View Host = O.toHost(N, T), Old = O.toHost(N, X);
  O.forDiagonal(N, [&](V I) {
    V P = O.element(Host, N, I), E = O.load(P);
    V Difference = IR.CreateFSub(E, O.load(O.element(Old, N, I)));
    O.store(O.choose(in(S::Diag), Difference, E), P);
  });
  O.fromHost(N, Host, T);
  return T;
}

void BlasTangent::triangularVector() {
  View XD = shadow(S::X);
  View T = shadow(S::A) ? tangentTimesVector(before(S::X)) : View();
  again({{S::X, XD}});
  if (T)
    axpy(in(S::N), one(), T, XD);
}

void BlasTangent::solveVector() {
  View XD = shadow(S::X);
  if (shadow(S::A))
    axpy(in(S::N), minusOne(), tangentTimesVector(after(S::X)), XD);
  again({{S::X, XD}});
}

/// C = a op(A) op(B) + b C and its relatives
void BlasTangent::matrixMatrix() {
  View CD = shadow(S::C);
  V N = in(S::N), Keep = in(S::Beta);
  bool Triangle =
      O.routine().Id == BlasId::Syrk || O.routine().Id == BlasId::Syr2k;
  if (O.routine().Id == BlasId::Syrk) {
    if (View AD = shadow(S::A)) {
      again({{S::B, AD}, {S::Beta, Keep}, {S::C, CD}}, BlasId::Syr2k);
      Keep = one();
    }
  } else {
    for (BlasSlot X : {S::A, S::B})
      if (View D = shadow(X))
        summand(S::C, {X, D}, Keep);
  }
  if (V D = tangent(S::Alpha))
    summand(S::C, {S::Alpha, D}, Keep);
  if (Triangle)
    O.scaleTriangle(Keep, N, in(S::Uplo), CD);
  else
    O.scaleMatrix(Keep, in(S::M), N, CD);
  V D = tangent(S::Beta);
  if (D && Triangle)
    addTriangle(N, in(S::Uplo), O.no(), D, before(S::C), false, CD);
  else if (D)
    addMatrix(in(S::M), N, D, before(S::C), CD);
}

void BlasTangent::triangularProduct(V Factor, View A, View B) {
  again({{S::Alpha, Factor}, {S::A, A}, {S::B, B}}, BlasId::Trmm);
}

/// op(A.) B, or B op(A.), in memory of its own
BlasView BlasTangent::tangentTimesMatrix(View B) {
  V M = in(S::M), N = in(S::N);
  View T = O.newMatrix(M, N);
  O.copyMatrix(M, N, B, T);
  triangularProduct(one(), shadow(S::A), T);
  View Host = O.toHost(M, N, T), Old = O.toHost(M, N, B);
  O.forEach(M, N, [&](V R, V C) {
    V P = O.at(Host, R, C), E = O.load(P);
    V Difference = IR.CreateFSub(E, O.load(O.at(Old, R, C)));
    O.store(O.choose(in(S::Diag), Difference, E), P);
  });
  O.fromHost(M, N, Host, T);
  return T;
}

void BlasTangent::triangularMatrix() {
  V M = in(S::M), N = in(S::N);
  View BD = shadow(S::B), T, Scaled;
  if (shadow(S::A))
    T = tangentTimesMatrix(before(S::B));
  if (V D = tangent(S::Alpha)) {
    Scaled = O.newMatrix(M, N);
    O.copyMatrix(M, N, before(S::B), Scaled);
    triangularProduct(D, before(S::A), Scaled);
  }
  triangularProduct(in(S::Alpha), before(S::A), BD);
  if (T)
    addMatrix(M, N, in(S::Alpha), T, BD);
  if (Scaled)
    addMatrix(M, N, one(), Scaled, BD);
}

void BlasTangent::solveMatrix() {
  V M = in(S::M), N = in(S::N);
  View BD = shadow(S::B);
  if (shadow(S::A))
    addMatrix(M, N, minusOne(), tangentTimesMatrix(after(S::B)), BD);
  again({{S::Alpha, one()}, {S::B, BD}});
}

} // namespace retro
