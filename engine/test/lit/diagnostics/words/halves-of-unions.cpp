// The upper half of a number, in an array of unions, is changed as an integer.
// RUN: not %retro-clang++ -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O1 -fno-strict-aliasing -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O1 -DBY_FIELD -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

union Word {
  double number;
  unsigned halves[2];
  struct {
    unsigned low, high;
  } parts;
};

static double halved(const double *x, int n) {
  Word words[3];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k)
      words[k].number = x[i] + k;
    for (int k = 0; k < 3; ++k)
#ifdef BY_FIELD
      words[k].parts.high -= 0x00100000u;
#else
      words[k].halves[1] -= 0x00100000u;
#endif
    for (int k = 0; k < 3; ++k)
      s += words[k].number * x[i];
  }
  return s;
}
// CHECK: error: integer arithmetic on the bits of an active floating-point value ('{{store|or}}') [retro-bit-arithmetic]
double r(const double *x, double *dx) { return __enzyme_autodiff((void *)halved, enzyme_dup, x, dx, enzyme_const, 4); }

/// Moved in halves, which nobody could tell from two integers.
static double moved(const double *x, int n) {
  Word from[4], to[4];
  for (int i = 0; i < n; ++i)
    from[i].number = x[i] * x[i];
  for (int i = 0; i < n; ++i) {
    to[i].halves[0] = from[n - 1 - i].halves[0];
    to[i].halves[1] = from[n - 1 - i].halves[1];
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += to[i].number * (i + 1);
  return s;
}
// CHECK: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
double m(const double *x, double *dx) { return __enzyme_autodiff((void *)moved, enzyme_dup, x, dx, enzyme_const, 4); }
