// HEADER: eigen3/Eigen/Dense
// LEVELS: O1,O2
// NOT-SANITIZED: shadows of memory that Eigen aligns itself, as it does there,
// are leaked Eigen: fixed and dynamic matrices, products, blocks, maps, norms,
// geometry and sparse products.
#include "../check.h"
#include "eigen.h"
#include <eigen3/Eigen/Dense>
#include <eigen3/Eigen/Geometry>
#include <eigen3/Eigen/Sparse>

namespace {

using namespace Eigen;

double fixed(const double *x, int n) {
  Map<const Matrix3d> A(x);
  Map<const Vector3d> v(x + 9);
  Matrix3d B = A * A.transpose() + Matrix3d::Identity();
  Vector3d w = B * v + A.row(1).transpose().cross(v);
  return w.norm() + B.determinant() * B.trace() + A.cwiseProduct(B).sum() + n;
}
double dynamic(const double *x, int) {
  Map<const MatrixXd> A(x, 5, 4);
  MatrixXd B = A.transpose() * A, C(2, 6);
  C << A.topRows(2), A.bottomRightCorner(2, 2);
  VectorXd v = A.colwise().sum().transpose();
  B.diagonal().array() += 2;
  B.block(1, 1, 2, 2) *= 3;
  B.col(0).swap(B.col(2));
  return (B * v).dot(v) + C.squaredNorm() + v.segment(1, 2).prod() +
         A.lpNorm<1>() + C.rowwise().norm().mean();
}
double blocked(const double *x, int n) {
  MatrixXd A(20, 20), B(20, 20);
  for (int i = 0; i < 400; ++i) {
    A(i) = x[i % n] * (i + 1) * 0.01;
    B(i) = x[(i * 7) % n] - 0.1 * (i % 5);
  }
  MatrixXd C = A * B;
  C.noalias() += 0.5 * A.transpose() * C;
  return C.squaredNorm() * 0.01 + (A * C.col(3)).sum();
}
double strides(const double *x, int) {
  Map<const MatrixXd, 0, OuterStride<>> A(x, 3, 3, OuterStride<>(5));
  Map<const VectorXd, 0, InnerStride<3>> v(x, 3);
  Matrix<double, Dynamic, Dynamic, RowMajor> R = A;
  R.row(0) += v.transpose();
  return R.squaredNorm() + (R * v).sum() + (A * v.reverse()).norm();
}
double coefficients(const double *x, int) {
  Map<const ArrayXd> a(x, 10), b(x + 10, 10);
  ArrayXd c = (a * b).exp() + a.abs().sqrt() - b.sin() / (2 + a.cos());
  ArrayXd d = (a > b).select(a, b * b) + c.max(a).min(2 * b + 3) + a.pow(2);
  return c.sum() + d.prod() * 1e-3 + d.tanh().mean() + (c - d).abs().maxCoeff();
}
double elementary(const double *x, int) {
  ArrayXd a = Map<const ArrayXd>(x, 20).abs() + 0.1;
  return (-a).exp().sum() + (a.log() * a).sum() + (30 * a).log().prod() * 1e-9 +
         a.pow(a).mean() + (a + 1).rsqrt().sum() + a.tanh().maxCoeff();
}
double geometry(const double *x, int) {
  AngleAxisd a(x[0], Vector3d(x[1], x[2], x[3]).normalized());
  Quaterniond q = Quaterniond(a) * Quaterniond(x[4], x[5], x[6], x[7]);
  q.normalize();
  Isometry3d t = Isometry3d::Identity();
  t.translate(Vector3d(x[8], x[9], x[10]));
  t.rotate(q);
  return (t * Vector3d(1, 2, x[11])).squaredNorm() + q.w() * a.matrix()(0, 1);
}
double sparse(const double *x, int n) {
  std::vector<Triplet<double>> entries;
  for (int i = 0; i < 8; ++i) {
    entries.emplace_back(i, i, x[i] + 3);
    entries.emplace_back(i, (i * 3 + 1) % 8, x[i + 8]);
  }
  SparseMatrix<double> A(8, 8);
  A.setFromTriplets(entries.begin(), entries.end());
  VectorXd v = Map<const VectorXd>(x + 2, 8);
  return (A * v).squaredNorm() + v.dot(A.transpose() * v) + n;
}
float single(const float *x, int) {
  Map<const MatrixXf> A(x, 6, 6);
  VectorXf v = A.col(1) + A.row(2).transpose();
  return (A * A * v).dot(v) + A.maxCoeff();
}
double singleRounded(const double *x, int n) {
  float y[36];
  for (int i = 0; i < 36; ++i)
    y[i] = float(x[i % n]);
  return single(y, 36);
}

} // namespace

int main() {
  FIRST_HALF(check<fixed>(1e-7); check<blocked>(1e-6);
             check<coefficients>(1e-7); check<geometry>(1e-7);
             check<singleRounded>(1e-2);)
  OTHER_HALF(check<dynamic>(1e-7); check<strides>(1e-7);
             check<elementary>(1e-7); check<sparse>(1e-7);)
  return finish();
}
