// NOT-SANITIZED: with the checks inside it takes the compiler minutes
// std::async beside std::thread in one function: what futures wait for is done
// by the thread that waits, so that its atomic operations order nothing.
#include "../check.h"

#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {

double kernel(const double *x, double t) { return x[0] * sin(x[1] * t) + x[2]; }
double simpson(const double *x, double lo, double hi, int n) {
  double h = (hi - lo) / n, s = kernel(x, lo) + kernel(x, hi);
  for (int i = 1; i < n; ++i)
    s += kernel(x, lo + i * h) * (i % 2 ? 4 : 2);
  return s * h / 3;
}

struct Accumulator {
  std::mutex m;
  double total = 0;
  void add(double v) {
    std::lock_guard<std::mutex> l(m);
    total += v;
  }
};

double integral(const double *x, int n) {
  Accumulator all;
  std::vector<double> parts(2);
  std::thread one([&] {
    parts[0] = simpson(x, 0, 1, n);
    all.add(parts[0] * x[3]);
  });
  std::thread two([&] {
    parts[1] = simpson(x, 1, 2, n);
    all.add(parts[1] * x[3] * x[0]);
  });
  auto tail = std::async(std::launch::async,
                         [x, n] { return simpson(x, 2, 4, n) * x[0]; });
  one.join();
  two.join();
  return all.total + parts[0] * parts[1] + tail.get();
}

double many(const double *x, int n) {
  std::vector<std::future<double>> jobs;
  for (int k = 0; k < 3; ++k)
    jobs.push_back(std::async(std::launch::async,
                              [x, k, n] { return simpson(x, k, k + 1, n); }));
  std::vector<double> part(2);
  std::vector<std::thread> pool;
  for (int k = 0; k < 2; ++k)
    pool.emplace_back([&part, x, k] { part[k] = x[3] * x[k] * x[k]; });
  for (auto &t : pool)
    t.join();
  double s = part[0] * part[1];
  for (auto &j : jobs)
    s = s * 1.1 + j.get();
  return s;
}

} // namespace

int main() {
  check_modes<integral>();
  check_modes<many>();
  return finish();
}
