// FLAGS: -std=c++20
// Containers on memory resources (std::pmr): of the library, of the caller, of
// classes of the program, and memory that is taken from one without a
// container and that only the resource gives back.
#include "../check.h"

#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

namespace {

/// On a buffer of the stack and on a pool, in turns; each is gone before the
/// reverse pass reads what was in it.
double rounds(const double *x, int n) {
  double s = 0;
  for (int round = 0; round < 3; ++round) {
    char buffer[256];
    std::pmr::monotonic_buffer_resource stack(buffer, sizeof buffer);
    std::pmr::unsynchronized_pool_resource pool(&stack);
    std::pmr::memory_resource *from =
        round % 2 ? static_cast<std::pmr::memory_resource *>(&stack) : &pool;
    std::pmr::vector<std::pmr::vector<double>> rows(from);
    for (int i = 0; i < n; ++i) {
      rows.emplace_back();
      for (int k = 0; k <= i % 3; ++k)
        rows.back().push_back(x[(i + k) % n] * (k + 1 + round));
    }
    rows.push_back(rows.front());
    std::pmr::map<std::pmr::string, double> sums(&stack);
    for (const auto &row : rows)
      for (double e : row)
        sums[std::pmr::string(row.size() * 9, '.')] += e * e;
    for (const auto &[key, sum] : sums)
      s += sqrt(sum) * double(key.size());
  }
  return s;
}

/// Memory without a container, which release() gives back.
struct Node {
  double value;
  Node *next;
};
double released(const double *x, int n) {
  std::pmr::monotonic_buffer_resource resource;
  std::pmr::polymorphic_allocator<> from(&resource);
  double s = 0;
  for (int round = 1; round < 3; ++round) {
    Node *head = nullptr;
    for (int i = 0; i < n; ++i)
      head = from.new_object<Node>(x[i] * x[i] * round, head);
    auto *table = static_cast<double *>(
        resource.allocate(sizeof(double) * size_t(n), alignof(double)));
    int k = 0;
    for (Node *p = head; p; p = p->next)
      table[k++] = p->value * p->value;
    for (int i = 0; i < n; ++i)
      s += table[i] * (i + 1);
    resource.release();
  }
  return s;
}

/// Counts what it gives: the result depends on the counts.
struct Counting : std::pmr::memory_resource {
  std::pmr::memory_resource *upstream = std::pmr::get_default_resource();
  size_t live = 0, total = 0;
  void *do_allocate(size_t bytes, size_t align) override {
    live += bytes;
    total += bytes;
    return upstream->allocate(bytes, align);
  }
  void do_deallocate(void *p, size_t bytes, size_t align) override {
    live -= bytes;
    upstream->deallocate(p, bytes, align);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};
double counted(const double *x, int n) {
  Counting resource;
  double s = 0;
  {
    std::pmr::vector<double> squares(&resource);
    std::pmr::map<int, double> sums(&resource);
    for (int i = 0; i < n; ++i)
      squares.push_back(x[i] * x[i]);
    for (int i = 0; i < n; ++i)
      sums[i % 3] += squares[size_t(i)];
    for (const auto &[key, sum] : sums)
      s += sum * sum * (key + 1) * 0.1;
  }
  return s * (1 + 1e-3 * double(resource.total)) + double(resource.live);
}

/// What a function without derivatives takes, another one gives back.
NOINLINE void note(std::pmr::vector<int> &steps, int i) { steps.push_back(i); }
NOINLINE void forget(std::pmr::vector<int> &steps) {
  steps.clear();
  steps.shrink_to_fit();
}
double noted(const double *x, int n) {
  std::pmr::synchronized_pool_resource pool;
  std::pmr::vector<int> steps(&pool);
  std::pmr::list<double> values(&pool);
  for (int i = 0; i < n; ++i) {
    note(steps, i);
    values.push_front(x[i] * (steps.back() + 1));
    if (steps.size() > 2)
      forget(steps);
  }
  double s = 0;
  for (double v : values)
    s = 0.9 * s + v * v;
  return s;
}

/// On the caller's resource.
double given(const double *x, int n, std::pmr::memory_resource *from) {
  std::pmr::vector<double> squares(from);
  for (int i = 0; i < n; ++i)
    squares.push_back(x[i] * x[i]);
  double s = 0;
  for (double v : squares)
    s += v * v;
  return s;
}

template <double (*F)(const double *, int)> void check() {
  for (int n = 1; n < 9; n += 3) {
    double x[9], dx[9] = {0}, at[9], v[9];
    for (int i = 0; i < n; ++i) {
      x[i] = 0.8 + 0.4 * sin(1.7 * i);
      v[i] = cos(2.3 * i);
    }
    __enzyme_autodiff(reinterpret_cast<void *>(F), enzyme_dup, x, dx,
                      enzyme_const, n);
    double got = 0;
    for (int i = 0; i < n; ++i) {
      got += dx[i] * v[i];
      at[i] = v[i];
    }
    const double want = slope(F, x, v, n);
    NEAR(got, want, 1e-8);
    NEAR(__enzyme_fwddiff(reinterpret_cast<void *>(F), enzyme_dup, x, at,
                          enzyme_const, n),
         want, 1e-8);
  }
}

} // namespace

int main() {
  check<rounds>();
  check<released>();
  check<counted>();
  check<noted>();
  std::pmr::unsynchronized_pool_resource pool;
  for (int again = 0; again < 2; ++again) {
    double x[3] = {0.5, -1.5, 2}, dx[3] = {0};
    __enzyme_autodiff(reinterpret_cast<void *>(given), enzyme_dup, x, dx,
                      enzyme_const, 3, enzyme_const, &pool);
    for (int i = 0; i < 3; ++i)
      NEAR(dx[i], 4 * x[i] * x[i] * x[i], 1e-14);
  }
  return finish();
}
