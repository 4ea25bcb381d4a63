// A number among bytes is copied in two parts: what moves its adjoint back has
// no place for a part of one.
#include "../check.h"

#include <string.h>

static double f(const double *x, int n) {
  char packed[64], parts[64];
  size_t end = 0;
  for (int i = 0; i < n; ++i) {
    packed[end++] = (char)i;
    memcpy(packed + end, x + i, sizeof *x);
    end += sizeof *x;
  }
  const size_t half = end / 2;
  memcpy(parts, packed, half);
  memcpy(parts + half, packed + half, end - half);
  double s = 0;
  for (size_t at = 0; at < end;) {
    double d;
    const char k = parts[at++];
    memcpy(&d, parts + at, sizeof d);
    at += sizeof d;
    s += d * d * (k + 1);
  }
  return s;
}

int main(void) {
  const double x[3] = {1, 2, 3};
  double g[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 3);
  printf("%g %g %g\n", g[0], g[1], g[2]);
  return 0;
}
