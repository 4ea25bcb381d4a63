// A copy between arrays of which one is used in steps of two elements: the
// other elements are copied, too.
#include "../check.h"

static void fill(double *x, double *y, int n, int k) {
  y[k] *= 2;
  memmove(x, y, 4 * sizeof(double));
  double sum = 0;
  for (int i = 0; i < n; i += 2)
    sum += cos(x[(i + 6) % 6]);
  x[4] = sum;
}

int main() {
  double x[6] = {1, 2, 3, 4, 5, 6}, y[4] = {.5, .6, .7, .8};
  double dx[6] = {1, 2, 3, 4, 5, 6}, dy[4] = {10, 20, 30, 40};
  __enzyme_autodiff((void *)fill, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, 8, enzyme_const, 1);
  // x[4] is read before it is written: x[0] and x[2] twice and once.
  NEAR(dy[0], 11 - 5 * 2 * sin(.5), 1e-12);
  NEAR(dy[1], 44, 1e-12);
  NEAR(dy[2], 33 - 5 * sin(.7), 1e-12);
  NEAR(dy[3], 44, 1e-12);
  for (int i = 0; i < 4; i++)
    NEAR(dx[i], 0, 0);
  NEAR(dx[4], -5 * sin(5), 1e-12);
  NEAR(dx[5], 6, 0);

  double tx[6] = {1, 1, 1, 1, 1, 1}, ty[4] = {10, 20, 30, 40};
  x[4] = 5;
  __enzyme_fwddiff((void *)fill, enzyme_dup, x, tx, enzyme_dup, y, ty,
                   enzyme_const, 8, enzyme_const, 1);
  for (int i = 0; i < 4; i++)
    NEAR(tx[i], 10 * (i + 1) * (i == 1 ? 2 : 1), 0);
  return finish();
}
