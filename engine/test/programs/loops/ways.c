// Ways through the primal that conditions tell apart, and others that have to
// be kept; calls that end a recursion without anything on the tape.
#include "../check.h"

enum { N = 12 };

/// A ladder of decisions in each iteration.
NOINLINE static double ladder(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    if (i % 5 == 0)
      s *= x[i];
    else if (i % 3 == 0)
      s += x[i] * x[i];
    else if (i % 2 == 0)
      s = sin(s) + x[i];
    else
      s -= 0.3 * x[i] * s;
  }
  return s;
}

/// What the second decision reads is there only if the first one says so.
NOINLINE static double lists(const double *x, int n) {
  static const int count[4] = {3, 0, 1, 2};
  double s = 0.5;
  for (int i = 0; i < n; ++i) {
    const int *which = i % 2 ? &count[i & 3] : 0;
    if (!which)
      s *= x[i];
    else if (*which > 1)
      s += s * x[i] * x[i];
    else if (10 / (*which + 1) > 5)
      s = exp(-s) * x[i];
  }
  return s;
}

/// Decided by numbers that change.
NOINLINE static double changing(const double *x, int n) {
  double s = 0.4;
  for (int i = 0; i < n; ++i) {
    if (s > 1.5)
      s = 0.5 * s * x[i];
    else if (s * x[i] > 1)
      s = s * s;
    else
      s += 0.3 * x[i];
  }
  return s;
}

/// A loop between the decision and where its ways meet, and one around.
NOINLINE static double loops(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 1) {
      for (int j = 0; j < i % 3; ++j)
        s = s * x[j] + 0.1;
    } else if (i % 4 == 2) {
      for (int j = i; j > 0; --j) {
        if (j % 5 == 3)
          break;
        s = 0.9 * s + x[i] * s * (0.01 * j);
      }
    } else if (i % 4 == 3) {
      continue;
    }
    s *= 1 + 0.1 * x[i];
  }
  return s;
}

/// Two calls that end, one of them early.
NOINLINE static double tree(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  if (n == 2)
    return x[0] * x[1];
  const double left = tree(x, n / 2), right = tree(x + n / 2, n - n / 2);
  double s = left * sin(right);
  for (int i = 0; i < n / 2; ++i)
    s = s * x[i] + 0.1 * right;
  return s;
}

#define CHECK(f)                                                               \
  for (int n = 1; n <= N; ++n) {                                               \
    double g[N] = {0};                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, start, g, n);                     \
    GRADIENT(f, start, g, n);                                                  \
  }

int main(void) {
  double start[N];
  for (int i = 0; i < N; ++i)
    start[i] = 0.7 + 0.11 * (i * 5 % 7);
  CHECK(ladder)
  CHECK(lists)
  CHECK(changing)
  CHECK(loops)
  CHECK(tree)
  return finish();
}
