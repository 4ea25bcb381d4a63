// A call that returns twice.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#include <setjmp.h>

jmp_buf buffer;
double f(double x) {
  volatile double s = x;
  if (setjmp(buffer))
    return s * 2;
  s = s * x;
  if (x > 3)
    longjmp(buffer, 1);
  return s;
}
// CHECK: control-flow.c:[[@LINE-7]]:7: error: cannot reverse this control flow ({{.*}}) [retro-control-flow]; to fix it: write it with structured control flow
double r(double x) { return __enzyme_autodiff((void *)f, x); }
