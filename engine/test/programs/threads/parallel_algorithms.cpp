// HEADER: tbb/parallel_for.h
// LINK: tbb
// The parallel algorithms of libstdc++, which runs them with oneTBB, with each
// of the policies.
#include "../check.h"

#include <algorithm>
#include <execution>
#include <numeric>
#include <vector>

namespace {

namespace ex = std::execution;

template <const auto &Policy> double maps(const double *x, int n) {
  std::vector<double> a(x, x + n), b(a.size()), c(a.size(), 1.);
  std::for_each(Policy, a.begin(), a.end(), [](double &v) { v = v * sin(v); });
  std::transform(Policy, a.begin(), a.end(), x, b.begin(),
                 [](double u, double v) { return u * v + v; });
  std::transform(Policy, b.begin(), b.end(), a.begin(),
                 [s = x[0]](double u) { return u * s; });
  std::fill(Policy, c.begin(), c.begin() + 2, x[1]);
  std::copy(Policy, a.begin() + 3, a.end(), c.begin() + 3);
  std::for_each_n(Policy, c.begin(), n - 1, [](double &v) { v += v * v; });
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i] + c[i] * c[i];
  return s;
}

template <const auto &Policy> double sums(const double *x, int n) {
  std::vector<double> a(x, x + n);
  const double sum = std::reduce(Policy, a.begin(), a.end()),
               product = std::reduce(Policy, a.begin(), a.end(), x[0],
                                     [](double u, double v) { return u * v; }),
               dot = std::transform_reduce(Policy, a.begin(), a.end(), x, 0.),
               squares = std::transform_reduce(
                   Policy, a.begin(), a.end(), x[2], std::plus<>(),
                   [](double v) { return v * v * cos(v); });
  const double most = *std::max_element(Policy, a.begin(), a.end()),
               least = *std::min_element(Policy, a.begin(), a.end());
  return sum * product + dot * squares + most * most * least;
}

template <const auto &Policy> double scans(const double *x, int n) {
  std::vector<double> a(size_t(n), 0.), b(a), c(a);
  std::inclusive_scan(Policy, x, x + n, a.begin());
  std::exclusive_scan(Policy, a.begin(), a.end(), b.begin(), x[0]);
  std::transform_inclusive_scan(Policy, x, x + n, c.begin(), std::plus<>(),
                                [](double v) { return v * v; });
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i] * (double(i) + 1) / 9 + c[i] * a[i];
  return s;
}

struct Particle {
  double key, mass;
  int kind;
};

template <const auto &Policy> double sorts(const double *x, int n) {
  std::vector<Particle> p;
  for (int i = 0; i < 600; ++i)
    p.push_back({i * 37 % 600 + x[i % n] / 8, x[(i + 1) % n], i});
  std::sort(Policy, p.begin(), p.end(),
            [](const Particle &a, const Particle &b) { return a.key < b.key; });
  double s = 0;
  for (int i = 0; i < 600; ++i)
    s += p[size_t(i)].key * p[size_t(i)].mass * i / 600;
  std::stable_sort(Policy, p.begin(), p.end(),
                   [](const Particle &a, const Particle &b) {
                     return a.kind % 4 < b.kind % 4;
                   });
  for (int i = 0; i < 600; ++i)
    s += p[size_t(i)].mass * p[size_t(i)].mass * (i % 5);
  return s / 600;
}

} // namespace

int main() {
  check_modes<maps<ex::par>>();
  check_modes<maps<ex::par_unseq>>();
  check_modes<maps<ex::seq>>();
  check_modes<sums<ex::par>>();
  check_modes<sums<ex::par_unseq>>();
  check_modes<sums<ex::unseq>>();
  check_modes<scans<ex::par>>();
  check_modes<scans<ex::par_unseq>>();
  check_modes<sorts<ex::par>>();
  return finish();
}
