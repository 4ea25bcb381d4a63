// Numbers that go with an exception to its handler.
#include "../check.h"
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

struct Value {
  int n;
  double v;
};
struct Last : std::runtime_error {
  double v, w;
  Last(const std::string &s, double a, double b)
      : runtime_error(s), v(a), w(b) {}
  double sum() const { return v * w; }
};
struct Deeper : Last {
  std::vector<double> all;
  std::string name;
  Deeper(double a, double b)
      : Last("deeper", a, b), all{a, b, a * b}, name("a name that is long") {}
};

static double plain(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++)
    try {
      if (x[i] > 0.8)
        throw Value{i, x[i] * x[0]};
      r += x[i];
    } catch (Value v) {
      r += v.v * v.v * (v.n + 1);
    }
  return r;
}

__attribute__((noinline)) static double step(std::vector<double> &y, int i) {
  y[i] *= y[0];
  if (i == 2)
    throw Last("the end", y[i], y[1]);
  if (i == 1)
    throw Deeper(y[1], y[i] * 2);
  return y[i] * y[i];
}

/// By base and by class, with members that are destroyed when it is over.
static double classes(const double *x, int n) {
  std::vector<double> y(x, x + n);
  double r = 1;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n; i++) {
      try {
        r += step(y, i);
      } catch (const Deeper &d) {
        r *= d.sum() + d.name.size();
      } catch (const Last &e) {
        r += e.sum() * std::string(e.what()).size();
      } catch (const std::exception &) {
        r = 0;
      }
    }
  return r + y[0] + y[1];
}

/// A handler changes what it was given and throws it again.
static double changed(const double *x, int) {
  try {
    try {
      if (x[0] > 1)
        throw Value{1, x[2]};
    } catch (Value &v) {
      v.v *= x[1] * x[1];
      throw;
    }
    return x[1];
  } catch (const Value &v) {
    return v.v * v.v;
  }
}

/// Of what others throw nothing has a derivative.
static double others(const double *x, int n) {
  std::vector<double> y(x, x + n);
  double r = 0;
  for (int i = 0; i < n + 1; i++)
    try {
      if (i == 1)
        throw Last("one", x[i] * 3, x[0]);
      r += y.at(i) * y.at(i);
    } catch (const Last &e) {
      r += e.sum();
    } catch (const std::exception &e) {
      auto *l = dynamic_cast<const Last *>(&e);
      r += l ? l->sum() : x[0] * e.what()[0];
    }
  return r;
}

int main() {
  const double x[] = {1.1, 0.7, 0.9};
  check_modes<plain>(x, 1e-7);
  check_modes<classes>(x, 1e-7);
  check_modes<changed>(x, 1e-7);
  check_modes<others>(x, 1e-7);
  return finish();
}
