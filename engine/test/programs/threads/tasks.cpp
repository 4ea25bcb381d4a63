// NOT-SANITIZED: with the checks inside it takes the compiler ten minutes
// std::async: tasks with results that are numbers and structs with vectors,
// tasks of references, one whose future nobody asks, deferred ones, and one
// that throws.
#include "../check.h"

#include <future>
#include <stdexcept>
#include <vector>

namespace {

struct Part {
  double sum = 0;
  std::vector<double> bins;
};
Part work(const double *x, int a, int b) {
  Part p;
  p.bins.resize(2);
  for (int i = a; i < b; ++i) {
    p.sum += sin(x[i]) * x[i];
    p.bins[size_t(i % 2)] += x[i] * x[i];
  }
  return p;
}

double parts(const double *x, int n) {
  std::vector<std::future<Part>> tasks;
  for (int b = 0; b < 2; ++b)
    tasks.push_back(
        std::async(std::launch::async, work, x, b * n / 2, (b + 1) * n / 2));
  std::future<double> factor =
      std::async(std::launch::deferred, [x] { return x[0] * x[1]; });
  double s = 0;
  for (auto &t : tasks) {
    Part p = t.get();
    s += p.sum * p.bins[0] + p.bins[1];
  }
  return s * factor.get();
}

double unasked(const double *x, int n) {
  double sums[2] = {1, 0};
  {
    auto f = std::async(std::launch::async, [&] {
      for (int i = 0; i < n; ++i)
        sums[0] *= 1 + x[i] / 9;
    });
    auto g = std::async([&sums](double y) { sums[1] = y * y; }, x[n - 1]);
    g.wait();
  } // here the first has ended
  return sums[0] * sums[1];
}

double thrown(const double *x, int n) {
  auto f = std::async(std::launch::async, [x, n] {
    if (n > 3)
      throw std::runtime_error("too many");
    return x[0];
  });
  try {
    return f.get();
  } catch (const std::runtime_error &) {
    return x[1] * x[2];
  }
}

} // namespace

int main() {
  check_modes<parts>();
  check_modes<unasked>();
  check_modes<thrown>();
  return finish();
}
