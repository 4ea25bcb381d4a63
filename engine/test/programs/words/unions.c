#include "../check.h"
// A word that is a number or a pointer, as a tag says: it is moved as a whole
// and read as what it is.
typedef struct {
  long tag;
  union {
    double number;
    double *pointer;
  } u;
} Tagged;
NOINLINE static void move(Tagged *to, const Tagged *from) {
  to->tag = from->tag;
  if (from->tag)
    to->u.pointer = from->u.pointer;
  else
    to->u.number = from->u.number;
}
NOINLINE static double get(const Tagged *v) {
  return v->tag ? *v->u.pointer * 2 : v->u.number * 3;
}
static double f(const double *x, int n) {
  double y = 2 * x[0] + x[1];
  Tagged a[2], b[2];
  a[0].tag = 0;
  a[0].u.number = x[0] * x[0];
  a[1].tag = 1;
  a[1].u.pointer = &y;
  move(&b[0], &a[n & 1]);
  move(&b[1], &a[1 - (n & 1)]);
  return get(&b[0]) * get(&b[1]);
}

// A pointer that is chosen as an integer.
NOINLINE static uintptr_t choose(const double *a, const double *b, int k) {
  uintptr_t word = (uintptr_t)a;
  if (k > 2)
    word = (uintptr_t)b;
  return word;
}
static double g(const double *x, int n) {
  double y[2] = {x[0] * x[1], sin(x[1])};
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += *(const double *)choose(&y[0], &y[1], k) * (k + n);
  return sum;
}

int main(void) {
  const double x[2] = {1.5, -0.4};
  for (int n = 2; n < 4; ++n) {
    // f = 6 x0^2 (2 x0 + x1)
    double d[2] = {0, 0};
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, d, enzyme_const, n);
    NEAR(d[0], 6 * (6 * x[0] * x[0] + 2 * x[0] * x[1]), 1e-13);
    NEAR(d[1], 6 * x[0] * x[0], 1e-13);
  }
  double d[2] = {0, 0};
  __enzyme_autodiff_void((void *)g, enzyme_dup, x, d, enzyme_const, 2);
  GRADIENT(g, x, d, 2);
  return finish();
}
