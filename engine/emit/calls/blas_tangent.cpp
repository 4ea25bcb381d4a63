// Forward mode of the routines of BLAS.
#include "emit/calls/blas_derivative.h"
#include "emit/words/ir_ops.h"
#include "emit/words/memory_adjoint.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

void BlasTangent::emitBefore() {
  V N = in(S::N);
  switch (O.routine().Id) {
  case BlasId::Axpy:
    if (View XD = shadow(S::X))
      axpy(N, in(S::Alpha), XD, shadow(S::Y));
    if (V D = tangent(S::Alpha))
      axpy(N, D, before(S::X), shadow(S::Y));
    break;
  case BlasId::Scal:
    O.scaleVector(in(S::Alpha), N, shadow(S::X));
    if (V D = tangent(S::Alpha))
      axpy(N, D, before(S::X), shadow(S::X));
    break;
  case BlasId::Gemv:
  case BlasId::Symv:
    matrixVector();
    break;
  case BlasId::Ger:
  case BlasId::Syr:
  case BlasId::Syr2:
    rankOne();
    break;
  case BlasId::Trmv:
    triangularVector();
    break;
  case BlasId::Gemm:
  case BlasId::Symm:
  case BlasId::Syrk:
  case BlasId::Syr2k:
    matrixMatrix();
    break;
  case BlasId::Trmm:
    triangularMatrix();
    break;
  case BlasId::Trsm:
    O.scaleMatrix(in(S::Alpha), in(S::M), N, shadow(S::B));
    if (V D = tangent(S::Alpha))
      addMatrix(in(S::M), N, D, before(S::B), shadow(S::B));
    break;
  default:
    break;
  }
  O.finish();
}

Value *BlasTangent::emitAfter() {
  V Result = nullptr;
  switch (O.routine().Id) {
  case BlasId::Dot:
  case BlasId::Nrm2:
  case BlasId::Asum:
    Result = reduction();
    break;
  case BlasId::Copy:
  case BlasId::Swap:
    moved();
    break;
  case BlasId::Trsv:
    solveVector();
    break;
  case BlasId::Trsm:
    solveMatrix();
    break;
  case BlasId::Potrf:
    cholesky();
    break;
  case BlasId::Getrf:
    lu();
    break;
  case BlasId::Potrs:
    choleskySolve();
    break;
  case BlasId::Getrs:
    luSolve();
    break;
  default:
    break;
  }
  O.finish();
  return Result;
}

