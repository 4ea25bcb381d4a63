// Reverse mode of factorizations and of solutions with them, by the formulas of
// Giles and Murray, and the products of matrices that they are made of. Through
// the loops inside of LAPACK a tape would grow with the cube of the size.
// Members of BlasDerivative and BlasAdjoint (blas_derivative.h).
#include "emit/calls/blas_derivative.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

void BlasDerivative::lapack() {
  switch (O.routine().Id) {
  case BlasId::Potrf:
    return cholesky();
  case BlasId::Getrf:
    return lu();
  case BlasId::Potrs:
    return choleskySolve();
  case BlasId::Getrs:
    return luSolve();
  default:
    llvm_unreachable("a routine of BLAS");
  }
}

void BlasDerivative::triangular(BlasId Id, V Right, V Lower, V Trans, V Unit,
                                V Rows, V Cols, View A, View B) {
  O.call(Id, {{S::Side, Right},
              {S::Uplo, Lower},
              {S::TransA, Trans},
              {S::Diag, Unit},
              {S::M, Rows},
              {S::N, Cols},
              {S::Alpha, one()},
              {S::A, A},
              {S::B, B}});
}

void BlasDerivative::product(V T1, V T2, V Rows, V Cols, V Inner, V Factor,
                             View A, View B, V Keep, View C) {
  O.call(BlasId::Gemm, {{S::TransA, T1},
                        {S::TransB, T2},
                        {S::M, Rows},
                        {S::N, Cols},
                        {S::K, Inner},
                        {S::Alpha, Factor},
                        {S::A, A},
                        {S::B, B},
                        {S::Beta, Keep},
                        {S::C, C}});
}

void BlasDerivative::exchangeRows(V Count, V Columns, View Matrix, V Pivots,
                                  bool Back) {
  V Rows = O.count(Count);
  emitLoop(IR, Rows, [&](V K) {
    V I = Back ? IR.CreateSub(IR.CreateSub(Rows, IR.getInt64(1)), K) : K;
    Type *PT = Count->getType(); // pivots are integers of the interface
    V To = IR.CreateSExt(IR.CreateLoad(PT, IR.CreateGEP(PT, Pivots, I)),
                         IR.getInt64Ty());
    O.call(BlasId::Swap,
           {{S::N, Columns},
            {S::X, O.row(Matrix, I)},
            {S::Y, O.row(Matrix, IR.CreateSub(To, IR.getInt64(1)))}});
  });
}

/// To gets one triangle of From, its diagonal times Diagonal or without one,
/// and zeros elsewhere.
void BlasDerivative::takeTriangle(V N, V Lower, bool Strict, double Diagonal,
                                  View From, View To) {
  O.forEach(N, N, [&](V R, V C) {
    V Value = O.load(O.at(From, R, C));
    V On = IR.CreateICmpEQ(R, C);
    V In = O.choose(Lower, IR.CreateICmpSGT(R, C), IR.CreateICmpSLT(R, C));
    V Middle = Strict ? zero() : times(O.constant(Diagonal), Value);
    O.store(O.choose(On, Middle, O.choose(In, Value, zero())), O.at(To, R, C));
  });
}

Value *BlasDerivative::excess(V X, V Y) {
  V D = IR.CreateSub(X, Y);
  return IR.CreateBinaryIntrinsic(Intrinsic::smax, D,
                                  ConstantInt::get(D->getType(), 0));
}

BlasView BlasDerivative::below(View Matrix, V Rows) {
  return {O.at(Matrix, O.count(Rows), IR.getInt64(0)), Matrix.Step};
}

BlasView BlasDerivative::behind(View Matrix, V Columns) {
  return {O.at(Matrix, IR.getInt64(0), O.count(Columns)), Matrix.Step};
}

/// A = L L' (or U' U) in one triangle. With P = L' L_, lower half, its
/// diagonal halved: A_ = L^-T P L^-1, and what is above the diagonal counts
/// below it.
void BlasAdjoint::cholesky() {
  V N = in(S::N), Lower = in(S::Uplo), Upper = flip(Lower);
  View F = after(S::A), FB = shadow(S::A);
  View P = O.newMatrix(N, N);
  takeTriangle(N, Lower, false, 1, FB, P);
  triangular(BlasId::Trmm, Upper, Lower, O.yes(), O.no(), N, N, F, P);
  takeTriangle(N, Lower, false, 0.5, P, P);
  triangular(BlasId::Trsm, O.no(), Lower, Lower, O.no(), N, N, F, P);
  triangular(BlasId::Trsm, O.yes(), Lower, Upper, O.no(), N, N, F, P);
  O.forTriangle(N, Lower, O.no(), [&](V R, V C) {
    V X = O.load(O.at(P, R, C)), Y = O.load(O.at(P, C, R));
    V Halves = O.choose(IR.CreateICmpEQ(R, C), X, IR.CreateFAdd(X, Y));
    O.store(Halves, O.at(FB, R, C));
  });
}

