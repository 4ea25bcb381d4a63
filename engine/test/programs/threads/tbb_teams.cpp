// HEADER: tbb/parallel_for.h
// LINK: tbb
// Loops of oneTBB that a team of threads runs in a derivative: over integers of
// both signs and widths, pointers and iterators; elements that several
// iterations read, or one; a loop in a loop; memory of the body's own; and ones
// that no team runs, since their bodies wait for others or may throw.
#include "../check.h"

#include <algorithm>
#include <execution>
#include <mutex>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <vector>

namespace {

/// Some hundred numbers of six.
std::vector<double> many(const double *x, int n) {
  std::vector<double> y(200);
  tbb::parallel_for(size_t(0), y.size(), [&](size_t i) {
    y[i] = x[i % size_t(n)] * 0.01 * double(i);
  });
  return y;
}

double integers(const double *x, int n) {
  std::vector<double> y = many(x, n), z(y.size());
  const double *from = y.data();
  double *to = z.data();
  // Places of its own, neighbours, and one that all read.
  tbb::parallel_for(tbb::blocked_range<int>(-100, 100, 7),
                    [=](const tbb::blocked_range<int> &r) {
                      for (int i = r.begin(); i < r.end(); ++i)
                        to[i + 100] = from[i + 100] * from[(i + 101) % 200] +
                                      sin(from[3]) * x[0];
                    });
  tbb::parallel_for(tbb::blocked_range<unsigned>(3, 199),
                    [=](const tbb::blocked_range<unsigned> &r) {
                      for (unsigned i = r.begin(); i < r.end(); ++i)
                        to[i] *= to[i] + x[1];
                    });
  tbb::parallel_for(5L, 190L, 3L, [=](long i) { to[i] += from[i] * x[i % 6]; });
  tbb::parallel_for(tbb::blocked_range<long>(7, 7),
                    [=](const tbb::blocked_range<long> &) { to[0] = 1e9; });
  tbb::parallel_for(tbb::blocked_range<long>(0, 1),
                    [=](const tbb::blocked_range<long> &r) {
                      to[r.begin()] = to[r.begin()] * 2;
                    });
  double s = 0;
  for (double v : z)
    s += v * v;
  return s / 200;
}

double places(const double *x, int n) {
  std::vector<double> y = many(x, n);
  std::for_each(std::execution::par, y.begin(), y.end(),
                [=](double &v) { v = v * cos(v) + x[2]; });
  double *p = y.data();
  tbb::parallel_for(tbb::blocked_range<double *>(p + 1, p + 150),
                    [=](const tbb::blocked_range<double *> &r) {
                      for (double *q = r.begin(); q != r.end(); ++q)
                        *q *= 1 + *q * x[3];
                    });
  struct Pair {
    double a, b, c;
  };
  std::vector<Pair> pairs(70);
  std::for_each(std::execution::par, pairs.begin(), pairs.end(),
                [=, first = pairs.data()](Pair &v) {
                  const size_t i = size_t(&v - first);
                  v = {p[i], p[2 * i] * x[4], p[i] * p[i + 1]};
                });
  double s = 0;
  for (const Pair &v : pairs)
    s += v.a * v.b + v.c;
  return s / 70;
}

double nested(const double *x, int n) {
  const int size = 30;
  std::vector<double> y = many(x, n), z(size_t(size * size));
  const double *from = y.data();
  double *to = z.data();
  tbb::parallel_for(0, size, [=](int i) {
    double own[6];
    for (int k = 0; k < 6; ++k)
      own[k] = from[i] * x[k];
    tbb::parallel_for(0, size, [=](int j) {
      double t = 0;
      for (int k = 0; k < 6; ++k)
        t += own[k] * sin(from[j + k]);
      to[i * size + j] = t;
    });
  });
  double s = 0;
  for (size_t i = 0; i < z.size(); ++i)
    s += z[i] * z[i] * double(i % 7);
  return s / 900;
}

double waiting(const double *x, int n) {
  std::vector<double> y = many(x, n);
  double s = 0, most = 0;
  std::mutex m;
  tbb::parallel_for(0, 200, [&](int i) {
    const double v = y[size_t(i)] * y[size_t(i)];
    std::lock_guard<std::mutex> lock(m);
    s += v * 0.1;
  });
  try {
    tbb::parallel_for(0, 200, [&](int i) { y.at(size_t(i)) *= 2; });
    most = y.at(3) * y.at(4);
  } catch (...) {
    return 0;
  }
  return s + most;
}

} // namespace

int main() {
  for (size_t threads = 1; threads <= 3; ++threads) {
    tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                threads);
    check_modes<integers>();
    check_modes<places>();
    check_modes<nested>();
    check_modes<waiting>();
  }
  return finish();
}
