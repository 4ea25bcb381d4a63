// Functions that are left by an exception after they have written numbers, and
// that are called, not inlined: what they wrote counts where a handler goes on.
#include "../check.h"
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Deep : std::runtime_error {
  int level;
  Deep(int n) : runtime_error("deep"), level(n) {}
};
struct Other {};

/// Scales what it has come to, then goes on, or ends in an exception.
__attribute__((noinline)) static double descend(double *y, int n, int limit) {
  y[n] *= y[n];
  if (n == limit)
    throw Deep(n);
  if (n == 7)
    throw Other();
  double below = n == 0 ? 1 : descend(y, n - 1, limit);
  y[n] *= 3;
  return below * y[n];
}

/// x0^2 x1^2 ... : all that was written before the exception.
static double written(const double *x, int n) {
  std::vector<double> y(x, x + n);
  double r = 0;
  try {
    r = descend(y.data(), n - 1, 1);
  } catch (const Deep &d) {
    r = d.level;
  }
  for (double v : y)
    r += v * v;
  return r;
}

/// No exception, though there is a handler.
static double quiet(const double *x, int n) {
  std::vector<double> y(x, x + n);
  try {
    return descend(y.data(), n - 1, -1);
  } catch (const Deep &) {
    return 0;
  }
}

/// The depth of calls whose frames have something to destroy.
struct Count {
  int &depth;
  double *at;
  Count(int &d, double *a) : depth(d), at(a) { ++depth; }
  ~Count() {
    --depth;
    *at *= 0.9;
  }
};

struct Table {
  std::map<std::string, double> cells, cache;
  int depth = 0;
  double log = 1;

  __attribute__((noinline)) double value(const std::string &name, int to) {
    auto it = cache.find(name);
    if (it != cache.end())
      return it->second;
    Count c(depth, &log);
    double v = cells.at(name);
    if (name.size() > 1)
      v *= value(name.substr(1), to);
    cache[name] = v;
    if (int(name.size()) == to)
      throw std::out_of_range("the end");
    return v;
  }
  /// Cleans up and throws again.
  __attribute__((noinline)) double guarded(const std::string &name, int to) {
    try {
      return value(name, to);
    } catch (...) {
      log *= log;
      throw;
    }
  }
};

static double table(const double *x, int n) {
  Table t;
  std::string name;
  for (int i = 0; i < n; i++) {
    name = char('a' + i) + name;
    t.cells[name] = x[i];
  }
  t.log = x[0];
  double r = 0;
  for (int k = 0; k < 3; k++)
    try {
      r += t.guarded(name, k + 1);
    } catch (const std::logic_error &e) {
      r += x[1] * (k + 1);
    }
  for (auto &[key, v] : t.cache)
    r += v * v * key.size();
  return r + t.log + t.depth;
}

/// One handler does not take it, the next does; in a loop.
static double kinds(const double *x, int n) {
  std::vector<double> y(8, 1.0);
  double r = 0;
  for (int k = 0; k < n; k++) {
    y[7] = x[k];
    y[6] = x[k] * x[0];
    try {
      try {
        r += descend(y.data(), k == 0 ? 7 : 6, k == 0 ? 0 : 6);
      } catch (const Deep &d) {
        r += d.level * x[k];
      }
    } catch (...) {
      r += y[7] * 5;
    }
    r += y[6];
  }
  return r;
}

/// Two requests of one function: with a handler, and without.
static double bare(const double *x, int n) {
  std::vector<double> y(x, x + n);
  return descend(y.data(), n - 1, -1) + y[0];
}
static double both(const double *x, int n) {
  return bare(x, n) + written(x, n);
}

/// Numbers that the function returns, and a handler in a function that is
/// itself called under one.
__attribute__((noinline)) static double retried(double *y, int n, int tries) {
  double r = 0;
  try {
    r = descend(y, n, tries > 2 ? 1 : -1);
  } catch (const Deep &) {
    y[0] += y[n];
    if (tries > 3)
      throw;
    r = retried(y, n, tries - 1);
  }
  return r * y[0];
}
static double retry(const double *x, int n) {
  double r = 0;
  for (int tries = 2; tries < 5; tries++) {
    std::vector<double> y(x, x + n);
    try {
      r += retried(y.data(), n - 1, tries);
    } catch (const std::runtime_error &) {
      r += y[0] * y[1];
    }
  }
  return r;
}

int main() {
  const double x[] = {1.1, 0.7, 0.9};
  check_modes<written>(x, 1e-7);
  check_modes<quiet>(x, 1e-7);
  check_modes<table>(x, 1e-7);
  check_modes<kinds>(x, 1e-7);
  check_modes<both>(x, 1e-7);
  check_modes<retry>(x, 1e-7);
  return finish();
}
