// Memory of which no access says what it is, but what is done with it does: it
// is overwritten, or moved to where numbers are indexed.
#include "../check.h"

struct item {
  double a, b, c[3];
  float d[3];
  int n;
};
struct part {
  double x;
  int id;
};

static void cleared(struct item *s) {
  memset(s->c, 0, 2 * sizeof(double));
  memset(s->d + 1, 0, sizeof(float));
  s->a *= s->b;
}
/// The bits of 1, and others.
static void set(struct item *s) {
  long one = 0x3ff0000000000000;
  memcpy(s->c, &one, sizeof one);
  memset(s->c + 1, 1, sizeof(double));
  s->a *= s->b;
}
static void check_overwritten(int bits) {
  struct item s = {2, 3, {4, 5, 6}, {7, 8, 9}, 1};
  struct item d = {1, 1, {1, 1, 1}, {1, 1, 1}, 0};
  struct item t = {1, 1, {1, 1, 1}, {1, 1, 1}, 0};
  struct item u = s;
  if (bits) {
    __enzyme_autodiff((void *)set, enzyme_dup, &s, &d);
    __enzyme_fwddiff((void *)set, enzyme_dup, &u, &t);
  } else {
    __enzyme_autodiff((void *)cleared, enzyme_dup, &s, &d);
    __enzyme_fwddiff((void *)cleared, enzyme_dup, &u, &t);
  }
  NEAR(d.a, 3, 0);
  NEAR(d.b, 3, 0);
  NEAR(t.a, 5, 0);
  for (int i = 0; i < 3; i++) {
    NEAR(d.c[i], i == 2, 0);
    NEAR(t.c[i], i == 2, 0);
    NEAR(d.d[i], bits || i != 1, 0);
    NEAR(t.d[i], bits || i != 1, 0);
  }
}

/// The word's type is that of the array which it comes from.
static double moved(double *x, double *y, int n) {
  memmove(x, y, sizeof(double));
  struct part o = {y[(n + 4) % 4], 3};
  return o.x;
}
int main(void) {
  check_overwritten(0);
  check_overwritten(1);
  double x[2] = {1, 2}, y[4] = {1, 2, 3, 4}, dx[2] = {3, 4};
  double dy[4] = {1, 2, 3, 4};
  __enzyme_autodiff((void *)moved, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, 2);
  NEAR(dx[0], 0, 0);
  NEAR(dx[1], 4, 0);
  NEAR(dy[0], 4, 0);
  NEAR(dy[2], 4, 0);
  return finish();
}
