// C++ as it is written: vectors that grow, arrays, lambdas, destructors with
// effects, templates, references.
#include "../check.h"
#include <array>
#include <numeric>
#include <vector>

/// Partial sums in a vector that grows, summed with a weight.
static double grown(const double *x, int n) {
  std::vector<double> sums;
  double run = 0;
  for (int i = 0; i < n; ++i) {
    run += x[i] * x[i];
    sums.push_back(run);
  }
  auto weight = [&](double s) { return s * std::cos(x[0] * s); };
  return std::accumulate(sums.begin(), sums.end(), 0.0,
                         [&](double a, double s) { return a + weight(s); });
}

namespace {
template <typename T, std::size_t N> struct Matrix {
  std::array<T, N * N> entry{};
  T &operator()(std::size_t i, std::size_t j) { return entry[i * N + j]; }
  const T &operator()(std::size_t i, std::size_t j) const {
    return entry[i * N + j];
  }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    Matrix c;
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < N; ++j)
        for (std::size_t k = 0; k < N; ++k)
          c(i, j) += a(i, k) * b(k, j);
    return c;
  }
};

/// Adds what it collected when it goes out of scope.
class Ledger {
public:
  explicit Ledger(double &balance) : balance(balance) {}
  ~Ledger() { balance += sum * sum; }
  void add(double amount) { sum += amount; }

private:
  double &balance;
  double sum = 0;
};
} // namespace

/// The trace of a power, and ledgers that close in each iteration.
static double powers(const double *x, int n) {
  Matrix<double, 2> m, p;
  for (std::size_t i = 0; i < 4; ++i)
    m.entry[i] = x[i % static_cast<std::size_t>(n)];
  p(0, 0) = p(1, 1) = 1;
  double balance = 0;
  for (int i = 0; i < n; ++i) {
    Ledger ledger(balance);
    p = p * m;
    ledger.add(p(0, 1));
    if (x[i] < 0)
      continue; // the destructor runs on this path too
    ledger.add(x[i]);
  }
  return p(0, 0) + p(1, 1) + balance;
}

int main() {
  const double x[] = {0.4, 0.9, 1.2, -0.7, 1.1, 0.3, -0.2, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  for (int n = 1; n <= 8; ++n) {
    double g[2][8] = {};
    BOTH_MODES(grown, x, g[0], v, n);
    BOTH_MODES(powers, x, g[1], v, n);
  }
  return finish();
}
