// A number is copied in two pieces of constant sizes: no copy of a piece moves a
// derivative, which was zero. What begins behind a number is no piece of it.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -DFORWARD -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O2 -DWHOLE %s -lm -o %t && %t
#include "request.h"
#include <string.h>

#ifdef WHOLE
enum { first = 8 };
#else
enum { first = 3 };
#endif
typedef struct {
  double number;
  char kind;
} record;
static double f(const double *x, int n) {
  record s[3], t[3];
  for (int i = 0; i < 3; ++i) {
    s[i].number = x[i] * x[i];
    s[i].kind = (char)i;
  }
  for (int i = 0; i < n; ++i) {
    memcpy(&t[i], &s[i], first);
    // CHECK: number-in-pieces.c:[[@LINE+1]]:{{[0-9]+}}: error: active memory is copied byte by byte here [retro-byte-copy]
    memcpy((char *)&t[i] + first, (char *)&s[i] + first, sizeof *s - first);
  }
  double r = 0;
  for (int i = 0; i < 3; ++i)
    r += t[i].number * (t[i].kind * 2 + 1);
  return r;
}
int main(void) {
  double x[3] = {0.5, 0.75, 1}, d[3] = {1};
#ifdef FORWARD
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, 3) != 1;
#else
  d[0] = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 3);
  return d[0] != 1 || d[1] != 4.5 || d[2] != 10;
#endif
}
