// The halves of active numbers pass through memory whose numbers depend on
// nothing otherwise, and reach another array byte by byte: what takes them out
// there takes bits of active numbers.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

double sin(double);
double halves(const double *x, int n) {
  double from[8], between[8], to[8];
  for (int i = 0; i < n; ++i)
    from[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i) {
    int half[2];
    __builtin_memcpy(half, from + i, 4);
    __builtin_memcpy(half + 1, (char *)(from + i) + 4, 4);
    if (half[1] == 12345)
      break;
    __builtin_memcpy(between + i, half, 4);
    __builtin_memcpy((char *)(between + n - 1 - i) + 4, half + 1, 4);
  }
  for (int i = 0; i < n; ++i) {
    int half[2];
    __builtin_memcpy(half, between + i, 4);
    __builtin_memcpy(half + 1, (char *)(between + i) + 4, 4);
    if (half[1] == 1234)
      break;
    char *bytes = (char *)(to + i);
    for (int k = 0; k < 8; ++k)
      bytes[k] = (char)(half[k / 4] >> (8 * (k % 4)));
  }
  double s = sin(between[0]);
  for (int i = 0; i < n; ++i)
    s += to[i] * (i + 1);
  return s;
}
// CHECK: halves-through-others.c:{{[0-9]+:[0-9]+}}: error: {{.*}} [retro-{{byte-copy|unknown-type|bit-arithmetic}}]
void request(double *x, double *dx, int n) { __enzyme_autodiff_void((void *)halves, x, dx, n); }
