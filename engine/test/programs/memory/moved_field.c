// An array in a struct is moved within itself, and no element of it is accessed
// as a number: what the struct declares says that numbers move.
#include "../check.h"

struct parts {
  double a;
  double b[6];
  double c;
};

static void move(struct parts *s, double *y) {
  memmove(s->b, s->b + 1, 2 * sizeof(double));
  y[0] = s->c;
}

static void copy(struct parts *s, double *y) {
  memcpy(s->b + 3, s->b, 3 * sizeof(double));
  y[0] = s->c * s->a;
}

static struct parts s, ds;
static double y[1], dy[1];

static void prepare(void) {
  s = (struct parts){2, {3, 5, 7, 0, 0, 13}, 11};
  ds = (struct parts){1, {10, 100, 1e3, 1e4, 1e5, 1e6}, 1e7};
  dy[0] = 4;
}

int main(void) {
  prepare();
  __enzyme_autodiff_void((void *)move, enzyme_dup, &s, &ds, enzyme_dup, y, dy);
  NEAR(s.b[0], 5, 0);
  NEAR(s.b[1], 7, 0);
  const double moved[6] = {0, 10, 1100, 1e4, 1e5, 1e6};
  for (int k = 0; k < 6; ++k)
    NEAR(ds.b[k], moved[k], 0);
  NEAR(ds.c, 1e7 + 4, 0);
  NEAR(ds.a, 1, 0);

  prepare();
  __enzyme_autodiff_void((void *)copy, enzyme_dup, &s, &ds, enzyme_dup, y, dy);
  NEAR(s.b[5], 7, 0);
  const double copied[6] = {1e4 + 10, 1e5 + 100, 1e6 + 1e3, 0, 0, 0};
  for (int k = 0; k < 6; ++k)
    NEAR(ds.b[k], copied[k], 0);
  NEAR(ds.c, 1e7 + 8, 0);
  NEAR(ds.a, 45, 0);
  return finish();
}
