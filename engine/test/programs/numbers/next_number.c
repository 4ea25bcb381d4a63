// Steps to a number's neighbour by its bits, as nearest() of Fortran and
// hand-written nextafter are. At -O0 nothing says that the word is a number.
// LEVELS: O1,O2,O3
#include "../check.h"

static double stepped(double x, int64_t by) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint64_t)by;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static float steppedShort(float x, int32_t by) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint32_t)by;
  memcpy(&x, &bits, sizeof x);
  return x;
}
/// Above and below, of either sign.
static double around(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += stepped(x[i], 1) * stepped(x[i], -1) * (i + 1);
  return sum;
}
/// Up, whichever that is for the bits.
static double up(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double y = stepped(x[i], x[i] > 0 ? 1 : -1);
    sum += y > x[i] ? y * y * y : 1e9;
  }
  return sum;
}
static double singles(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    float y = steppedShort((float)x[i], 1);
    sum += y != (float)x[i] ? (double)y * x[i] : 1e9;
  }
  return sum;
}

static void check(double (*f)(const double *, int), const double *want) {
  double x[4] = {0.75, -1.5, 3.1, -0.2}, v[4] = {0.3, -0.7, 0.2, 0.9};
  double g[4] = {0};
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, 4);
  for (int i = 0; i < 4; ++i)
    NEAR(g[i], want[i], 1e-6);
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, 4),
       dot(want, v, 4), 1e-6);
}

int main(void) {
  const double x[4] = {0.75, -1.5, 3.1, -0.2};
  double a[4], b[4], c[4];
  for (int i = 0; i < 4; ++i) {
    a[i] = 2 * x[i] * (i + 1);
    b[i] = 3 * x[i] * x[i];
    c[i] = 2 * x[i];
  }
  check(around, a);
  check(up, b);
  check(singles, c);
  // Zero's neighbours are the smallest numbers, of its sign.
  NEAR(stepped(0.0, 1), 0x1p-1074, 0);
  return finish();
}
