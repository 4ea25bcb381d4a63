// flags: -std=c++20
// valarray with slices and masks, bitset, vector<bool>, complex, array of
// arrays, initializer lists
#include "../user.h"
#include <array>
#include <bitset>
#include <complex>
#include <numeric>
#include <valarray>
#include <vector>
static double va(const double *x, int n) {
  std::valarray<double> v(x, n), w = v * v + 1.0;
  std::valarray<double> m(12);
  for (int i = 0; i < 12; ++i)
    m[i] = x[i % n] * (i + 1);
  std::valarray<double> row = m[std::slice(4, 4, 1)],
                        col = m[std::slice(1, 3, 4)];
  m[std::slice(0, 4, 1)] += row;
  {
    std::valarray<bool> big = m > 2.0;
    std::valarray<double> sel = m[big];
    sel *= 0.5;
    m[big] = sel;
  }
  std::valarray<double> z = std::sqrt(w) + std::sin(v);
  z = z.shift(1) + z.cshift(-1);
  std::swap(z, w);
  return z.sum() * w.max() + m.sum() * col.sum() * 0.1 +
         (v.apply([](double t) { return t * t * t; })).sum();
}
static double masks(const double *x, int n) {
  std::bitset<24> b(0x5a5a5a);
  std::vector<bool> keep(n, true);
  for (int i = 0; i < n; ++i)
    keep[i] = x[i] > 0.6 || b[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    if (keep[i])
      s += x[i] * x[i];
    else
      s -= x[i];
  keep.flip();
  for (int i = 0; i < n; ++i)
    s += keep[i] ? sin(x[i]) : 0.1 * x[(i + 1) % n];
  return s;
}
static double cplx(const double *x, int n) {
  std::vector<std::complex<double>> z;
  for (int i = 0; i < n; ++i)
    z.emplace_back(x[i], x[(i + 1) % n] * 0.5);
  std::complex<double> p(1, 0);
  for (auto &e : z) {
    p = p * e / (1.0 + std::norm(e)) + std::conj(e) * 0.1;
    e *= std::polar(1.0, 0.3);
  }
  std::array<std::array<double, 3>, 2> a{
      {{x[0], 1, 2}, {x[n - 1], p.real(), p.imag()}}};
  std::swap(a[0], a[1]);
  auto b = a;
  b[0].fill(x[n / 2]);
  return std::abs(p) +
         std::accumulate(z.begin(), z.end(), std::complex<double>()).imag() +
         a[0][1] * b[1][0] + a[0][2] * b[0][2] +
         std::max({x[0], x[n - 1] + 0.31, 0.2});
}
static double f(const double *x, int n) {
  return va(x, n) + masks(x, n) + cplx(x, n);
}
DERIVED(f)
