// The bits of a number as numbers of another type.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

float f(double x) {
  union {
    double whole;
    float half[2];
  } u;
  u.whole = x;
  return u.half[1];
}
// CHECK: punning.c:{{12|13}}:{{[0-9]+}}: error: {{.*}} [retro-{{bit-arithmetic|unknown-instruction}}]
double r(double x) { return __enzyme_autodiff((void *)f, x); }
