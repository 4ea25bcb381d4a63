// flags: -std=c++17
#include "../user.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <vector>
struct Triplet {
  int r, c;
  double v;
};
struct Entry {
  int col;
  double val;
};
class Sparse {
  int n_;
  std::vector<int> start_;
  std::vector<Entry> e_;

public:
  Sparse(int n, std::vector<Triplet> t) : n_(n), start_(n + 1, 0) {
    std::sort(t.begin(), t.end(), [](const Triplet &a, const Triplet &b) {
      return std::tie(a.r, a.c) < std::tie(b.r, b.c);
    });
    for (size_t i = 0; i < t.size();) {
      size_t j = i;
      double s = 0;
      while (j < t.size() && t[j].r == t[i].r && t[j].c == t[i].c)
        s += t[j++].v;
      e_.push_back({t[i].c, s});
      start_[t[i].r + 1]++;
      i = j;
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
  }
  std::vector<double> operator*(const std::vector<double> &x) const {
    std::vector<double> y(n_, 0.0);
    for (int i = 0; i < n_; ++i)
      for (int k = start_[i]; k < start_[i + 1]; ++k)
        y[i] += e_[k].val * x[e_[k].col];
    return y;
  }
};
static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
static std::vector<double> cg(const Sparse &A, const std::vector<double> &b,
                              int iters) {
  std::vector<double> x(b.size(), 0.0), r = b, p = r;
  double rr = dot(r, r);
  for (int it = 0; it < iters && rr > 1e-13; ++it) {
    auto Ap = A * p;
    double a = rr / dot(p, Ap);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] += a * p[i];
      r[i] -= a * Ap[i];
    }
    double nr = dot(r, r), beta = nr / rr;
    rr = nr;
    std::transform(r.begin(), r.end(), p.begin(), p.begin(),
                   [beta](double ri, double pi) { return ri + beta * pi; });
  }
  return x;
}
static double f(const double *x, int n) {
  std::map<std::pair<int, int>, double> stiff;
  for (int e = 0; e < n; ++e) {
    double k = 1 + x[e] * x[e];
    stiff[{e, e}] += k;
    stiff[{e + 1, e + 1}] += k;
    stiff[{e, e + 1}] -= k;
    stiff[{e + 1, e}] -= k;
  }
  stiff[{0, 0}] += 3;
  std::vector<Triplet> t;
  for (auto &[ij, v] : stiff) {
    t.push_back({ij.first, ij.second, 0.75 * v});
    t.push_back({ij.first, ij.second, 0.25 * v});
  }
  for (int i = 0; i <= n; ++i)
    t.push_back({i, i, 0.5});
  std::reverse(t.begin(), t.end());
  Sparse A(n + 1, std::move(t));
  std::vector<double> b(n + 1, 1.0);
  for (int i = 0; i < n; ++i)
    b[i] += 0.2 * sin(x[i]);
  auto u = cg(A, b, 12);
  return dot(u, b) + *std::max_element(u.begin(), u.end());
}
DERIVED(f)
