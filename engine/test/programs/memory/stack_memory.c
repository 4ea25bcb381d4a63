// Arrays of a variable length and what alloca() gives: they live to the end of
// their block or of their function, have an alignment of their own, and are
// given back in each mode.
#include "../check.h"

#include <alloca.h>
#include <stdbool.h>

static double plain(const double *x, int n) {
  double w[n], s = 0;
  for (int i = 0; i < n; i++)
    w[i] = sin(x[i]) * x[(i + 1) % n];
  for (int i = 0; i < n; i++)
    s += w[i] * w[n - 1 - i];
  return s;
}

static NOINLINE double half(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  double w[n / 2];
  for (int i = 0; i < n / 2; i++)
    w[i] = x[2 * i] * x[2 * i + 1] + sin(x[i]);
  return half(w, n / 2) + half(x, n / 2);
}
static double recursive(const double *x, int n) { return half(x, n & -n); }

/// Each iteration has its own, of another size, and may leave it early.
static double scoped(const double *x, int n) {
  double s = 1;
  for (int k = 1; k < n; k++) {
    double w[k];
    for (int i = 0; i < k; i++)
      w[i] = x[i] * x[k] + s;
    if (w[0] > 1.2)
      continue;
    double v[k + 1];
    v[k] = s;
    for (int i = 0; i < k; i++)
      v[i] = w[i] * w[k - 1 - i] * v[k];
    if (v[0] > 40)
      break;
    if (v[0] < -40)
      return s * v[0];
    s += 0.1 * v[k / 2] * w[0];
  }
  return s * s;
}

/// What no iteration gives back: all of it is there at the end.
struct node {
  double value;
  struct node *next;
};
static double list(const double *x, int n) {
  struct node *first = NULL;
  for (int i = 0; i < n; i++) {
    struct node *new = (struct node *)alloca(sizeof *new);
    new->value = x[i] * x[0];
    new->next = first;
    first = new;
  }
  double s = 0;
  for (struct node *p = first; p; p = p->next)
    s = s * 0.5 + p->value * p->value;
  return s;
}

static double rows(const double *x, int n) {
  double *row[n];
  for (int k = 0; k < n; k++) {
    row[k] = (double *)alloca((size_t)(k + 1) * sizeof *row[k]);
    for (int i = 0; i <= k; i++)
      row[k][i] = x[i] * x[k];
  }
  double s = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i <= k; i++)
      s += row[k][i] * row[n - 1][i];
  return s;
}

/// A block around a loop gives back what its iterations took.
static double blocks(const double *x, int n) {
  double s = 1;
  for (int k = 0; k < 3; k++) {
    double all[n + k];
    struct node *first = NULL;
    for (int i = 0; i < n; i++) {
      all[i + k] = x[i] * s;
      struct node *new = (struct node *)alloca(sizeof *new);
      new->value = all[i + k] * x[(i + k) % n];
      new->next = first;
      first = new;
    }
    for (struct node *p = first; p; p = p->next)
      s += 0.01 * p->value * p->value;
  }
  return s;
}

/// Taken on one way only, and used behind it.
static double sometimes(const double *x, int n) {
  double *w = NULL, s = 0;
  if (x[0] > -10)
    w = (double *)alloca((size_t)n * sizeof *w);
  for (int i = 0; w && i < n; i++)
    w[i] = exp(x[i]);
  for (int i = 0; w && i < n; i++)
    s += w[i] * w[(i + 2) % n];
  return s;
}

static double aligned(const double *x, int n) {
  _Alignas(128) double w[n];
  double s = 0;
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += w[i] * x[n - 1 - i];
  return (uintptr_t)w % 128 ? NAN : s;
}

/// An array of integers that says where the reverse pass adds.
static double permuted(const double *x, int n) {
  int to[n];
  double w[n], s = 0;
  for (int i = 0; i < n; i++)
    to[i] = (i * 3 + 1) % n;
  for (int i = 0; i < n; i++)
    w[i] = 1;
  for (int i = 0; i < n; i++)
    w[to[i]] *= x[i] * (i + 1);
  for (int i = 0; i < n; i++)
    s += w[i] * w[to[i]];
  return s;
}

/// As plain, in the place of the result.
static void in_place(double *x, int n) {
  double w[n];
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[(i + 1) % n];
  for (int i = 0; i < n; i++)
    x[i] = w[i] * w[(i + 2) % n];
}
static double sum_in_place(double *x, int n) {
  for (int k = 0; k < 3; k++)
    in_place(x, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
static double changed(const double *x, int n) {
  double y[n];
  memcpy(y, x, (size_t)n * sizeof *y);
  return sum_in_place(y, n);
}

/// The stack does not grow with what iterations give back.
static double many(const double *x, int n) {
  double s = x[0];
  for (int k = 0; k < 100 * n; k++) {
    double w[1000 + k % 7];
    for (int i = 0; i < 4; i++)
      w[i * 200] = x[i % n] * s;
    s = 0.5 * s + 0.01 * sin(w[0] + w[600]);
  }
  return s;
}

#define N 8
static const double X[N] = {0.9, 0.3, -0.4, 1.1, 0.2, 0.7, -1.2, 0.6};

#define CHECK(f)                                                               \
  {                                                                            \
    double g[N] = {0}, v[N], of[N] = {0};                                      \
    __enzyme_autodiff((void *)f, enzyme_dup, X, g, enzyme_const, N);           \
    GRADIENT(f, X, g, N);                                                      \
    for (int i = 0; i < N; i++)                                                \
      v[i] = 1 - 0.3 * i;                                                      \
    double d = __enzyme_fwddiff((void *)f, enzyme_dup, X, v, enzyme_const, N); \
    NEAR(d, dot(g, v, N), 1e-12);                                              \
    gradient_of_##f(X, of);                                                    \
    double seconds[N] = {0}, both[N] = {0};                                    \
    __enzyme_fwddiff_void((void *)gradient_of_##f, enzyme_dup, X, v,           \
                          enzyme_dup, both, seconds);                          \
    for (int i = 0; i < N; i++) {                                              \
      double up[N], down[N], gu[N] = {0}, gd[N] = {0};                         \
      for (int j = 0; j < N; j++) {                                            \
        up[j] = X[j] + 1e-5 * v[j];                                            \
        down[j] = X[j] - 1e-5 * v[j];                                          \
      }                                                                        \
      gradient_of_##f(up, gu);                                                 \
      gradient_of_##f(down, gd);                                               \
      NEAR(seconds[i], (gu[i] - gd[i]) / 2e-5, 1e-5);                          \
      NEAR(both[i], of[i], 1e-13);                                             \
    }                                                                          \
  }

#define GRADIENT_OF(f)                                                         \
  static NOINLINE void gradient_of_##f(const double *x, double *g) {           \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, N);           \
  }
#define EACH(DO)                                                               \
  DO(plain)                                                                    \
  DO(recursive)                                                                \
  DO(scoped)                                                                   \
  DO(list)                                                                     \
  DO(rows)                                                                     \
  DO(blocks)                                                                   \
  DO(sometimes)                                                                \
  DO(aligned)                                                                  \
  DO(permuted)                                                                 \
  DO(changed)                                                                  \
  DO(many)

EACH(GRADIENT_OF)

int main(void) {
  EACH(CHECK)
  return finish();
}
