// Reverse mode of the routines of BLAS.
#include "emit/calls/blas_derivative.h"
#include "emit/words/ir_ops.h"
#include "emit/words/memory_adjoint.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

void BlasDerivative::axpy(V N, V Factor, View X, View Y) {
  O.call(BlasId::Axpy, {{S::N, N}, {S::Alpha, Factor}, {S::X, X}, {S::Y, Y}});
}

Value *BlasDerivative::dot(V N, View X, View Y) {
  return O.call(BlasId::Dot, {{S::N, N}, {S::X, X}, {S::Y, Y}});
}

Value *BlasDerivative::dotMatrix(V Rows, V Cols, View X, View Y) {
  return O.sum([&](function_ref<void(V)> Sum) {
    O.forEach(Rows, Cols, [&](V R, V C) {
      Sum(times(O.load(O.at(X, R, C)), O.load(O.at(Y, R, C))));
    });
  });
}

Value *BlasDerivative::dotTriangle(V N, V Lower, View X, View Y) {
  return O.sum([&](function_ref<void(V)> Sum) {
    O.forTriangle(N, Lower, O.no(), [&](V R, V C) {
      Sum(times(O.load(O.at(X, R, C)), O.load(O.at(Y, R, C))));
    });
  });
}

void BlasDerivative::addMatrix(V Rows, V Cols, V Factor, View X, View Y) {
  O.forEach(Rows, Cols, [&](V R, V C) {
    O.add(O.at(Y, R, C), times(Factor, O.load(O.at(X, R, C))));
  });
}

/// One triangle of Y += Factor X, or Factor times X transposed.
void BlasDerivative::addTriangle(V N, V Lower, V Unit, V Factor, View X,
                                 bool Transposed, View Y) {
  O.forTriangle(N, Lower, Unit, [&](V R, V C) {
    V P = Transposed ? O.at(X, C, R) : O.at(X, R, C);
    O.add(O.at(Y, R, C), times(Factor, O.load(P)));
  });
}

void BlasAdjoint::emit(V Seed) {
  switch (O.routine().Id) {
  case BlasId::Axpy:
  case BlasId::Dot:
  case BlasId::Nrm2:
  case BlasId::Asum:
  case BlasId::Scal:
  case BlasId::Copy:
  case BlasId::Swap:
    level1(Seed);
    break;
  case BlasId::Gemv:
    gemv();
    break;
  case BlasId::Ger:
    rankOne();
    break;
  case BlasId::Symv:
    symv();
    break;
  case BlasId::Syr:
  case BlasId::Syr2:
    symmetricRankOne();
    break;
  case BlasId::Trmv:
  case BlasId::Trsv:
    triangularVector();
    break;
  case BlasId::Gemm:
    gemm();
    break;
  case BlasId::Symm:
    symm();
    break;
  case BlasId::Syrk:
  case BlasId::Syr2k:
    rankK();
    break;
  case BlasId::Trmm:
    triangularMatrix();
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
  case BlasId::Posv:
  case BlasId::Gesv:
    llvm_unreachable("brought to other routines");
  }
  O.finish();
}

