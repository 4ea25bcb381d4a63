// flags: -std=c++20
// std::pmr vectors, strings, maps on monotonic and pool resources with a stack
// buffer
#include "../user.h"
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
struct Cell {
  using allocator_type = std::pmr::polymorphic_allocator<>;
  std::pmr::vector<double> v;
  double mass;
  Cell(const allocator_type &a = {}) : v(a), mass(0) {}
  Cell(const Cell &o, const allocator_type &a) : v(o.v, a), mass(o.mass) {}
  Cell(Cell &&o, const allocator_type &a)
      : v(std::move(o.v), a), mass(o.mass) {}
  Cell(const Cell &) = default;
  Cell(Cell &&) = default;
  Cell &operator=(const Cell &) = default;
};
static double mono(const double *x, int n) {
  char buf[512];
  std::pmr::monotonic_buffer_resource r(buf, sizeof buf);
  std::pmr::vector<std::pmr::vector<double>> rows(&r);
  for (int i = 0; i < n; ++i) {
    rows.emplace_back();
    for (int k = 0; k <= i % 4; ++k)
      rows.back().push_back(x[(i + k) % n] * (k + 1));
  }
  double s = 0;
  for (auto &row : rows) {
    double p = 1;
    for (double e : row)
      p *= 0.5 + e;
    s += p;
  }
  std::pmr::map<int, double> m(&r);
  for (int i = 0; i < n; ++i)
    m[i % 3] += x[i] * x[i];
  for (auto &[k, v] : m)
    s += sqrt(v) * (k + 1);
  return s;
}
static double pool(const double *x, int n) {
  std::pmr::unsynchronized_pool_resource r;
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    std::pmr::vector<Cell> cells(&r);
    for (int i = 0; i < n; ++i) {
      Cell c(&r);
      c.mass = x[i];
      c.v.assign(1 + i % 3, x[i] * round);
      cells.push_back(c);
    }
    std::pmr::unordered_map<std::pmr::string, double> named(&r);
    for (int i = 0; i < n; ++i)
      named[std::pmr::string("a key that is not short, number ") +
            char('a' + i % 5)] += cells[i].mass * (i + 1);
    for (auto &[k, v] : named)
      s += sin(v) * k.back() * 0.01;
    for (auto &c : cells)
      for (double e : c.v)
        s += e * c.mass;
  }
  return s;
}
static double f(const double *x, int n) {
  return mono(x, n) * 0.1 + pool(x, n);
}
DERIVED(f)