/// P A = L U. For a square A: A_ = P' L^-T (tril(L' L_) + triu(U_ U')) U^-T,
/// with the diagonal in the upper part. What is below a square block of a tall
/// matrix is A U^-1, what is behind one of a wide matrix is L^-1 A.
void BlasAdjoint::lu() {
  V M = in(S::M), N = in(S::N), No = O.no(), Yes = O.yes();
  V K = IR.CreateBinaryIntrinsic(Intrinsic::smin, M, N);
  View F = after(S::A), FB = shadow(S::A);
  V Pivots = after(S::Pivots).P;
  View T = O.newMatrix(K, K), W = O.newMatrix(K, K);

  V Tall = excess(M, N);
  View FB2 = below(FB, N);
  triangular(BlasId::Trsm, Yes, No, Yes, No, Tall, K, F, FB2);
  product(Yes, No, K, K, Tall, one(), below(F, N), FB2, zero(), T);
  addTriangle(K, No, No, minusOne(), T, false, FB);

  V Wide = excess(N, M);
  View FB3 = behind(FB, M);
  triangular(BlasId::Trsm, No, Yes, Yes, Yes, K, Wide, F, FB3);
  product(No, Yes, K, K, Wide, one(), FB3, behind(F, M), zero(), T);
  addTriangle(K, Yes, Yes, minusOne(), T, false, FB);

  takeTriangle(K, Yes, true, 1, FB, T);
  triangular(BlasId::Trmm, No, Yes, Yes, Yes, K, K, F, T);
  takeTriangle(K, Yes, true, 1, T, T);
  takeTriangle(K, No, false, 1, FB, W);
  triangular(BlasId::Trmm, Yes, No, Yes, No, K, K, F, W);
  takeTriangle(K, No, false, 1, W, W);
  addMatrix(K, K, one(), W, T);
  triangular(BlasId::Trsm, No, Yes, Yes, Yes, K, K, F, T);
  triangular(BlasId::Trsm, Yes, No, Yes, No, K, K, F, T);
  O.copyMatrix(K, K, T, FB);
  exchangeRows(K, N, FB, Pivots, true);
}

/// A X = B by the factor of A: B_ = A^-1 X_, A_ = -B_ X', and so for the
/// factor L_ = (A_ + A_') L.
void BlasAdjoint::choleskySolve() {
  V N = in(S::N), K = in(S::K), Lower = in(S::Uplo);
  View BB = shadow(S::B), F = before(S::A);
  O.call(BlasId::Potrs,
         {{S::Uplo, Lower}, {S::N, N}, {S::K, K}, {S::A, F}, {S::B, BB}});
  View FB = shadow(S::A);
  if (!FB)
    return;
  View X = after(S::B), T = O.newMatrix(N, N);
  product(O.no(), O.yes(), N, N, K, minusOne(), BB, X, zero(), T);
  product(O.no(), O.yes(), N, N, K, minusOne(), X, BB, one(), T);
  triangular(BlasId::Trmm, Lower, Lower, O.no(), O.no(), N, N, F, T);
  addTriangle(N, Lower, O.no(), one(), T, false, FB);
}

/// op(A) X = B by the factors of A: with Q = P A_, L_ = Q U' below the
/// diagonal, U_ = L' Q above.
void BlasAdjoint::luSolve() {
  V N = in(S::N), K = in(S::K), Trans = in(S::TransA);
  View BB = shadow(S::B), F = before(S::A);
  V Pivots = before(S::Pivots).P;
  O.call(BlasId::Getrs, {{S::TransA, flip(Trans)},
                         {S::N, N},
                         {S::K, K},
                         {S::A, F},
                         {S::Pivots, Pivots},
                         {S::B, BB}});
  View FB = shadow(S::A);
  if (!FB)
    return;
  View X = after(S::B), Q = O.newMatrix(N, N), T = O.newMatrix(N, N);
  product(O.no(), O.yes(), N, N, K, minusOne(), O.choose(Trans, X, BB),
          O.choose(Trans, BB, X), zero(), Q);
  exchangeRows(N, N, Q, Pivots, false);
  O.copyMatrix(N, N, Q, T);
  triangular(BlasId::Trmm, O.yes(), O.no(), O.yes(), O.no(), N, N, F, T);
  addTriangle(N, O.yes(), O.yes(), one(), T, false, FB);
  triangular(BlasId::Trmm, O.no(), O.yes(), O.yes(), O.yes(), N, N, F, Q);
  addTriangle(N, O.no(), O.no(), one(), Q, false, FB);
}

} // namespace retro
