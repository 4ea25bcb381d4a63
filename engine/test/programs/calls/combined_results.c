// Recursive functions that return numbers. What nobody needs, not even the
// derivative, is not computed before the reverse pass comes to the call; what
// somebody needs is.
#include "../check.h"

MARKERS(enzyme_dupnoneed, enzyme_primal_return, enzyme_width);

enum { N = 9 };

// A sum: the halves' results are not needed.
static double sum(const double *x, int n, double w) {
  if (n == 1)
    return w * exp(x[0]);
  return sum(x, n / 2, sin(w)) + sum(x + n / 2, n - n / 2, w * w);
}
static double scaled(const double *x, int n) { return 3 * sum(x, n, 1.2); }
// It is: by a function that is not linear.
static double rooted(const double *x, int n) { return sqrt(sum(x, n, 1.2)); }
// By the caller, through memory.
static void stored(const double *restrict x, double *restrict out, int n) {
  out[0] = sum(x, n, 1.2);
}
// By a branch, by another call, as an index.
static double branch(const double *x, int n) {
  return sum(x, n, 1.2) > 2 ? sum(x + 1, n - 1, 1.2) : sum(x, n - 1, 0.7);
}
static double weight(const double *x, int n) {
  return sum(x, n, sum(x, n - 1, 0.3));
}
static double indexed(const double *x, int n) {
  return x[(int)fabs(sum(x, n, 1.2)) % n] * sum(x, 2, 0.5);
}

// Two functions that call each other: the root of what one returns needs what
// the other does.
static double odd(const double *x, int n);
static double even(const double *x, int n) {
  return n == 1 ? cos(x[0]) + 2 : odd(x, n / 2) + odd(x + n / 2, n - n / 2);
}
static double odd(const double *x, int n) {
  return n == 1 ? exp(x[0])
                : even(x, n / 2) - 0.25 * even(x + n / 2, n - n / 2);
}
static double mutual(const double *x, int n) { return 0.5 * even(x, n); }
static double mutualRoot(const double *x, int n) { return sqrt(even(x, n)); }

// A product: each half is the other's derivative.
static double product(const double *x, int n) {
  if (n == 1)
    return 1 + x[0] * x[0];
  return product(x, n / 2) * product(x + n / 2, n - n / 2);
}

// A difference, chosen: what chooses is needed.
static double larger(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  const double a = larger(x, n / 2), b = larger(x + n / 2, n - n / 2);
  return a > b ? a - 0.5 * b : b - 0.5 * a;
}

// Chosen by what is not of it; the quotient's divisor is no result either.
static double alternating(const double *x, int n, int turn) {
  if (n == 1)
    return sin(x[0]) / (turn + 2);
  const double a = alternating(x, n / 2, turn + 1);
  const double b = alternating(x + n / 2, n - n / 2, turn + 2);
  return (turn & 1 ? a - b : 0.5 * b) / (n + 1.5);
}
static double alternate(const double *x, int n) { return alternating(x, n, 0); }

// In the other's divisor.
static double fraction(const double *x, int n) {
  return n == 1 ? x[0] : x[0] + 1 / (3 + fraction(x + 1, n - 1));
}

// It waits in a variable, in an array.
static double kept(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0] * x[0];
  double of[2] = {kept(x, n / 2), kept(x + n / 2, n - n / 2)};
  return of[n & 1] + 0.25 * of[1 - (n & 1)];
}

// Many calls, whose numbers are added up.
static double added(const double *x, int n) {
  double all = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 1; k <= n - i; ++k)
      all += sum(x + i, k, 0.5 + 0.1 * k);
  return all;
}

// What it writes is read by the next call.
static double Last;
static double remembers(const double *x, int n) {
  if (n == 0)
    return 0;
  const double before = Last;
  Last = x[0];
  return before * x[0] + remembers(x + 1, n - 1);
}
static double remember(const double *x, int n) {
  Last = 2;
  return remembers(x, n);
}

static void fill(double *x) {
  for (int i = 0; i < N; ++i)
    x[i] = 0.4 + 0.3 * sin(3.0 * i + 1);
}

#define COMPARE(f)                                                             \
  do {                                                                         \
    double x[N], d[N] = {0}, v[N];                                             \
    fill(x);                                                                   \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);           \
    for (int i = 0; i < N; ++i) {                                              \
      memset(v, 0, sizeof v);                                                  \
      v[i] = 1;                                                                \
      NEAR(1 + d[i] - slope(f, x, v, N), 1, 1e-9);                             \
    }                                                                          \
    double e[N] = {0};                                                         \
    NEAR(__enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_dup, x, e,  \
                           enzyme_const, N),                                   \
         f(x, N), 1e-14);                                                      \
    for (int i = 0; i < N; ++i)                                                \
      NEAR(e[i], d[i], 1e-14);                                                 \
  } while (0)

static void compareStored(void) {
  double x[N], d[N] = {0}, e[N] = {0}, want[N] = {0}, out = 0, seed = 1;
  fill(x);
  __enzyme_autodiff((void *)sum, enzyme_dup, x, want, enzyme_const, N,
                    enzyme_const, 1.2);
  __enzyme_autodiff_void((void *)stored, enzyme_dup, x, d, enzyme_dup, &out,
                         &seed, enzyme_const, N);
  NEAR(out, sum(x, N, 1.2), 1e-15);
  seed = 1;
  __enzyme_autodiff_void((void *)stored, enzyme_dup, x, e, enzyme_dupnoneed,
                         &out, &seed, enzyme_const, N);
  for (int i = 0; i < N; ++i) {
    NEAR(d[i], want[i], 1e-15);
    NEAR(e[i], want[i], 1e-15);
  }
}

// Two lanes, of which the second is twice the first.
static void compareLanes(void) {
  double x[N], d[N] = {0}, e[N] = {0}, g[N] = {0};
  fill(x);
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, d, enzyme_const, N);
  double out = 0, one = 1, two = 2;
  __enzyme_autodiff_void((void *)stored, enzyme_width, 2, enzyme_dup, x, e, g,
                         enzyme_dupnoneed, &out, &one, &two, enzyme_const, N);
  for (int i = 0; i < N; ++i) {
    NEAR(3 * e[i], d[i], 1e-14);
    NEAR(3 * g[i], 2 * d[i], 1e-14);
  }
}

int main(void) {
  COMPARE(scaled);
  COMPARE(rooted);
  COMPARE(branch);
  COMPARE(weight);
  COMPARE(indexed);
  COMPARE(mutual);
  COMPARE(mutualRoot);
  COMPARE(product);
  COMPARE(larger);
  COMPARE(alternate);
  COMPARE(fraction);
  COMPARE(kept);
  COMPARE(added);
  COMPARE(remember);
  compareStored();
  compareLanes();
  return finish();
}
