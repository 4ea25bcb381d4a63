// Reverse mode of the routines of BLAS, and what their derivatives share with
// those of LAPACK: a call goes in, and calls of such routines on shadows come
// out. As loops they would be right, too, and many times slower. Members of
// BlasDerivative and BlasAdjoint (blas_derivative.h).
#include "emit/calls/blas_derivative.h"
#include "ir/emit_loop.h"

using namespace llvm;

namespace retro {

void BlasDerivative::again(ArrayRef<BlasArg> Instead, BlasId Id) {
  SmallVector<BlasArg, 14> Args;
  for (BlasSlot X : blasRoutine(Id).Operands) {
    auto Other =
        find_if(Instead, [&](const BlasArg &A) { return A.Slot == X; });
    if (Other != Instead.end())
      Args.push_back(*Other);
    else if (stepOf(X) != S::None)
      Args.push_back({X, before(X)});
    else
      Args.push_back({X, in(X)});
  }
  O.call(Id, Args);
}

/// Seed times the derivative of |E|.
Value *BlasDerivative::signOf(IROps &Ops, V E, V Seed) {
  auto Fetch = [&](int) { return E; };
  IROps::Operands Operands{Fetch};
  return rules::pull<IROps>(rules::RuleId::Fabs, Ops, Operands, Seed, 0);
}

void BlasDerivative::axpy(V N, V Factor, View X, View Y) {
  O.call(BlasId::Axpy, {{S::N, N}, {S::Alpha, Factor}, {S::X, X}, {S::Y, Y}});
}

Value *BlasDerivative::dot(V N, View X, View Y) {
  return O.call(BlasId::Dot, {{S::N, N}, {S::X, X}, {S::Y, Y}});
}

Value *BlasDerivative::dotMatrix(V Rows, V Cols, View X, View Y) {
  return O.sum([&](function_ref<void(V)> Sum) {
    if (O.onDevice())
      return emitLoop(IR, O.count(Cols), [&](V C) {
        Sum(dot(Rows, O.column(X, C), O.column(Y, C)));
      });
    O.forEach(Rows, Cols, [&](V R, V C) {
      Sum(times(O.load(O.at(X, R, C)), O.load(O.at(Y, R, C))));
    });
  });
}

Value *BlasDerivative::dotTriangle(V N, V Lower, View X, View Y) {
  return O.sum([&](function_ref<void(V)> Sum) {
    if (O.onDevice())
      return O.forColumns(N, Lower, O.no(), [&](V Length, V R, V C) {
        Sum(dot(Length, {O.at(X, R, C), O.size(1)},
                {O.at(Y, R, C), O.size(1)}));
      });
    O.forTriangle(N, Lower, O.no(), [&](V R, V C) {
      Sum(times(O.load(O.at(X, R, C)), O.load(O.at(Y, R, C))));
    });
  });
}

void BlasDerivative::addMatrix(V Rows, V Cols, V Factor, View X, View Y) {
  if (O.onDevice())
    return emitLoop(IR, O.count(Cols), [&](V C) {
      axpy(Rows, Factor, O.column(X, C), O.column(Y, C));
    });
  O.forEach(Rows, Cols, [&](V R, V C) {
    O.add(O.at(Y, R, C), times(Factor, O.load(O.at(X, R, C))));
  });
}

/// One triangle of Y += Factor X, or Factor times X transposed.
void BlasDerivative::addTriangle(V N, V Lower, V Unit, V Factor, View X,
                                 bool Transposed, View Y) {
  if (O.onDevice())
    return O.forColumns(N, Lower, Unit, [&](V Length, V R, V C) {
      V Step = Transposed ? X.Step : O.size(1);
      axpy(Length, Factor, {Transposed ? O.at(X, C, R) : O.at(X, R, C), Step},
           {O.at(Y, R, C), O.size(1)});
    });
  O.forTriangle(N, Lower, Unit, [&](V R, V C) {
    V P = Transposed ? O.at(X, C, R) : O.at(X, R, C);
    O.add(O.at(Y, R, C), times(Factor, O.load(P)));
  });
}

void BlasAdjoint::emit(V Seed) {
  using enum BlasId;
  using Way = void (BlasAdjoint::*)();
  static constexpr std::pair<BlasId, Way> Ways[] = {
      {Gemv, &BlasAdjoint::gemv},
      {Ger, &BlasAdjoint::rankOne},
      {Symv, &BlasAdjoint::symv},
      {Syr, &BlasAdjoint::symmetricRankOne},
      {Syr2, &BlasAdjoint::symmetricRankOne},
      {Trmv, &BlasAdjoint::triangularVector},
      {Trsv, &BlasAdjoint::triangularVector},
      {Gemm, &BlasAdjoint::gemm},
      {Symm, &BlasAdjoint::symm},
      {Syrk, &BlasAdjoint::rankK},
      {Syr2k, &BlasAdjoint::rankK},
      {Trmm, &BlasAdjoint::triangularMatrix},
      {Trsm, &BlasAdjoint::solveMatrix}};
  const BlasRoutine &R = O.routine();
  auto Found = find_if(Ways, [&](const auto &W) { return W.first == R.Id; });
  if (R.Library == BlasRoutine::Lapack)
    lapack();
  else if (Found != std::end(Ways))
    (this->*Found->second)();
  else
    level1(Seed);
  O.finish();
}

/// x/|x|, undefined at the origin, or the signs of x.
void BlasAdjoint::norm(V Seed) {
  V N = in(S::N);
  View XB = shadow(S::X), X = before(S::X);
  bool Norm = O.routine().Id == BlasId::Nrm2;
  IROps Ops(IR, true);
  V Factor = Norm ? IR.CreateFDiv(Seed, From.Result()) : nullptr;
  if (Norm && O.onDevice())
    return axpy(N, rules::guarded<IROps>(Ops, Seed, Factor), X, XB);
  View Host = O.toHost(N, XB);
  X = O.toHost(N, X);
  emitLoop(IR, O.count(N), [&](V I) {
    V E = O.load(O.element(X, N, I));
    V D = Norm ? rules::guarded<IROps>(Ops, Seed, times(Factor, E))
               : signOf(Ops, E, Seed);
    O.add(O.element(Host, N, I), D);
  });
  O.fromHost(N, Host, XB);
}

void BlasAdjoint::level1(V Seed) {
  V N = in(S::N);
  View XB = shadow(S::X), YB = shadow(S::Y);
  switch (O.routine().Id) {
  case BlasId::Axpy: // y += a x
    if (active(S::Alpha))
      Add(S::Alpha, dot(N, before(S::X), YB));
    if (XB)
      axpy(N, in(S::Alpha), YB, XB);
    return;
  case BlasId::Dot:
    if (XB && O.isSquare())
      return axpy(N, times(O.constant(2), Seed), before(S::X), XB);
    if (XB)
      axpy(N, Seed, before(S::Y), XB);
    if (YB)
      axpy(N, Seed, before(S::X), YB);
    return;
  case BlasId::Nrm2:
  case BlasId::Asum:
    return norm(Seed);
  case BlasId::Scal: // x *= a
    if (active(S::Alpha))
      Add(S::Alpha, dot(N, before(S::X), XB));
    return O.scaleVector(in(S::Alpha), N, XB);
  case BlasId::Copy:
    if (XB)
      axpy(N, one(), YB, XB);
    return O.clearVector(N, YB);
  case BlasId::Swap:
    if (XB && YB)
      O.call(BlasId::Swap, {{S::N, N}, {S::X, XB}, {S::Y, YB}});
    else
      O.clearVector(N, XB ? XB : YB);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Level 2

/// y = a op(A) x + b y
void BlasAdjoint::gemv() {
  V M = in(S::M), N = in(S::N), Trans = in(S::TransA);
  V Length = O.choose(Trans, N, M); // of y
  View YB = shadow(S::Y);
  if (active(S::Alpha)) {
    View T = O.newVector(Length);
    again({{S::Alpha, one()}, {S::Beta, zero()}, {S::Y, T}});
    Add(S::Alpha, dot(Length, T, YB));
  }
  if (View AB = shadow(S::A)) {
    View X = before(S::X);
    again({{S::X, O.choose(Trans, X, YB)},
           {S::Y, O.choose(Trans, YB, X)},
           {S::A, AB}},
          BlasId::Ger);
  }
  if (View XB = shadow(S::X))
    again({{S::TransA, flip(Trans)}, {S::X, YB}, {S::Beta, one()}, {S::Y, XB}});
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
  if (active(S::Alpha)) {
    View T = O.newVector(N);
    again({{S::Alpha, one()},
           {S::X, before(S::X)},
           {S::Beta, zero()},
           {S::Y, T}});
    Add(S::Alpha, dot(N, T, YB));
  }
  if (View AB = shadow(S::A)) {
    // Both halves of the product are of one element, but on the diagonal.
    View X = O.toHost(N, before(S::X)), Y = O.toHost(N, YB);
    View Host = O.toHost(N, N, AB);
    O.forTriangle(N, Lower, O.no(), [&](V R, V C) {
      V G = times(O.load(O.element(Y, N, R)), O.load(O.element(X, N, C)));
      V H = times(O.load(O.element(Y, N, C)), O.load(O.element(X, N, R)));
      V Halves = O.choose(IR.CreateICmpEQ(R, C), G, IR.CreateFAdd(G, H));
      O.add(O.at(Host, R, C), times(Alpha, Halves));
    });
    O.fromHost(N, N, Host, AB);
  }
  if (View XB = shadow(S::X))
    again({{S::X, YB}, {S::Beta, one()}, {S::Y, XB}});
  if (active(S::Beta))
    Add(S::Beta, dot(N, before(S::Y), YB));
  O.scaleVector(in(S::Beta), N, YB);
}

/// A += a x y'
void BlasAdjoint::rankOne() {
  V M = in(S::M), Alpha = in(S::Alpha);
  View AB = shadow(S::A);
  auto Gemv = [&](V Trans, V Factor, View X, V Keep, View Y) {
    again({{S::TransA, Trans},
           {S::Alpha, Factor},
           {S::A, AB},
           {S::X, X},
           {S::Beta, Keep},
           {S::Y, Y}},
          BlasId::Gemv);
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
  V N = in(S::N), Alpha = in(S::Alpha);
  bool Two = O.routine().Id == BlasId::Syr2;
  View AB = shadow(S::A);
  // The triangle of adjoints as a symmetric matrix, with its diagonal twice.
  auto Product = [&](V Factor, View X, V Keep, View Y) {
    again(
        {{S::Alpha, Factor}, {S::A, AB}, {S::X, X}, {S::Beta, Keep}, {S::Y, Y}},
        BlasId::Symv);
    View Diagonal = O.toHost(N, O.diagonal(AB)), From = O.toHost(N, X),
         Into = O.toHost(N, Y);
    O.forDiagonal(N, [&](V I) {
      V D = times(Factor, O.load(O.element(Diagonal, N, I)));
      O.add(O.element(Into, N, I), times(D, O.load(O.element(From, N, I))));
    });
    O.fromHost(N, Into, Y);
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
  auto Apply = [&] { again({{S::TransA, flip(Trans)}, {S::X, XB}}); };
  // The solution's adjoint is known only when the system is solved for it.
  if (Solve)
    Apply();
  if (AB) {
    View X = O.toHost(N, Solve ? after(S::X) : before(S::X));
    View Y = O.toHost(N, XB), Host = O.toHost(N, N, AB);
    V Sign = Solve ? minusOne() : one();
    View Left = O.choose(Trans, X, Y), Right = O.choose(Trans, Y, X);
    O.forTriangle(N, in(S::Uplo), in(S::Diag), [&](V R, V C) {
      V G =
          times(O.load(O.element(Left, N, R)), O.load(O.element(Right, N, C)));
      O.add(O.at(Host, R, C), times(Sign, G));
    });
    O.fromHost(N, N, Host, AB);
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
  if (active(S::Alpha)) {
    View T = O.newMatrix(M, N);
    again({{S::Alpha, one()}, {S::Beta, zero()}, {S::C, T}});
    Add(S::Alpha, dotMatrix(M, N, T, CB));
  }
  if (View AB = shadow(S::A)) { // C_ op(B)', or its transpose op(B) C_'
    View B = before(S::B);
    product(O.choose(TA, TB, O.no()), O.choose(TA, O.yes(), flip(TB)),
            O.choose(TA, K, M), O.choose(TA, M, K), N, Alpha,
            O.choose(TA, B, CB), O.choose(TA, CB, B), one(), AB);
  }
  if (View BB = shadow(S::B)) { // op(A)' C_, or its transpose C_' op(A)
    View A = before(S::A);
    product(O.choose(TB, O.yes(), flip(TA)), O.choose(TB, TA, O.no()),
            O.choose(TB, N, K), O.choose(TB, K, N), M, Alpha,
            O.choose(TB, CB, A), O.choose(TB, A, CB), one(), BB);
  }
  betaAndScale();
}

/// C = a A B + b C, or a B A + b C, A symmetric
void BlasAdjoint::symm() {
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  V Right = in(S::Side);
  View CB = shadow(S::C);
  if (active(S::Alpha)) {
    View T = O.newMatrix(M, N);
    again({{S::Alpha, one()},
           {S::B, before(S::B)},
           {S::Beta, zero()},
           {S::C, T}});
    Add(S::Alpha, dotMatrix(M, N, T, CB));
  }
  if (View AB = shadow(S::A)) {
    // C_ B' + B C_' (from the right B' C_ + C_' B), the diagonal once.
    View B = before(S::B);
    V Inner = O.choose(Right, M, N);
    again({{S::TransA, Right},
           {S::N, order()},
           {S::K, Inner},
           {S::A, CB},
           {S::B, B},
           {S::Beta, one()},
           {S::C, AB}},
          BlasId::Syr2k);
    View Diagonal = O.diagonal(AB), Host = O.toHost(order(), Diagonal);
    O.forDiagonal(order(), [&](V I) {
      V Once = dot(Inner, O.choose(Right, O.column(CB, I), O.row(CB, I)),
                   O.choose(Right, O.column(B, I), O.row(B, I)));
      O.add(O.element(Host, order(), I), IR.CreateFNeg(times(Alpha, Once)));
    });
    O.fromHost(order(), Host, Diagonal);
  }
  if (View BB = shadow(S::B))
    again({{S::B, CB}, {S::Beta, one()}, {S::C, BB}});
  betaAndScale();
}

/// The adjoint of an operand of C = a op(X) op(Other)' + ...: the triangle of
/// adjoints, as a symmetric matrix with its diagonal twice, times Other.
void BlasAdjoint::rankKOperand(BlasSlot Of, View Other) {
  View XB = shadow(Of), CB = shadow(S::C);
  if (!XB)
    return;
  V N = in(S::N), K = in(S::K), Trans = in(S::TransA), Alpha = in(S::Alpha);
  again({{S::Side, Trans},
         {S::M, O.choose(Trans, K, N)},
         {S::N, O.choose(Trans, N, K)},
         {S::A, CB},
         {S::B, Other},
         {S::Beta, one()},
         {S::C, XB}},
        BlasId::Symm);
  View Diagonal = O.toHost(N, O.diagonal(CB));
  O.forDiagonal(N, [&](V I) {
    auto Line = [&](View X) {
      return O.choose(Trans, O.column(X, I), O.row(X, I));
    };
    axpy(K, times(Alpha, O.load(O.element(Diagonal, N, I))), Line(Other),
         Line(XB));
  });
}

/// One triangle of C = a op(A) op(A)' + b C, or of
/// a (op(A) op(B)' + op(B) op(A)') + b C
void BlasAdjoint::rankK() {
  V N = in(S::N);
  bool Two = O.routine().Id == BlasId::Syr2k;
  if (active(S::Alpha)) {
    View T = O.newMatrix(N, N);
    again({{S::Alpha, one()}, {S::Beta, zero()}, {S::C, T}});
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
  product(FromRight, flip(FromRight), N, N, Inner, Factor,
          O.choose(Exchange, Right, Left), O.choose(Exchange, Left, Right),
          zero(), T);
  addTriangle(N, in(S::Uplo), in(S::Diag), one(), T, false, Into);
}

/// B = a op(A) B, or a B op(A), A triangular
void BlasAdjoint::triangularMatrix() {
  View BB = shadow(S::B);
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  if (active(S::Alpha)) {
    View T = O.newMatrix(M, N);
    O.copyMatrix(M, N, before(S::B), T);
    again({{S::Alpha, one()}, {S::B, T}});
    Add(S::Alpha, dotMatrix(M, N, T, BB));
  }
  if (View AB = shadow(S::A))
    triangleFromProduct(Alpha, BB, before(S::B), AB);
  again({{S::TransA, flip(in(S::TransA))}, {S::B, BB}});
}

/// The solution of op(A) X = a B, or X op(A) = a B, in the place of B
void BlasAdjoint::solveMatrix() {
  View BB = shadow(S::B);
  V M = in(S::M), N = in(S::N), Alpha = in(S::Alpha);
  again({{S::TransA, flip(in(S::TransA))}, {S::Alpha, one()}, {S::B, BB}});
  if (View AB = shadow(S::A))
    triangleFromProduct(minusOne(), BB, after(S::B), AB);
  if (active(S::Alpha))
    Add(S::Alpha, dotMatrix(M, N, before(S::B), BB));
  O.scaleMatrix(Alpha, M, N, BB);
}

} // namespace retro
