// Addresses of variables that lie in tables as integers, and that constants
// move as integers: the pointers that are made of them lead to the variables,
// and so do their shadows.
#include "../check.h"

static double state[4], other[4];
static const uintptr_t fixed[2] = {(uintptr_t)state, (uintptr_t)(state + 1)};
uintptr_t table[2] = {(uintptr_t)other, (uintptr_t)(other + 1)};

/// Which element of the tables is taken depends on the numbers' signs.
static double through(const double *x, int n) {
  (void)n;
  double *p = (double *)fixed[x[0] < 0], *q = (double *)table[x[1] < 0];
  p[0] = x[0] * x[1];
  q[0] = p[0] * x[1];
  double *again = (double *)(table[x[0] < 0] + 0 * sizeof(double));
  return state[1] + ((double *)fixed[x[1] < 0])[0] * x[0] + *again + other[1];
}

/// Two vectors, each a number and an address, change places.
struct leaf {
  double scale;
  double *to;
};
typedef double lanes __attribute__((vector_size(16)));

static double swapped(const double *x, int n) {
  for (int i = 0; i < 4; i++)
    state[i] = x[0] * x[1] * (i + 1);
  for (int i = 0; i < 4; i++)
    other[i] = x[1];
  struct leaf l = {x[1], other}, m = {x[0], state};
  lanes a, b;
  memcpy(&a, &l, sizeof a);
  memcpy(&b, &m, sizeof b);
  lanes c[2] = {a, b};
  for (int i = 0; i < n; i++) {
    const lanes d = c[0];
    c[0] = c[1];
    c[1] = d;
  }
  memcpy(&l, &c[0], sizeof l);
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += l.scale * l.to[i];
  return s;
}

static void check(double (*f)(const double *, int), void *target, int n) {
  for (int sign = 0; sign < 4; sign++) {
    const double x[2] = {sign & 1 ? -1.5 : 1.5, sign & 2 ? -0.75 : 0.75};
    double d[2] = {0, 0}, v[2] = {0.3, 0.8};
    __enzyme_autodiff(target, enzyme_dup, x, d, enzyme_const, n);
    double want = slope(f, x, v, 2);
    if (n != 2) { // slope() gives the size as n
      const double s = x[0], t = x[1];
      want = n % 2 ? 10 * (2 * s * t * v[0] + s * s * v[1]) : 8 * t * v[1];
    }
    NEAR(d[0] * v[0] + d[1] * v[1], want, 1e-9);
    NEAR(__enzyme_fwddiff(target, enzyme_dup, x, v, enzyme_const, n), want,
         1e-9);
  }
}

int main(void) {
  check(through, (void *)through, 2);
  check(swapped, (void *)swapped, 2);
  check(swapped, (void *)swapped, 3);
  return finish();
}
