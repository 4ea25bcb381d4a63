// flags: -std=c++20
// matrix class with new[], copy/move, operators returning by value, LU with row
// swaps, power iteration, vector of matrices
#include "../user.h"
#include <algorithm>
#include <utility>
#include <vector>
class Mat {
  int r = 0, c = 0;
  double *a = nullptr;

public:
  Mat() {}
  Mat(int p, int q) : r(p), c(q), a(new double[p * q]()) {}
  Mat(const Mat &o) : Mat(o.r, o.c) { std::copy(o.a, o.a + r * c, a); }
  Mat(Mat &&o) noexcept
      : r(std::exchange(o.r, 0)), c(std::exchange(o.c, 0)),
        a(std::exchange(o.a, nullptr)) {}
  Mat &operator=(const Mat &o) {
    Mat t(o);
    swap(t);
    return *this;
  }
  Mat &operator=(Mat &&o) noexcept {
    if (this != &o) {
      delete[] a;
      r = std::exchange(o.r, 0);
      c = std::exchange(o.c, 0);
      a = std::exchange(o.a, nullptr);
    }
    return *this;
  }
  ~Mat() { delete[] a; }
  void swap(Mat &o) {
    std::swap(r, o.r);
    std::swap(c, o.c);
    std::swap(a, o.a);
  }
  double &operator()(int i, int j) { return a[i * c + j]; }
  double operator()(int i, int j) const { return a[i * c + j]; }
  int rows() const { return r; }
  int cols() const { return c; }
  Mat &operator+=(const Mat &o) {
    for (int i = 0; i < r * c; ++i)
      a[i] += o.a[i];
    return *this;
  }
  Mat &operator*=(double k) {
    for (int i = 0; i < r * c; ++i)
      a[i] *= k;
    return *this;
  }
  friend Mat operator+(Mat p, const Mat &q) {
    p += q;
    return p;
  }
  friend Mat operator*(double k, Mat p) {
    p *= k;
    return p;
  }
  friend Mat operator*(const Mat &p, const Mat &q) {
    Mat m(p.r, q.c);
    for (int i = 0; i < p.r; ++i)
      for (int k = 0; k < p.c; ++k)
        for (int j = 0; j < q.c; ++j)
          m(i, j) += p(i, k) * q(k, j);
    return m;
  }
  Mat t() const {
    Mat m(c, r);
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < c; ++j)
        m(j, i) = (*this)(i, j);
    return m;
  }
};
static Mat solve(Mat A, Mat b) {
  int n = A.rows();
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k; i < n; ++i)
      if (fabs(A(i, k)) > fabs(A(p, k)))
        p = i;
    if (p != k) {
      for (int j = 0; j < n; ++j)
        std::swap(A(k, j), A(p, j));
      for (int j = 0; j < b.cols(); ++j)
        std::swap(b(k, j), b(p, j));
    }
    for (int i = k + 1; i < n; ++i) {
      double l = A(i, k) / A(k, k);
      for (int j = k; j < n; ++j)
        A(i, j) -= l * A(k, j);
      for (int j = 0; j < b.cols(); ++j)
        b(i, j) -= l * b(k, j);
    }
  }
  for (int i = n - 1; i >= 0; --i)
    for (int j = 0; j < b.cols(); ++j) {
      for (int k = i + 1; k < n; ++k)
        b(i, j) -= A(i, k) * b(k, j);
      b(i, j) /= A(i, i);
    }
  return b;
}
static double f(const double *x, int n) {
  int m = n < 5 ? n : 5;
  Mat A(m, m), b(m, 2);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j)
      A(i, j) = 0.3 * x[(i * m + j) % n] + (i == (j + 1) % m ? 2 : 0);
    b(i, 0) = x[i];
    b(i, 1) = x[(i * 2) % n] * x[0];
  }
  std::vector<Mat> list;
  for (int k = 0; k < 4; ++k) {
    list.push_back(A + 0.1 * k * A.t());
    list.insert(list.begin(), solve(list.back(), b));
  }
  std::reverse(list.begin(), list.end());
  std::rotate(list.begin(), list.begin() + 3, list.end());
  double s = 0, w = 1;
  for (auto &M : list) {
    Mat g = M.t() * M;
    for (int i = 0; i < g.rows(); ++i)
      s += g(i, i) * (w *= 0.9);
  }
  list[0] = std::move(list[1]);
  list[1] = list[2];
  list[2].swap(list[0]);
  return s + list[2](0, 0) * list[1](0, 0);
}
DERIVED(f)
