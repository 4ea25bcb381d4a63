// Forward mode of factorizations and of solutions with them. All runs behind
// the call, and reads the factors that the call has left. Tangents of the loops
// inside of LAPACK would be right, too, and many times slower. Members of
// BlasTangent (blas_derivative.h).
#include "emit/calls/blas_derivative.h"

using namespace llvm;

namespace retro {

/// L. = L P, where P is the lower half of L^-1 A. L^-T, its diagonal halved.
void BlasTangent::cholesky() {
  V N = in(S::N), Lower = in(S::Uplo), Upper = flip(Lower);
  View F = after(S::A), FD = shadow(S::A), T = O.newMatrix(N, N);
  O.forEach(N, N, [&](V R, V C) {
    V Stored = O.choose(Lower, IR.CreateICmpSGE(R, C), IR.CreateICmpSLE(R, C));
    V P = O.choose(Stored, O.at(FD, R, C), O.at(FD, C, R));
    O.store(O.load(P), O.at(T, R, C));
  });
  triangular(BlasId::Trsm, O.no(), Lower, Upper, O.no(), N, N, F, T);
  triangular(BlasId::Trsm, O.yes(), Lower, Lower, O.no(), N, N, F, T);
  takeTriangle(N, Lower, false, 0.5, T, T);
  triangular(BlasId::Trmm, Upper, Lower, O.no(), O.no(), N, N, F, T);
  O.forTriangle(N, Lower, O.no(), [&](V R, V C) {
    O.store(O.load(O.at(T, R, C)), O.at(FD, R, C));
  });
}

/// With Q = L^-1 P A. U^-1: L. = L tril(Q), U. = triu(Q) U.
void BlasTangent::lu() {
  V M = in(S::M), N = in(S::N), No = O.no(), Yes = O.yes();
  V K = IR.CreateBinaryIntrinsic(Intrinsic::smin, M, N);
  View F = after(S::A), FD = shadow(S::A);
  exchangeRows(K, N, FD, after(S::Pivots).P, false);
  View Q = O.newMatrix(K, K), LD = O.newMatrix(K, K), UD = O.newMatrix(K, K);
  O.copyMatrix(K, K, FD, Q);
  triangular(BlasId::Trsm, No, Yes, No, Yes, K, K, F, Q);
  triangular(BlasId::Trsm, Yes, No, No, No, K, K, F, Q);
  takeTriangle(K, Yes, true, 1, Q, LD);
  takeTriangle(K, No, false, 1, Q, UD);
  triangular(BlasId::Trmm, No, Yes, No, Yes, K, K, F, LD);
  triangular(BlasId::Trmm, Yes, No, No, No, K, K, F, UD);
  O.forEach(K, K, [&](V R, V C) {
    V P = O.choose(IR.CreateICmpSGT(R, C), O.at(LD, R, C), O.at(UD, R, C));
    O.store(O.load(P), O.at(FD, R, C));
  });
  // Below a square block (P A. - L U.) U^-1, behind one L^-1 (P A. - L. U).
  V Tall = excess(M, N), Wide = excess(N, M);
  View FD2 = below(FD, N), FD3 = behind(FD, M);
  product(No, No, Tall, K, K, minusOne(), below(F, N), UD, one(), FD2);
  triangular(BlasId::Trsm, Yes, No, No, No, Tall, K, F, FD2);
  product(No, No, K, Wide, K, minusOne(), LD, behind(F, M), one(), FD3);
  triangular(BlasId::Trsm, No, Yes, No, Yes, K, Wide, F, FD3);
}

/// A X. = B. - A. X with A. = L. L' + L L.'
void BlasTangent::choleskySolve() {
  V N = in(S::N), K = in(S::K), Lower = in(S::Uplo), Upper = flip(Lower);
  View BD = shadow(S::B), F = before(S::A);
  if (View FD = shadow(S::A)) {
    View X = after(S::B), T = O.newMatrix(N, K);
    auto Subtract = [&](View First, View Second) {
      O.copyMatrix(N, K, X, T);
      triangular(BlasId::Trmm, O.no(), Lower, Lower, O.no(), N, K, First, T);
      triangular(BlasId::Trmm, O.no(), Lower, Upper, O.no(), N, K, Second, T);
      addMatrix(N, K, minusOne(), T, BD);
    };
    Subtract(F, FD);
    Subtract(FD, F);
  }
  O.call(BlasId::Potrs,
         {{S::Uplo, Lower}, {S::N, N}, {S::K, K}, {S::A, F}, {S::B, BD}});
}

/// op(A) X. = B. - op(A.) X with P A. = L. U + L U.
void BlasTangent::luSolve() {
  V N = in(S::N), K = in(S::K), Trans = in(S::TransA);
  View BD = shadow(S::B), F = before(S::A);
  V Pivots = before(S::Pivots).P;
  if (View FD = shadow(S::A)) {
    V None = ConstantInt::get(N->getType(), 0);
    View X = O.newMatrix(N, K), T = O.newMatrix(N, K), Y = O.newMatrix(N, K),
         Sum = O.newMatrix(N, K);
    O.copyMatrix(N, K, after(S::B), X);
    exchangeRows(O.choose(Trans, N, None), K, X, Pivots, false);
    // T = op(triangle) T; the unit diagonal of L does not change.
    auto Apply = [&](View Matrix, V Lower, bool Tangent) {
      O.copyMatrix(N, K, T, Y);
      triangular(BlasId::Trmm, O.no(), Lower, Trans, Lower, N, K, Matrix, T);
      if (Tangent)
        O.forEach(N, K, [&](V R, V C) {
          V P = O.at(T, R, C), E = O.load(P);
          V Difference = IR.CreateFSub(E, O.load(O.at(Y, R, C)));
          O.store(O.choose(Lower, Difference, E), P);
        });
    };
    O.copyMatrix(N, K, X, T);
    Apply(F, Trans, false);
    Apply(FD, flip(Trans), true);
    O.copyMatrix(N, K, T, Sum);
    O.copyMatrix(N, K, X, T);
    Apply(FD, Trans, true);
    Apply(F, flip(Trans), false);
    addMatrix(N, K, one(), T, Sum);
    exchangeRows(O.choose(Trans, None, N), K, Sum, Pivots, true);
    addMatrix(N, K, minusOne(), Sum, BD);
  }
  O.call(BlasId::Getrs, {{S::TransA, Trans},
                         {S::N, N},
                         {S::K, K},
                         {S::A, F},
                         {S::Pivots, Pivots},
                         {S::B, BD}});
}

} // namespace retro
