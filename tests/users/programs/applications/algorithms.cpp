// flags: -std=c++20
// <algorithm>/<numeric> on doubles and structs: rotate, reverse, unique,
// partition, set operations, scans, shuffles, binary search, custom iterator
#include "../user.h"
#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>
struct Strided {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = double;
  using difference_type = long;
  using pointer = double *;
  using reference = double &;
  double *p;
  long st;
  double &operator*() const { return *p; }
  double &operator[](long k) const { return p[k * st]; }
  Strided &operator++() {
    p += st;
    return *this;
  }
  Strided operator++(int) {
    auto t = *this;
    p += st;
    return t;
  }
  Strided &operator--() {
    p -= st;
    return *this;
  }
  Strided operator--(int) {
    auto t = *this;
    p -= st;
    return t;
  }
  Strided &operator+=(long k) {
    p += k * st;
    return *this;
  }
  Strided &operator-=(long k) {
    p -= k * st;
    return *this;
  }
  friend Strided operator+(Strided a, long k) { return a += k; }
  friend Strided operator-(Strided a, long k) { return a -= k; }
  friend long operator-(Strided a, Strided b) { return (a.p - b.p) / a.st; }
  bool operator==(const Strided &o) const { return p == o.p; }
  auto operator<=>(const Strided &o) const { return p <=> o.p; }
};
static double f(const double *x, int n) {
  std::vector<double> v(x, x + n), w(n), u;
  double s = 0;
  std::partial_sum(v.begin(), v.end(), w.begin());
  std::adjacent_difference(
      w.begin(), w.end(), v.begin(),
      [](double a, double b) { return a * 0.9 - b * b * 0.05; });
  s += std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
  std::rotate(v.begin(), v.begin() + n / 3, v.end());
  std::reverse(w.begin(), w.end());
  std::mt19937 gen(3);
  std::shuffle(v.begin(), v.end(), gen);
  std::merge(v.begin(), v.end(), w.begin(), w.end(), std::back_inserter(u));
  auto mid = std::stable_partition(u.begin(), u.end(),
                                   [](double t) { return t > 1.1; });
  for (auto it = u.begin(); it != mid; ++it)
    s += sin(*it);
  std::sort(mid, u.end(), std::greater<>());
  double k = 1;
  for (auto it = mid; it != u.end(); ++it)
    s += *it * (k *= 0.8);
  u.erase(std::unique(
              u.begin(), u.end(),
              [](double a, double b) { return (int)(4 * a) == (int)(4 * b); }),
          u.end());
  s += std::accumulate(u.begin(), u.end(), 1.0,
                       [](double a, double b) { return a * (0.9 + 0.1 * b); });
  std::vector<double> grid(3 * n);
  std::generate(grid.begin(), grid.end(), [&, i = 0]() mutable {
    ++i;
    return x[i % n] * (1 + 0.013 * i);
  });
  std::sort(Strided{grid.data() + 1, 3}, Strided{grid.data() + 1 + 3 * n, 3});
  for (int i = 0; i < 3 * n; ++i)
    s += grid[i] * (i % 5) * 0.1;
  auto lo = std::lower_bound(Strided{grid.data() + 1, 3},
                             Strided{grid.data() + 1 + 3 * n, 3}, x[0]);
  if (lo - Strided{grid.data() + 1, 3} < n)
    s += *lo * 2;
  auto [mn, mx] = std::minmax_element(grid.begin(), grid.end());
  std::iter_swap(mn, mx);
  std::exclusive_scan(grid.begin(), grid.end(), grid.begin(), x[0]);
  std::transform(grid.begin(), grid.end() - 1, grid.begin() + 1, grid.begin(),
                 [](double a, double b) { return a * b * 0.01; });
  return s + std::reduce(grid.begin(), grid.end()) + std::clamp(x[0], 0.2, 2.0);
}
DERIVED(f)