void BlasAdjoint::level1(V Seed) {
  V N = in(S::N);
  View XB = shadow(S::X), YB = shadow(S::Y);
  auto Zero = [&](View X) {
    emitLoop(IR, O.count(N), [&](V I) { O.store(zero(), O.element(X, N, I)); });
  };
  switch (O.routine().Id) {
  case BlasId::Axpy: // y += a x
    if (active(S::Alpha))
      Add(S::Alpha, dot(N, before(S::X), YB));
    if (XB)
      axpy(N, in(S::Alpha), YB, XB);
    return;
  case BlasId::Dot:
    if (XB)
      axpy(N, Seed, before(S::Y), XB);
    if (YB)
      axpy(N, Seed, before(S::X), YB);
    return;
  case BlasId::Nrm2: // x/|x|; undefined at the origin
  case BlasId::Asum: {
    View X = before(S::X);
    bool Norm = O.routine().Id == BlasId::Nrm2;
    IROps Ops(IR, true);
    V Factor = Norm ? IR.CreateFDiv(Seed, From.Result()) : nullptr;
    emitLoop(IR, O.count(N), [&](V I) {
      V E = O.load(O.element(X, N, I));
      V D = Norm ? times(Factor, E) : nullptr;
      if (!Norm) {
        auto Fetch = [&](int) { return E; };
        IROps::Operands Operands{Fetch};
        D = rules::pull<IROps>(rules::RuleId::Fabs, Ops, Operands, Seed, 0);
      } else {
        D = rules::guarded<IROps>(Ops, Seed, D);
      }
      O.add(O.element(XB, N, I), D);
    });
    return;
  }
  case BlasId::Scal: // x *= a
    if (active(S::Alpha))
      Add(S::Alpha, dot(N, before(S::X), XB));
    return O.scaleVector(in(S::Alpha), N, XB);
  case BlasId::Copy:
    if (XB)
      axpy(N, one(), YB, XB);
    return Zero(YB);
  case BlasId::Swap:
    if (XB && YB)
      O.call(BlasId::Swap, {{S::N, N}, {S::X, XB}, {S::Y, YB}});
    else
      Zero(XB ? XB : YB);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Level 2

/// y = a op(A) x + b y
void BlasAdjoint::gemv() {
  V M = in(S::M), N = in(S::N), Trans = in(S::TransA), Alpha = in(S::Alpha);
  V Length = O.choose(Trans, N, M); // of y
  View YB = shadow(S::Y);
  auto Gemv = [&](V T, V Factor, View A, View X, V Keep, View Y) {
    O.call(BlasId::Gemv, {{S::TransA, T},
                          {S::M, M},
                          {S::N, N},
                          {S::Alpha, Factor},
                          {S::A, A},
                          {S::X, X},
                          {S::Beta, Keep},
                          {S::Y, Y}});
  };
  if (active(S::Alpha)) {
    View T = O.newVector(Length);
    Gemv(Trans, one(), before(S::A), before(S::X), zero(), T);
    Add(S::Alpha, dot(Length, T, YB));
  }
  if (View AB = shadow(S::A)) {
    View X = before(S::X);
    O.call(BlasId::Ger, {{S::M, M},
                         {S::N, N},
                         {S::Alpha, Alpha},
                         {S::X, O.choose(Trans, X, YB)},
                         {S::Y, O.choose(Trans, YB, X)},
                         {S::A, AB}});
  }
  if (View XB = shadow(S::X))
    Gemv(flip(Trans), Alpha, before(S::A), YB, one(), XB);
  // Without columns nothing happens to y.
  V Empty = IR.CreateICmpEQ(O.count(O.choose(Trans, M, N)), IR.getInt64(0));
  if (active(S::Beta))
    Add(S::Beta, O.choose(Empty, zero(), dot(Length, before(S::Y), YB)));
  O.scaleVector(O.choose(Empty, one(), in(S::Beta)), Length, YB);
}

/// y = a A x + b y, A symmetric
void BlasAdjoint::symv() {
  V N = in(S::N), Lower = in(S::Uplo), Alpha = in(S::Alpha);
  View YB = shadow(S::Y);
  auto Symv = [&](V Factor, View X, V Keep, View Y) {
    O.call(BlasId::Symv, {{S::Uplo, Lower},
                          {S::N, N},
                          {S::Alpha, Factor},
                          {S::A, before(S::A)},
                          {S::X, X},
                          {S::Beta, Keep},
                          {S::Y, Y}});
  };
  if (active(S::Alpha)) {
    View T = O.newVector(N);
    Symv(one(), before(S::X), zero(), T);
    Add(S::Alpha, dot(N, T, YB));
  }
  if (View AB = shadow(S::A)) {
    // Both halves of the product are of one element, but on the diagonal.
    View X = before(S::X);
    O.forTriangle(N, Lower, O.no(), [&](V R, V C) {
      V G = times(O.load(O.element(YB, N, R)), O.load(O.element(X, N, C)));
      V H = times(O.load(O.element(YB, N, C)), O.load(O.element(X, N, R)));
      V Both = O.choose(IR.CreateICmpEQ(R, C), G, IR.CreateFAdd(G, H));
      O.add(O.at(AB, R, C), times(Alpha, Both));
    });
  }
  if (View XB = shadow(S::X))
    Symv(Alpha, YB, one(), XB);
  if (active(S::Beta))
    Add(S::Beta, dot(N, before(S::Y), YB));
  O.scaleVector(in(S::Beta), N, YB);
}

/// A += a x y'
void BlasAdjoint::rankOne() {
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  View AB = shadow(S::A);
  auto Gemv = [&](V Trans, V Factor, View X, V Keep, View Y) {
    O.call(BlasId::Gemv, {{S::TransA, Trans},
                          {S::M, M},
                          {S::N, N},
                          {S::Alpha, Factor},
                          {S::A, AB},
                          {S::X, X},
                          {S::Beta, Keep},
                          {S::Y, Y}});
  };
  if (active(S::Alpha)) {
    View T = O.newVector(M);
    Gemv(O.no(), one(), before(S::Y), zero(), T);
    Add(S::Alpha, dot(M, before(S::X), T));
  }
  if (View XB = shadow(S::X))
    Gemv(O.no(), Alpha, before(S::Y), one(), XB);
  if (View YB = shadow(S::Y))
    Gemv(O.yes(), Alpha, before(S::X), one(), YB);
}

/// A += a x x', or a (x y' + y x'), in one triangle
void BlasAdjoint::symmetricRankOne() {
  V N = in(S::N), Lower = in(S::Uplo), Alpha = in(S::Alpha);
  bool Two = O.routine().Id == BlasId::Syr2;
  View AB = shadow(S::A);
  // The triangle of adjoints as a symmetric matrix, with its diagonal twice.
  auto Product = [&](V Factor, View X, V Keep, View Y) {
    O.call(BlasId::Symv, {{S::Uplo, Lower},
                          {S::N, N},
                          {S::Alpha, Factor},
                          {S::A, AB},
                          {S::X, X},
                          {S::Beta, Keep},
                          {S::Y, Y}});
    O.forDiagonal(N, [&](V I) {
      V D = times(Factor, O.load(O.at(AB, I, I)));
      O.add(O.element(Y, N, I), times(D, O.load(O.element(X, N, I))));
    });
  };
  if (active(S::Alpha)) {
    View T = O.newVector(N);
    Product(one(), before(S::X), zero(), T);
    Add(S::Alpha, Two ? dot(N, T, before(S::Y))
                      : times(O.constant(0.5), dot(N, T, before(S::X))));
  }
  if (View XB = shadow(S::X))
    Product(Alpha, before(Two ? S::Y : S::X), one(), XB);
  if (View YB = shadow(S::Y))
    Product(Alpha, before(S::X), one(), YB);
}

/// x = op(A) x, or the solution of op(A) x = b in the place of b
void BlasAdjoint::triangularVector() {
  V N = in(S::N), Trans = in(S::TransA);
  bool Solve = O.routine().Id == BlasId::Trsv;
  View XB = shadow(S::X), AB = shadow(S::A);
  auto Apply = [&] {
    O.call(O.routine().Id, {{S::Uplo, in(S::Uplo)},
                            {S::TransA, flip(Trans)},
                            {S::Diag, in(S::Diag)},
                            {S::N, N},
                            {S::A, before(S::A)},
                            {S::X, XB}});
  };
  // The solution's adjoint is known only when the system is solved for it.
  if (Solve)
    Apply();
  if (AB) {
    View X = Solve ? after(S::X) : before(S::X);
    V Sign = Solve ? minusOne() : one();
    View Left = O.choose(Trans, X, XB), Right = O.choose(Trans, XB, X);
    O.forTriangle(N, in(S::Uplo), in(S::Diag), [&](V R, V C) {
      V G =
          times(O.load(O.element(Left, N, R)), O.load(O.element(Right, N, C)));
      O.add(O.at(AB, R, C), times(Sign, G));
    });
  }
  if (!Solve)
    Apply();
}

//===----------------------------------------------------------------------===//
// Level 3

/// The factor of what was there before: C = ... + b C
void BlasAdjoint::betaAndScale() {
  View CB = shadow(S::C);
  bool Triangle =
      O.routine().Id == BlasId::Syrk || O.routine().Id == BlasId::Syr2k;
  V N = in(S::N);
  if (active(S::Beta))
    Add(S::Beta, Triangle ? dotTriangle(N, in(S::Uplo), before(S::C), CB)
                          : dotMatrix(in(S::M), N, before(S::C), CB));
  if (Triangle)
    O.scaleTriangle(in(S::Beta), N, in(S::Uplo), CB);
  else
    O.scaleMatrix(in(S::Beta), in(S::M), N, CB);
}

/// C = a op(A) op(B) + b C
void BlasAdjoint::gemm() {
  V M = in(S::M), N = in(S::N), K = in(S::K), Alpha = in(S::Alpha);
  V TA = in(S::TransA), TB = in(S::TransB);
  View CB = shadow(S::C);
  auto Gemm = [&](V T1, V T2, V Rows, V Cols, V Inner, V Factor, View X, View Y,
                  V Keep, View Z) {
    O.call(BlasId::Gemm, {{S::TransA, T1},
                          {S::TransB, T2},
                          {S::M, Rows},
                          {S::N, Cols},
                          {S::K, Inner},
                          {S::Alpha, Factor},
                          {S::A, X},
                          {S::B, Y},
                          {S::Beta, Keep},
                          {S::C, Z}});
  };
  if (active(S::Alpha)) {
    View T = O.newMatrix(M, N);
    Gemm(TA, TB, M, N, K, one(), before(S::A), before(S::B), zero(), T);
    Add(S::Alpha, dotMatrix(M, N, T, CB));
  }
  if (View AB = shadow(S::A)) { // C_ op(B)', or its transpose op(B) C_'
    View B = before(S::B);
    Gemm(O.choose(TA, TB, O.no()), O.choose(TA, O.yes(), flip(TB)),
         O.choose(TA, K, M), O.choose(TA, M, K), N, Alpha, O.choose(TA, B, CB),
         O.choose(TA, CB, B), one(), AB);
  }
  if (View BB = shadow(S::B)) { // op(A)' C_, or its transpose C_' op(A)
    View A = before(S::A);
    Gemm(O.choose(TB, O.yes(), flip(TA)), O.choose(TB, TA, O.no()),
         O.choose(TB, N, K), O.choose(TB, K, N), M, Alpha, O.choose(TB, CB, A),
         O.choose(TB, A, CB), one(), BB);
  }
  betaAndScale();
}

/// C = a A B + b C, or a B A + b C, A symmetric
void BlasAdjoint::symm() {
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  V Right = in(S::Side), Lower = in(S::Uplo);
  View CB = shadow(S::C);
  auto Symm = [&](V Factor, View B, V Keep, View C) {
    O.call(BlasId::Symm, {{S::Side, Right},
                          {S::Uplo, Lower},
                          {S::M, M},
                          {S::N, N},
                          {S::Alpha, Factor},
                          {S::A, before(S::A)},
                          {S::B, B},
                          {S::Beta, Keep},
                          {S::C, C}});
  };
  if (active(S::Alpha)) {
    View T = O.newMatrix(M, N);
    Symm(one(), before(S::B), zero(), T);
    Add(S::Alpha, dotMatrix(M, N, T, CB));
  }
  if (View AB = shadow(S::A)) {
    // C_ B' + B C_' (from the right B' C_ + C_' B), the diagonal once.
    View B = before(S::B);
    V Inner = O.choose(Right, M, N);
    O.call(BlasId::Syr2k, {{S::Uplo, Lower},
                           {S::TransA, Right},
                           {S::N, order()},
                           {S::K, Inner},
                           {S::Alpha, Alpha},
                           {S::A, CB},
                           {S::B, B},
                           {S::Beta, one()},
                           {S::C, AB}});
    O.forDiagonal(order(), [&](V I) {
      V Once = dot(Inner, O.choose(Right, O.column(CB, I), O.row(CB, I)),
                   O.choose(Right, O.column(B, I), O.row(B, I)));
      O.add(O.at(AB, I, I), IR.CreateFNeg(times(Alpha, Once)));
    });
  }
  if (View BB = shadow(S::B))
    Symm(Alpha, CB, one(), BB);
  betaAndScale();
}

/// The adjoint of an operand of C = a op(X) op(Other)' + ...: the triangle of
/// adjoints, as a symmetric matrix with its diagonal twice, times Other.
void BlasAdjoint::rankKOperand(BlasSlot Of, View Other) {
  View XB = shadow(Of), CB = shadow(S::C);
  if (!XB)
    return;
  V N = in(S::N), K = in(S::K), Trans = in(S::TransA), Alpha = in(S::Alpha);
  O.call(BlasId::Symm, {{S::Side, Trans},
                        {S::Uplo, in(S::Uplo)},
                        {S::M, O.choose(Trans, K, N)},
                        {S::N, O.choose(Trans, N, K)},
                        {S::Alpha, Alpha},
                        {S::A, CB},
                        {S::B, Other},
                        {S::Beta, one()},
                        {S::C, XB}});
  O.forDiagonal(N, [&](V I) {
    auto Line = [&](View X) {
      return O.choose(Trans, O.column(X, I), O.row(X, I));
    };
    axpy(K, times(Alpha, O.load(O.at(CB, I, I))), Line(Other), Line(XB));
  });
}

/// One triangle of C = a op(A) op(A)' + b C, or of
/// a (op(A) op(B)' + op(B) op(A)') + b C
void BlasAdjoint::rankK() {
  V N = in(S::N);
  bool Two = O.routine().Id == BlasId::Syr2k;
  if (active(S::Alpha)) {
    View T = O.newMatrix(N, N);
    SmallVector<BlasArg> Args{{S::Uplo, in(S::Uplo)},
                              {S::TransA, in(S::TransA)},
                              {S::N, N},
                              {S::K, in(S::K)},
                              {S::Alpha, one()},
                              {S::A, before(S::A)},
                              {S::Beta, zero()},
                              {S::C, T}};
    if (Two)
      Args.push_back({S::B, before(S::B)});
    O.call(O.routine().Id, Args);
    Add(S::Alpha, dotTriangle(N, in(S::Uplo), T, shadow(S::C)));
  }
  if (Two) {
    rankKOperand(S::A, shadow(S::A) ? before(S::B) : View());
    rankKOperand(S::B, shadow(S::B) ? before(S::A) : View());
  } else {
    rankKOperand(S::A, shadow(S::A) ? before(S::A) : View());
  }
  betaAndScale();
}

/// Into, a triangle, gets Factor times the part that op(A) has in
/// <Left, op(A) Right>, or in <Left, Right op(A)> from the right.
void BlasAdjoint::triangleFromProduct(V Factor, View Left, View Right,
                                      View Into) {
  V N = order(), Inner = O.choose(in(S::Side), in(S::M), in(S::N));
  V FromRight = in(S::Side), Trans = in(S::TransA);
  // op(A)_ is Left Right', or Right' Left from the right; A_ its transpose if
  // op transposes: that is the product the other way round.
  View T = O.newMatrix(N, N);
  V Exchange = IR.CreateXor(FromRight, Trans);
  O.call(BlasId::Gemm, {{S::TransA, FromRight},
                        {S::TransB, flip(FromRight)},
                        {S::M, N},
                        {S::N, N},
                        {S::K, Inner},
                        {S::Alpha, Factor},
                        {S::A, O.choose(Exchange, Right, Left)},
                        {S::B, O.choose(Exchange, Left, Right)},
                        {S::Beta, zero()},
                        {S::C, T}});
  addTriangle(N, in(S::Uplo), in(S::Diag), one(), T, false, Into);
}

/// B = a op(A) B, or a B op(A), A triangular
void BlasAdjoint::triangularMatrix() {
  View BB = shadow(S::B);
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  auto Trmm = [&](V Trans, V Factor, View B) {
    O.call(BlasId::Trmm, {{S::Side, in(S::Side)},
                          {S::Uplo, in(S::Uplo)},
                          {S::TransA, Trans},
                          {S::Diag, in(S::Diag)},
                          {S::M, M},
                          {S::N, N},
                          {S::Alpha, Factor},
                          {S::A, before(S::A)},
                          {S::B, B}});
  };
  if (active(S::Alpha)) {
    View T = O.newMatrix(M, N);
    O.copyMatrix(M, N, before(S::B), T);
    Trmm(in(S::TransA), one(), T);
    Add(S::Alpha, dotMatrix(M, N, T, BB));
  }
  if (View AB = shadow(S::A))
    triangleFromProduct(Alpha, BB, before(S::B), AB);
  Trmm(flip(in(S::TransA)), Alpha, BB);
}

/// The solution of op(A) X = a B, or X op(A) = a B, in the place of B
void BlasAdjoint::solveMatrix() {
  View BB = shadow(S::B);
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  O.call(BlasId::Trsm, {{S::Side, in(S::Side)},
                        {S::Uplo, in(S::Uplo)},
                        {S::TransA, flip(in(S::TransA))},
                        {S::Diag, in(S::Diag)},
                        {S::M, M},
                        {S::N, N},
                        {S::Alpha, one()},
                        {S::A, before(S::A)},
                        {S::B, BB}});
  if (View AB = shadow(S::A))
    triangleFromProduct(minusOne(), BB, after(S::B), AB);
  if (active(S::Alpha))
    Add(S::Alpha, dotMatrix(M, N, before(S::B), BB));
  O.scaleMatrix(Alpha, M, N, BB);
}

} // namespace retro
