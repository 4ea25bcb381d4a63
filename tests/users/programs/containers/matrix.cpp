// flags: -std=c++17
#include "../user.h"
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>
template <class T> class Matrix {
  int r_ = 0, c_ = 0;
  T *d_ = nullptr;
  bool transposed_ = false;

public:
  Matrix() = default;
  Matrix(int r, int c, T v = T()) : r_(r), c_(c), d_(new T[(size_t)r * c]) {
    std::fill(d_, d_ + (size_t)r * c, v);
  }
  Matrix(const Matrix &o)
      : r_(o.r_), c_(o.c_), d_(new T[(size_t)o.r_ * o.c_]),
        transposed_(o.transposed_) {
    std::copy(o.d_, o.d_ + (size_t)r_ * c_, d_);
  }
  Matrix(Matrix &&o) noexcept { swap(o); }
  Matrix &operator=(Matrix o) noexcept {
    swap(o);
    return *this;
  }
  ~Matrix() { delete[] d_; }
  void swap(Matrix &o) noexcept {
    std::swap(r_, o.r_);
    std::swap(c_, o.c_);
    std::swap(d_, o.d_);
    std::swap(transposed_, o.transposed_);
  }
  int rows() const { return transposed_ ? c_ : r_; }
  int cols() const { return transposed_ ? r_ : c_; }
  T &operator()(int i, int j) {
    return transposed_ ? d_[j * c_ + i] : d_[i * c_ + j];
  }
  const T &operator()(int i, int j) const {
    return const_cast<Matrix &>(*this)(i, j);
  }
  Matrix t() && {
    transposed_ = !transposed_;
    return std::move(*this);
  }
  Matrix t() const & {
    Matrix m(*this);
    m.transposed_ = !m.transposed_;
    return m;
  }
  Matrix &operator+=(const Matrix &o) {
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j < cols(); ++j)
        (*this)(i, j) += o(i, j);
    return *this;
  }
  friend Matrix operator+(Matrix a, const Matrix &b) {
    a += b;
    return a;
  }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    if (a.cols() != b.rows())
      throw std::invalid_argument("shape");
    Matrix m(a.rows(), b.cols());
    for (int i = 0; i < a.rows(); ++i)
      for (int k = 0; k < a.cols(); ++k)
        for (int j = 0; j < b.cols(); ++j)
          m(i, j) += a(i, k) * b(k, j);
    return m;
  }
  static Matrix identity(int n) {
    Matrix m(n, n);
    for (int i = 0; i < n; ++i)
      m(i, i) = 1;
    return m;
  }
};
struct LU {
  Matrix<double> a;
  std::vector<int> perm;
  int sign = 1;
  explicit LU(Matrix<double> m) : a(std::move(m)), perm(a.rows()) {
    int n = a.rows();
    for (int i = 0; i < n; ++i)
      perm[i] = i;
    for (int k = 0; k < n; ++k) {
      int p = k;
      for (int i = k + 1; i < n; ++i)
        if (std::abs(a(i, k)) > std::abs(a(p, k)))
          p = i;
      if (p != k) {
        for (int j = 0; j < n; ++j)
          std::swap(a(p, j), a(k, j));
        std::swap(perm[p], perm[k]);
        sign = -sign;
      }
      for (int i = k + 1; i < n; ++i) {
        double l = a(i, k) /= a(k, k);
        for (int j = k + 1; j < n; ++j)
          a(i, j) -= l * a(k, j);
      }
    }
  }
  double logdet() const {
    double s = 0;
    for (int i = 0; i < a.rows(); ++i)
      s += std::log(std::abs(a(i, i)));
    return s;
  }
  std::vector<double> solve(const std::vector<double> &b) const {
    int n = a.rows();
    std::vector<double> y(n);
    for (int i = 0; i < n; ++i) {
      y[i] = b[perm[i]];
      for (int j = 0; j < i; ++j)
        y[i] -= a(i, j) * y[j];
    }
    for (int i = n; i-- > 0;) {
      for (int j = i + 1; j < n; ++j)
        y[i] -= a(i, j) * y[j];
      y[i] /= a(i, i);
    }
    return y;
  }
};
static double f(const double *x, int n) {
  Matrix<double> m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      m(i, j) = x[i] * std::cos(1.3 * i * j + x[j]) + (i == j ? 0.3 : 0.0);
  Matrix<double> s = m * m.t() + Matrix<double>::identity(n);
  Matrix<double> u = std::move(s).t();
  u(0, n - 1) += 0.1 * x[0];
  std::vector<Matrix<double>> stack;
  stack.push_back(u);
  stack.push_back(m + u);
  stack.emplace_back(std::move(u));
  double r = 0;
  for (size_t k = 0; k < stack.size(); k += 2) {
    LU lu(stack[k]);
    auto y = lu.solve(std::vector<double>(x, x + n));
    for (int i = 0; i < n; ++i)
      r += y[i] * (i + 1) / n;
    r += 0.1 * lu.logdet();
  }
  return r + 0.01 * stack[1](n / 2, 0);
}
DERIVED(f)
