// HEADER: tbb/parallel_for.h
// LINK: tbb
// oneTBB: loops over ranges of one and two dimensions and over indices, with
// each partitioner; reductions by functions and by bodies that join; scans;
// objects that are invoked together, and in an arena; sorting; one that throws.
#include "../check.h"

#include <stdexcept>
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <vector>

namespace {

using Range = tbb::blocked_range<int>;

double loops(const double *x, int n) {
  std::vector<double> y(static_cast<size_t>(n)), z(y), w(y);
  double *to = y.data();
  tbb::parallel_for(Range(0, n), [=](const Range &r) {
    for (int i = r.begin(); i != r.end(); ++i)
      to[i] = sin(x[i]) * x[(i + 1) % n];
  });
  tbb::parallel_for(0, n, [&](int i) { z[size_t(i)] = to[i] * x[i]; });
  tbb::parallel_for(
      1, n, 2, [&](int i) { z[size_t(i)] *= x[i - 1]; },
      tbb::static_partitioner());
  tbb::affinity_partitioner ap;
  tbb::parallel_for(
      Range(0, n, 2),
      [&](const Range &r) {
        for (int i : {r.begin()})
          for (int k = i; k < r.end(); ++k)
            w[size_t(k)] = z[size_t(k)] * z[size_t(k)] + x[0];
      },
      ap);
  double s = 0;
  for (double v : w)
    s += v;
  return s;
}

double blocks(const double *x, int n) {
  std::vector<double> a(static_cast<size_t>(n * n));
  tbb::parallel_for(
      tbb::blocked_range2d<int>(0, n, 0, n),
      [&](const tbb::blocked_range2d<int> &r) {
        for (int i = r.rows().begin(); i < r.rows().end(); ++i)
          for (int j = r.cols().begin(); j < r.cols().end(); ++j)
            a[size_t(i * n + j)] = x[i] * x[j] + cos(x[i]);
      },
      tbb::simple_partitioner());
  // A loop in a loop.
  std::vector<double> rows(static_cast<size_t>(n));
  tbb::parallel_for(0, n, [&](int i) {
    rows[size_t(i)] = tbb::parallel_reduce(
        Range(0, n), 0.,
        [&](const Range &r, double s) {
          for (int j = r.begin(); j < r.end(); ++j)
            s += a[size_t(i * n + j)] * a[size_t(j * n + i)];
          return s;
        },
        std::plus<double>());
  });
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += rows[size_t(i)] * (i + 1);
  return s;
}

/// A body that joins, with two sums.
struct Moments {
  const double *x;
  double sum = 0, squares = 0;
  explicit Moments(const double *x) : x(x) {}
  Moments(Moments &m, tbb::split) : x(m.x) {}
  void operator()(const Range &r) {
    for (int i = r.begin(); i != r.end(); ++i) {
      sum += x[i];
      squares += x[i] * x[i];
    }
  }
  void join(const Moments &m) {
    sum += m.sum;
    squares += m.squares;
  }
};

double reductions(const double *x, int n) {
  Moments m(x), d(x);
  tbb::parallel_reduce(Range(0, n), m);
  tbb::parallel_deterministic_reduce(Range(1, n), d);
  double p = tbb::parallel_deterministic_reduce(
      Range(0, n), 1.,
      [x](const Range &r, double v) {
        for (int i = r.begin(); i != r.end(); ++i)
          v *= 1 + x[i] / 9;
        return v;
      },
      [](double a, double b) { return a * b; });
  double most = tbb::parallel_reduce(
      Range(0, n), -1e9,
      [x](const Range &r, double v) {
        for (int i = r.begin(); i != r.end(); ++i)
          v = x[i] > v ? x[i] : v;
        return v;
      },
      [](double a, double b) { return a > b ? a : b; });
  double none = tbb::parallel_reduce(
      Range(n, n), x[0], [](const Range &, double) { return 7.; },
      std::plus<double>());
  return m.squares / n - m.sum * m.sum / n / n + d.sum * d.squares + p +
         most * most + none;
}

double scans(const double *x, int n) {
  std::vector<double> y(static_cast<size_t>(n));
  double total = tbb::parallel_scan(
      Range(0, n), 0.,
      [&](const Range &r, double s, bool isFinal) {
        for (int i = r.begin(); i != r.end(); ++i) {
          s += x[i] * x[i];
          if (isFinal)
            y[size_t(i)] = s;
        }
        return s;
      },
      std::plus<double>());
  double s = total;
  for (int i = 0; i < n; ++i)
    s += y[size_t(i)] * y[size_t(i)] * (i + 1) / 9;
  return s;
}

double invoked(const double *x, int n) {
  double a = 0, b = 0, c = 0, d = 0, e = 0, g = 0, h = 0;
  tbb::parallel_invoke([&] { a = x[0] * x[1]; },
                       [&] {
                         for (int i = 0; i < n; ++i)
                           b += x[i] * x[i];
                       });
  tbb::parallel_invoke([&] { c = a * a; }, [&] { d = a * b; },
                       [&] { e = sin(b); }, [&] { g = x[2] * a; },
                       [&] { h = x[3] * x[3]; });
  tbb::task_arena arena(2);
  double f = arena.execute([&] {
    return tbb::parallel_reduce(
        Range(0, n), 0.,
        [x](const Range &r, double s) {
          for (int i = r.begin(); i != r.end(); ++i)
            s += cos(x[i]);
          return s;
        },
        std::plus<double>());
  });
  tbb::this_task_arena::isolate([&] { f *= x[1]; });
  return a + b * c + d * e + f * g + h;
}

struct Point {
  double key, value;
};

double sorted(const double *x, int n) {
  std::vector<Point> p;
  for (int i = 0; i < 600; ++i)
    p.push_back({i * 37 % 600 + x[i % n] / 8, x[(i + 1) % n]});
  tbb::parallel_sort(p.begin(), p.end(), [](const Point &a, const Point &b) {
    return a.key < b.key;
  });
  double s = 0;
  for (int i = 0; i < 600; ++i)
    s += p[size_t(i)].key * p[size_t(i)].value * i / 600;
  return s / 600;
}

double thrown(const double *x, int n) {
  double s = 0;
  try {
    tbb::parallel_for(0, n, [&](int i) {
      if (i == 2)
        throw std::runtime_error("two");
      s = x[i] * x[i];
    });
  } catch (const std::runtime_error &) {
    return x[1] * x[2];
  }
  return s;
}

} // namespace

int main() {
  check_modes<loops>();
  check_modes<blocks>();
  check_modes<reductions>();
  check_modes<scans>();
  check_modes<invoked>();
  check_modes<sorted>();
  check_modes<thrown>();
  return finish();
}
