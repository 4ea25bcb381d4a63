// Numbers that are moved in pieces of two bytes, in arrays that are indexed: a
// narrow integer there may be another field, but not where all of a number is
// moved so.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

double sin(double);
double pieces(const double *x, int n) {
  double b[8];
  for (int i = 0; i < n; ++i)
    b[i] = x[i] * x[i];
  for (int i = 0; i < n - 1; ++i) {
    unsigned short u[4];
    __builtin_memcpy(u, x + i, 8);
    unsigned short w[4] = {u[0], u[1], u[2], u[3]};
    __builtin_memcpy(b + i + 1, w, 8);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sin(b[i]) * (i + 1);
  return s;
}
// CHECK: number-pieces.c:{{[0-9]+:[0-9]+}}: error: active memory is copied byte by byte here [retro-byte-copy]
void request(double *x, double *dx, int n) { __enzyme_autodiff_void((void *)pieces, x, dx, n); }
