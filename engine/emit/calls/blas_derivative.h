// The derivatives of BLAS and LAPACK routines, made of further calls of such
// routines. Matrices are written as the formulas have them; whether they lie
// in memory by rows or by columns is the business of BlasOps.
//
// Members: blas_adjoint.cpp and lapack_adjoint.cpp (reverse mode, and what both
// modes share), blas_tangent.cpp and lapack_tangent.cpp (forward mode).
//
// M. Giles, "An extended collection of matrix derivative results for forward
// and reverse mode algorithmic differentiation" (2008); I. Murray,
// "Differentiation of the Cholesky decomposition" (2016).
#ifndef RETRO_EMIT_CALLS_BLAS_DERIVATIVE_H
#define RETRO_EMIT_CALLS_BLAS_DERIVATIVE_H

#include "emit/calls/blas_ops.h"
#include "emit/words/ir_ops.h"

namespace retro {

class BlasDerivative {
public:
  /// Where the derivative finds things.
  struct Access {
    /// The shadow of an array; null if it is inactive.
    llvm::function_ref<BlasView(BlasSlot)> Shadow;
    /// An array as it is before or after the call.
    llvm::function_ref<BlasView(BlasSlot, bool After)> Primal;
    /// Is the number in the slot active?
    llvm::function_ref<bool(BlasSlot)> Active;
    /// What the call returns.
    llvm::function_ref<llvm::Value *()> Result;
  };

protected:
  BlasDerivative(BlasOps &O, const Access &From) : O(O), IR(O.IR), From(From) {}

  using S = BlasSlot;
  using V = llvm::Value *;
  using View = BlasView;

  V in(BlasSlot Slot) const { return O.operand(Slot); }
  View shadow(BlasSlot Slot) const { return From.Shadow(Slot); }
  View before(BlasSlot Slot) const { return From.Primal(Slot, false); }
  View after(BlasSlot Slot) const { return From.Primal(Slot, true); }
  bool active(BlasSlot Slot) const { return From.Active(Slot); }
  V one() { return O.constant(1); }
  V zero() { return O.constant(0); }
  V minusOne() { return O.constant(-1); }
  V flip(V Flag) { return IR.CreateNot(Flag); }
  V times(V X, V Y) { return IR.CreateFMul(X, Y); }

  /// Calls a routine, mostly the call's own, with other operands instead of
  /// the call's: arrays that are not replaced are as they were before it.
  void again(llvm::ArrayRef<BlasArg> Instead, BlasId Id);
  void again(llvm::ArrayRef<BlasArg> Instead) {
    again(Instead, O.routine().Id);
  }
  // Y += Factor X; the sum of the products of X and Y.
  void axpy(V N, V Factor, View X, View Y);
  V dot(V N, View X, View Y);
  V signOf(IROps &Ops, V E, V Seed);
  V dotMatrix(V Rows, V Cols, View X, View Y);
  V dotTriangle(V N, V Lower, View X, View Y);
  void addMatrix(V Rows, V Cols, V Factor, View X, View Y);
  void addTriangle(V N, V Lower, V Unit, V Factor, View X, bool Transposed,
                   View Y);
  /// The rows and columns of a square array, which Side chooses.
  V order() { return O.choose(in(S::Side), in(S::N), in(S::M)); }
  void takeTriangle(V N, V Lower, bool Strict, double Diagonal, View From,
                    View To);
  /// B = op(A) B or B op(A) (Trmm), or with the inverse of op(A) (Trsm).
  void triangular(BlasId Id, V Right, V Lower, V Trans, V Unit, V Rows, V Cols,
                  View A, View B);
  /// C = Factor op(A) op(B) + Keep C
  void product(V T1, V T2, V Rows, V Cols, V Inner, V Factor, View A, View B,
               V Keep, View C);
  /// Exchanges Count rows with others as pivots say, in their order or back.
  void exchangeRows(V Count, V Columns, View Matrix, V Pivots, bool Back);
  /// X - Y, or 0; what is below so many rows, behind so many columns.
  V excess(V X, V Y);
  View below(View Matrix, V Rows);
  View behind(View Matrix, V Columns);

  /// Factorizations, and solutions with them.
  void lapack();
  virtual void cholesky() = 0;
  virtual void lu() = 0;
  virtual void choleskySolve() = 0;
  virtual void luSolve() = 0;

  BlasOps &O;
  llvm::IRBuilder<> &IR;
  const Access &From;
};

/// Reverse mode: adds to the shadows of what is read, and leaves in those of
/// what is written the adjoints of what was there before.
class BlasAdjoint final : BlasDerivative {
public:
  BlasAdjoint(BlasOps &O, const Access &From,
              llvm::function_ref<void(BlasSlot, llvm::Value *)> Add)
      : BlasDerivative(O, From), Add(Add) {}
  /// Seed: the adjoint of the result, or null.
  void emit(llvm::Value *Seed);

private:
  void level1(V Seed);
  void norm(V Seed);
  void gemv();
  void symv();
  void rankOne();
  void symmetricRankOne();
  void triangularVector();
  void gemm();
  void symm();
  void rankK();
  void rankKOperand(BlasSlot Of, View Other);
  void triangularMatrix();
  void solveMatrix();
  void triangleFromProduct(V Factor, View Left, View Right, View Into);
  void cholesky() override;
  void lu() override;
  void choleskySolve() override;
  void luSolve() override;
  void betaAndScale();

  llvm::function_ref<void(BlasSlot, llvm::Value *)> Add;
};

/// Forward mode: the shadows of what is written become its tangents.
class BlasTangent final : BlasDerivative {
public:
  BlasTangent(BlasOps &O, const Access &From,
              llvm::function_ref<llvm::Value *(BlasSlot)> Scalar)
      : BlasDerivative(O, From), Scalar(Scalar) {}
  /// What has to be done before the call, as long as the old values are there;
  /// what is done after it. Returns the tangent of the result, or null.
  void emitBefore();
  llvm::Value *emitAfter();

private:
  /// The tangent of a number; null if it is inactive.
  V tangent(BlasSlot Slot) { return active(Slot) ? Scalar(Slot) : nullptr; }
  void summand(BlasSlot Output, BlasArg Instead, V &Keep);
  void changeBefore();
  V reduction();
  void moved();
  void matrixVector();
  void rankOne();
  View tangentTimesVector(View X);
  void triangularVector();
  void solveVector();
  void matrixMatrix();
  void triangularProduct(V Factor, View A, View B);
  View tangentTimesMatrix(View B);
  void triangularMatrix();
  void solveMatrix();
  void cholesky() override;
  void lu() override;
  void choleskySolve() override;
  void luSolve() override;

  llvm::function_ref<llvm::Value *(BlasSlot)> Scalar;
};

} // namespace retro

#endif
