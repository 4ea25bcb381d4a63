// HEADER: eigen3/Eigen/Dense
// LEVELS: O1,O2
// NOT-SANITIZED: instrumented code has not the types that the engine needs here
// Eigen: inverses, factorizations, solutions and eigenvalues.
#include "../check.h"
#include "eigen.h"
#include <eigen3/Eigen/Dense>

namespace {

using namespace Eigen;
using Map4 = Map<const Matrix<double, 4, 4, RowMajor>>;

double inverses(const double *x, int) {
  Matrix2d A = Map<const Matrix2d>(x) + 2 * Matrix2d::Identity();
  Matrix4d B = Map4(x + 4) + 3 * Matrix4d::Identity();
  MatrixXd C = Map<const MatrixXd>(x, 3, 3) + 3 * MatrixXd::Identity(3, 3);
  return A.inverse().squaredNorm() + B.inverse().sum() + B.determinant() +
         C.inverse().trace() + C.determinant();
}
template <class Solver> double solves(const double *x, int) {
  MatrixXd A = Map<const MatrixXd>(x, 4, 4) + 4 * MatrixXd::Identity(4, 4);
  A = (A * A.transpose()).eval();
  MatrixXd B = Map<const MatrixXd>(x + 12, 4, 2);
  MatrixXd X = Solver(A).solve(B);
  return X.squaredNorm() + X.sum();
}
double fixedSolves(const double *x, int) {
  Matrix3d A = Map<const Matrix3d>(x) + 3 * Matrix3d::Identity();
  Vector3d b = Map<const Vector3d>(x + 9);
  Matrix3d S = A * A.transpose();
  return A.partialPivLu().solve(b).dot(b) + S.llt().solve(b).norm() +
         S.ldlt().solve(b).sum() + A.householderQr().solve(b).prod() +
         A.triangularView<Lower>().solve(b).sum();
}
double leastSquares(const double *x, int) {
  MatrixXd A = Map<const MatrixXd>(x, 5, 3);
  VectorXd b = Map<const VectorXd>(x + 15, 5);
  VectorXd u = A.colPivHouseholderQr().solve(b);
  VectorXd v = (A.transpose() * A).ldlt().solve(A.transpose() * b);
  return u.squaredNorm() + (A * v - b).squaredNorm();
}
double logDeterminant(const double *x, int) {
  MatrixXd A = Map<const MatrixXd>(x, 4, 4);
  MatrixXd S = A * A.transpose() + MatrixXd::Identity(4, 4);
  LLT<MatrixXd> llt(S);
  return 2 * llt.matrixLLT().diagonal().array().log().sum() +
         FullPivLU<MatrixXd>(S).determinant();
}
double eigenvalues(const double *x, int) {
  Matrix3d A = Map<const Matrix3d>(x);
  Matrix3d S = A + A.transpose();
  SelfAdjointEigenSolver<Matrix3d> e(S);
  Vector3d v = e.eigenvalues();
  return v(0) * v(0) + 2 * v(1) + v(2) * v(2) * v(2);
}
} // namespace

int main() {
  FIRST_HALF(check<inverses>(1e-7); check<solves<PartialPivLU<MatrixXd>>>(1e-6);
             check<solves<LLT<MatrixXd>>>(1e-6);
             check<solves<HouseholderQR<MatrixXd>>>(1e-6);
             check<leastSquares>(1e-6);)
  OTHER_HALF(check<solves<FullPivLU<MatrixXd>>>(1e-6);
             check<solves<LDLT<MatrixXd>>>(1e-6);
             check<solves<ColPivHouseholderQR<MatrixXd>>>(1e-6);
             check<fixedSolves>(1e-6); check<logDeterminant>(1e-6);
             check<eigenvalues>(1e-6);)
  return finish();
}
