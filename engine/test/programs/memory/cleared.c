// Memory that is cleared and never read as anything: what was in it has no
// influence, whatever its type.
#include "../check.h"

static double f(double *x, float *z, int n) {
  memset(z, 0, (size_t)n * sizeof(float));
  return x[0] * x[0];
}

/// So few that it is the store of a word.
static double one(double *x, double *z) {
  memset(z + 1, 0, sizeof(double));
  return x[0] * x[0];
}

int main(void) {
  double x = 2, dx = 0, tx = 1;
  float z[5] = {1, 2, 3, 4, 5}, dz[5] = {1, 1, 1, 1, 1},
        tz[5] = {1, 1, 1, 1, 1};
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_dup, z, dz,
                    enzyme_const, 3);
  NEAR(dx, 4, 1e-15);
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, &x, &tx, enzyme_dup, z, tz,
                        enzyme_const, 3),
       4, 1e-15);
  for (int i = 0; i < 5; i++) {
    NEAR(dz[i], i >= 3, 0);
    NEAR(tz[i], i >= 3, 0);
  }
  double y[3] = {1, 2, 3}, dy[3] = {1, 1, 1}, ty[3] = {1, 1, 1};
  dx = 0;
  __enzyme_autodiff((void *)one, enzyme_dup, &x, &dx, enzyme_dup, y, dy);
  NEAR(dx, 4, 1e-15);
  NEAR(__enzyme_fwddiff((void *)one, enzyme_dup, &x, &tx, enzyme_dup, y, ty), 4,
       1e-15);
  for (int i = 0; i < 3; i++) {
    NEAR(dy[i], i != 1, 0);
    NEAR(ty[i], i != 1, 0);
  }
  return finish();
}
