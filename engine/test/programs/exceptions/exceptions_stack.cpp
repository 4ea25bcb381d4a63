// Stack memory of a size known at run time whose scope an exception leaves:
// nothing gives it back before the function returns, or the next execution
// takes it again. The sanitizers see whether all of it is freed.
#include "../check.h"
#include <vector>

MARKERS(enzyme_width);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

struct Stop {
  int code;
};

/// Thrown and caught beside the array.
static double beside(const double *x, int n) {
  double t = x[0];
  for (int i = 0; i < 4; ++i) {
    try {
      double h[3 + n];
      for (int k = 0; k < 3; ++k)
        h[k] = cos(x[k] + i);
      if (i % 2 == 0)
        throw Stop{3};
      t += h[1] * x[2];
    } catch (...) {
      t = 0.9 * sin(t) * x[1];
    }
  }
  return t;
}

/// Two scopes, one in the other, of which the exception leaves one or both.
static double nested(const double *x, int n) {
  double t = x[0];
  for (int i = 0; i < 6; ++i)
    try {
      double outer[2 + n];
      outer[1] = x[1] * x[1];
      for (int j = 0; j < 3; ++j)
        try {
          double inner[1 + n + j];
          inner[j] = sin(x[2] * outer[1]);
          if ((i + j) % 3 == 0)
            throw Stop{i};
          if ((i + j) % 4 == 0)
            throw j;
          t += inner[j] * outer[1];
        } catch (int) {
          t *= 0.5 * outer[1];
        }
    } catch (const Stop &s) {
      t += s.code * x[0] * t;
    }
  return t;
}

static NOINLINE double thrower(const double *x, int n, int i) {
  std::vector<double> v(3, x[2]);
  double h[3 + n];
  for (int k = 0; k < 3; ++k)
    h[k] = cos(x[k]) * v[k];
  if (i == 0)
    throw Stop{3};
  return h[1] * x[2];
}

/// The exception leaves the function whose array it is.
static double through(const double *x, int n) {
  double t = x[0];
  for (int i = 0; i < 4; ++i)
    try {
      t += thrower(x, n, i % 3);
    } catch (...) {
      t = 0.9 * sin(t);
    }
  return t;
}

/// The same of a recursion, which stays a call.
static NOINLINE double recursion(const double *x, int n, int i) {
  std::vector<double> v(3, x[1]);
  double h[3 + n];
  for (int k = 0; k < 3; ++k)
    h[k] = cos(x[k]) * v[k];
  double a = h[i % 3];
  if (i < 3)
    a += 0.5 * recursion(x, n, i + 1);
  if (i < 1)
    throw Stop{2};
  const double *rows[3] = {h, x, h};
  return a + rows[i % 3][1] * h[(i + 1) % 3];
}
static double recursive(const double *x, int n) {
  double t = x[0];
  for (int i = 0; i < 4; ++i)
    try {
      t += recursion(x, n, i % 3);
    } catch (const Stop &s) {
      t = s.code * sin(t);
    }
  return t;
}

/// What __builtin_alloca gives lives until the function returns, even where an
/// exception ends the block: what it holds is read later.
static double until_return(const double *x, int n) {
  double *kept[3], t = 0;
  for (int i = 0; i < 3; ++i)
    try {
      kept[i] = (double *)__builtin_alloca(sizeof(double) * (size_t)(1 + n));
      kept[i][n] = x[i] * x[i];
      if (i == 1)
        throw Stop{1};
    } catch (...) {
      t += x[0];
    }
  for (int i = 0; i < 3; ++i)
    t += kept[i][n] * x[(i + 1) % 3];
  return t;
}

static int size = 2;
static const double point[3] = {0.3, 0.4, 0.5};

#define FUNCTION(NAME)                                                         \
  static double NAME##_value(const double *x, int) { return NAME(x, size); }   \
  static void check_##NAME() {                                                 \
    double g[3] = {0}, d[3];                                                   \
    __enzyme_autodiff<void>((void *)NAME, point, g, enzyme_const, size);       \
    GRADIENT(NAME##_value, point, g, 3);                                       \
    for (int i = 0; i < 3; ++i) {                                              \
      memset(d, 0, sizeof d);                                                  \
      d[i] = 1;                                                                \
      NEAR(__enzyme_fwddiff<double>((void *)NAME, point, d, enzyme_const,      \
                                    size),                                     \
           g[i], 1e-12);                                                       \
    }                                                                          \
  }
FUNCTION(beside)
FUNCTION(nested)
FUNCTION(through)
FUNCTION(recursive)
FUNCTION(until_return)

int main() {
  check_beside();
  check_nested();
  check_through();
  check_recursive();
  check_until_return();
  return finish();
}
