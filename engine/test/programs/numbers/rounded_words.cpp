// FLAGS: -std=c++17
// Numbers of which a union overwrites a byte or the lower half: what remains is
// the number with fewer digits. An optional that makes such a union anew in a
// loop leaves it a number that nobody reads; others read what remains, which
// varies as the number did.
#include "../check.h"

#include <new>

namespace {

/// A number, or nothing.
class Maybe {
  union {
    char none;
    double number;
  };
  bool has = false;

public:
  Maybe() : none(0) {}
  Maybe(double x) : number(x), has(true) {}
  Maybe(const Maybe &o) : none(0), has(o.has) {
    if (has)
      new (&number) double(o.number);
  }
  explicit operator bool() const { return has; }
  double operator*() const { return number; }
};

Maybe root(double x) { return x < 0 ? Maybe() : Maybe(sqrt(x)); }

double roots(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    if (auto r = root(x[i]))
      s += *r * 3;
  return s;
}

union Number {
  double whole;
  char byte;
  uint32_t half[2]; // the lower one first
};

/// Another byte in it, here and in memory that stays.
double marked(const double *x, int n) {
  Number *all = new Number[size_t(n)], one;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    all[i].whole = x[i] * x[i];
    if (i % 2)
      all[i].byte = 7;
    one.whole = x[i] * x[0];
    one.byte = 'x';
    s += sin(one.whole);
  }
  for (int i = 0; i < n; ++i)
    s = s * 0.5 + all[i].whole * x[0];
  delete[] all;
  return s;
}

/// The upper half has all of x's derivative, and the rest has none: not even
/// where it counts a million times.
double halves(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Number upper;
    upper.whole = x[i];
    upper.half[0] = 0;
    const double u = upper.whole, rest = x[i] - u;
    s += u * u + rest * (x[i] + u) + 1e6 * (i + 1) * rest;
  }
  return s;
}

union Small {
  float whole;
  uint16_t half[2];
};

double shortened(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Small upper;
    upper.whole = float(x[i]);
    upper.half[0] = 0;
    const float u = upper.whole;
    s += double(u) * (i + 1);
  }
  return s;
}

const double X[] = {0.7, -0.3, 1.1, 0.4, 0.9};

void gradient(void *f, double *g) {
  for (int i = 0; i < 5; ++i)
    g[i] = 0;
  __enzyme_autodiff(f, enzyme_dup, X, g, enzyme_const, 5);
}

double tangent(void *f, int i) {
  double v[5] = {};
  v[i] = 1;
  return __enzyme_fwddiff(f, enzyme_dup, X, v, enzyme_const, 5);
}

} // namespace

int main() {
  double g[5];
  gradient((void *)roots, g);
  for (int i = 0; i < 5; ++i)
    NEAR(g[i], X[i] < 0 ? 0 : 1.5 / sqrt(X[i]), 1e-14);
  gradient((void *)marked, g);
  for (int i = 0; i < 5; ++i) {
    double v[5] = {};
    v[i] = 1;
    NEAR(g[i], slope(marked, X, v, 5), 1e-8);
  }
  gradient((void *)halves, g);
  for (int i = 0; i < 5; ++i) // the square's, and 2^-20 of it
    NEAR(g[i], 2 * X[i], 1e-5);
  gradient((void *)shortened, g);
  for (int i = 0; i < 5; ++i)
    NEAR(g[i], i + 1, 0);
  for (int i = 0; i < 5; ++i) {
    NEAR(tangent((void *)roots, i), X[i] < 0 ? 0 : 1.5 / sqrt(X[i]), 1e-14);
    NEAR(tangent((void *)halves, i), 2 * X[i], 1e-5);
    NEAR(tangent((void *)shortened, i), i + 1, 0);
  }
  return finish();
}
