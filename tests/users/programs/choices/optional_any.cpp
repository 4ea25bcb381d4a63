// flags: -std=c++20
// std::optional<double>, optional<vector>, std::any that holds a double, then a
// vector, then a string
#include "../user.h"
#include <any>
#include <optional>
#include <string>
#include <vector>
static std::optional<double> root(double a, double b, double c) {
  double d = b * b - 4 * a * c;
  if (d < 0)
    return std::nullopt;
  return (-b + sqrt(d)) / (2 * a);
}
static double weigh(const std::any &a) {
  if (auto *d = std::any_cast<double>(&a))
    return *d * 2;
  if (auto *v = std::any_cast<std::vector<double>>(&a)) {
    double s = 1;
    for (double e : *v)
      s *= 1 + 0.1 * e;
    return s;
  }
  if (auto *p = std::any_cast<const double *>(&a))
    return **p * 3;
  if (auto *t = std::any_cast<std::string>(&a))
    return t->size();
  return 0;
}
static double f(const double *x, int n) {
  std::any cell, other = 1.5;
  std::optional<std::vector<double>> cache;
  std::optional<double> best;
  double s = 0;
  for (int i = 0; i < 2 * n + 3; ++i) {
    switch (i % 5) {
    case 0:
      cell = x[i % n];
      break;
    case 1:
      cell = std::vector<double>{x[i % n], x[0]};
      break;
    case 2:
      cell = x + i % n;
      break;
    case 3:
      cell = std::string("text");
      break;
    default:
      cell.emplace<std::vector<double>>(3, x[i % n]);
    }
    s += weigh(cell) * (1 + 0.1 * i);
    if (i % 3 == 0)
      cell.swap(other);
    if (i % 4 == 2)
      other = cell;
    s += weigh(other);
    if (auto r = root(1.0, x[i % n], 0.2 - 0.3 * i)) {
      s += *r;
      if (!best || *r > *best)
        best = r;
    }
    if (!cache)
      cache.emplace();
    cache->push_back(x[i % n] * s * 0.01);
    if (cache->size() == 4) {
      auto moved = std::move(cache);
      cache.reset();
      for (double e : *moved)
        s += e;
    }
  }
  other.reset();
  return s + best.value_or(0.0) * 3 + (cache ? cache->back() : x[0]);
}
DERIVED(f)