Value *BlasTangent::reduction() {
  V N = in(S::N);
  View XD = shadow(S::X), X = before(S::X);
  if (O.routine().Id == BlasId::Dot) {
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
  return O.sum([&](function_ref<void(V)> Sum) {
    emitLoop(IR, O.count(N), [&](V I) {
      V E = O.load(O.element(X, N, I)), G = O.load(O.element(XD, N, I));
      auto Fetch = [&](int) { return E; };
      IROps::Operands Operands{Fetch};
      Sum(rules::pull<IROps>(rules::RuleId::Fabs, Ops, Operands, G, 0));
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
    emitLoop(IR, O.count(N),
             [&](V I) { O.store(zero(), O.element(To, N, I)); });
}

/// Calls the routine with one of its operands replaced, and the tangent in the
/// place of the result, of which Keep is left.
void BlasTangent::again(BlasSlot Output, BlasSlot Slot, BlasArg Instead,
                        V &Keep) {
  SmallVector<BlasArg, 14> Args;
  for (BlasSlot X : O.routine().Operands) {
    if (X == Slot)
      Args.push_back(Instead);
    else if (X == Output)
      Args.push_back({X, shadow(X)});
    else if (X == S::Beta)
      Args.push_back({X, Keep});
    else if (stepOf(X) != S::None)
      Args.push_back({X, before(X)});
    else
      Args.push_back({X, in(X)});
  }
  O.call(O.routine().Id, Args);
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
      again(S::Y, X, {X, D}, Keep);
  if (V D = tangent(S::Alpha))
    again(S::Y, S::Alpha, {S::Alpha, D}, Keep);
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
    again(S::A, S::Alpha, {S::Alpha, D}, Keep);
  if (O.routine().Id == BlasId::Syr) {
    if (View XD = shadow(S::X))
      O.call(BlasId::Syr2, {{S::Uplo, in(S::Uplo)},
                            {S::N, in(S::N)},
                            {S::Alpha, in(S::Alpha)},
                            {S::X, before(S::X)},
                            {S::Y, XD},
                            {S::A, shadow(S::A)}});
    return;
  }
  for (BlasSlot X : {S::X, S::Y})
    if (View D = shadow(X))
      again(S::A, X, {X, D}, Keep);
}

/// Y = op(A.) X, where the diagonal that is not stored does not change.
BlasView BlasTangent::tangentTimesVector(View X) {
  V N = in(S::N);
  View T = O.newVector(N);
  O.call(BlasId::Copy, {{S::N, N}, {S::X, X}, {S::Y, T}});
  O.call(BlasId::Trmv, {{S::Uplo, in(S::Uplo)},
                        {S::TransA, in(S::TransA)},
                        {S::Diag, in(S::Diag)},
                        {S::N, N},
                        {S::A, shadow(S::A)},
                        {S::X, T}});
  O.forDiagonal(N, [&](V I) {
    V P = O.element(T, N, I), E = O.load(P);
    V Less = IR.CreateFSub(E, O.load(O.element(X, N, I)));
    O.store(O.choose(in(S::Diag), Less, E), P);
  });
  return T;
}

void BlasTangent::triangularVector() {
  View XD = shadow(S::X);
  View T = shadow(S::A) ? tangentTimesVector(before(S::X)) : View();
  O.call(BlasId::Trmv, {{S::Uplo, in(S::Uplo)},
                        {S::TransA, in(S::TransA)},
                        {S::Diag, in(S::Diag)},
                        {S::N, in(S::N)},
                        {S::A, before(S::A)},
                        {S::X, XD}});
  if (T)
    axpy(in(S::N), one(), T, XD);
}

void BlasTangent::solveVector() {
  View XD = shadow(S::X);
  if (shadow(S::A))
    axpy(in(S::N), minusOne(), tangentTimesVector(after(S::X)), XD);
  O.call(BlasId::Trsv, {{S::Uplo, in(S::Uplo)},
                        {S::TransA, in(S::TransA)},
                        {S::Diag, in(S::Diag)},
                        {S::N, in(S::N)},
                        {S::A, before(S::A)},
                        {S::X, XD}});
}

/// C = a op(A) op(B) + b C and its relatives
void BlasTangent::matrixMatrix() {
  View CD = shadow(S::C);
  V N = in(S::N), Keep = in(S::Beta);
  bool Triangle =
      O.routine().Id == BlasId::Syrk || O.routine().Id == BlasId::Syr2k;
  if (O.routine().Id == BlasId::Syrk) {
    if (View AD = shadow(S::A)) {
      O.call(BlasId::Syr2k, {{S::Uplo, in(S::Uplo)},
                             {S::TransA, in(S::TransA)},
                             {S::N, N},
                             {S::K, in(S::K)},
                             {S::Alpha, in(S::Alpha)},
                             {S::A, before(S::A)},
                             {S::B, AD},
                             {S::Beta, Keep},
                             {S::C, CD}});
      Keep = one();
    }
  } else {
    for (BlasSlot X : {S::A, S::B})
      if (View D = shadow(X))
        again(S::C, X, {X, D}, Keep);
  }
  if (V D = tangent(S::Alpha))
    again(S::C, S::Alpha, {S::Alpha, D}, Keep);
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
  O.call(BlasId::Trmm, {{S::Side, in(S::Side)},
                        {S::Uplo, in(S::Uplo)},
                        {S::TransA, in(S::TransA)},
                        {S::Diag, in(S::Diag)},
                        {S::M, in(S::M)},
                        {S::N, in(S::N)},
                        {S::Alpha, Factor},
                        {S::A, A},
                        {S::B, B}});
}

/// op(A.) B, or B op(A.), in memory of its own
BlasView BlasTangent::tangentTimesMatrix(View B) {
  V M = in(S::M), N = in(S::N);
  View T = O.newMatrix(M, N);
  O.copyMatrix(M, N, B, T);
  triangularProduct(one(), shadow(S::A), T);
  O.forEach(M, N, [&](V R, V C) {
    V P = O.at(T, R, C), E = O.load(P);
    V Less = IR.CreateFSub(E, O.load(O.at(B, R, C)));
    O.store(O.choose(in(S::Diag), Less, E), P);
  });
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
  triangular(BlasId::Trsm, in(S::Side), in(S::Uplo), in(S::TransA), in(S::Diag),
             M, N, before(S::A), BD);
}

} // namespace retro
