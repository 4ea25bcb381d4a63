// A handler on the differentiated path is reported, at the construct.
// RUN: not %retro-clang++ -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

double f(double x) {
  try {
    if (x > 3)
      throw x * x;
    return x;
  } catch (double y) {
    return y * 2;
  }
}
// CHECK: exceptions.cpp:{{[0-9]+}}:{{[0-9]+}}: error: cannot differentiate through this exception handling construct [retro-exceptions]; to fix it: do not throw on the differentiated path
double r(double x) { return __enzyme_autodiff((void *)f, x); }
