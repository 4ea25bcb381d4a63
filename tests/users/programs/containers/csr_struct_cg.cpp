// flags: -std=c++20
// sparse matrix of struct {int col; double val}: assembly with duplicates,
// sort, CG with Jacobi preconditioner
#include "../user.h"
#include <algorithm>
#include <vector>
struct Entry {
  int col;
  double val;
};
struct Sparse {
  std::vector<std::vector<Entry>> row;
  explicit Sparse(int n) : row(n) {}
  void add(int i, int j, double v) {
    for (auto &e : row[i])
      if (e.col == j) {
        e.val += v;
        return;
      }
    row[i].push_back({j, v});
  }
  void finish() {
    for (auto &r : row)
      std::sort(r.begin(), r.end(),
                [](const Entry &a, const Entry &b) { return a.col < b.col; });
  }
  std::vector<double> operator*(const std::vector<double> &x) const {
    std::vector<double> y(row.size());
    for (size_t i = 0; i < row.size(); ++i)
      for (auto [c, v] : row[i])
        y[i] += v * x[c];
    return y;
  }
};
static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
static double f(const double *x, int n) {
  int m = n + 2;
  Sparse A(m);
  std::vector<double> b(m);
  for (int e = 0; e + 1 < m; ++e) {
    double k = 1 + x[e % n] * x[e % n];
    A.add(e, e, k);
    A.add(e + 1, e, -k);
    A.add(e, e + 1, -k);
    A.add(e + 1, e + 1, k);
    b[e] += 0.5 * x[e % n];
  }
  for (int i = 0; i < m; ++i)
    A.add(i, i, 0.5 + 0.1 * i);
  A.finish();
  std::vector<double> u(m), r = b, D(m);
  for (int i = 0; i < m; ++i)
    for (auto &e : A.row[i])
      if (e.col == i)
        D[i] = e.val;
  auto z = r;
  for (int i = 0; i < m; ++i)
    z[i] /= D[i];
  auto p = z;
  double rz = dot(r, z);
  for (int it = 0; it < 3 * m && rz > 1e-22; ++it) {
    auto q = A * p;
    double a = rz / dot(p, q);
    for (int i = 0; i < m; ++i)
      u[i] += a * p[i], r[i] -= a * q[i], z[i] = r[i] / D[i];
    double next = dot(r, z), beta = next / rz;
    rz = next;
    for (int i = 0; i < m; ++i)
      p[i] = z[i] + beta * p[i];
  }
  double s = 0;
  for (int i = 0; i < m; ++i)
    s += u[i] * u[i] * (1 + i) + b[i] * u[i];
  return s;
}
DERIVED(f)
