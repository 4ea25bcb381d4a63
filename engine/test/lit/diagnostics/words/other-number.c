// LLVM moves a double as two floats, or as a float and an integer, where a union
// has both: nothing says which of the two it is, and the derivative would be
// lost in one of the cases.
// RUN: not %retro-clang -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

#include <string.h>

typedef struct {
  float re, im;
} two;
typedef union {
  double number;
  two pair;
} either;
static double chosen(const double *x, int n) {
  either v[16];
  for (int i = 0; i < n; ++i)
    if (i % 2 == 0)
      v[i].number = x[i];
    else
      v[i].pair = (two){0.5f, (float)i};
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += i % 2 == 0 ? v[i].number * 1.5 : v[i].pair.re * v[i].pair.im;
  return s;
}
// CHECK: error: what is moved here is an active number of one type at one time, and of another at another [retro-other-number]; to fix it: keep the two in fields of their own
// CHECK: requested in 'request_chosen'
double request_chosen(double *x, double *d, int n) {
  return __enzyme_autodiff((void *)chosen, enzyme_dup, x, d, n);
}

typedef struct {
  union {
    struct {
      double value;
    } number;
    struct {
      float share;
      int count;
    } part;
  } as;
  int kind;
} tagged;
static double copied(const double *x, int n) {
  tagged v[3], t;
  memset(v, 0, sizeof v);
  for (int i = 0; i < n; ++i) {
    v[i].kind = i % 2;
    if (i % 2 == 0) {
      v[i].as.number.value = x[i];
    } else {
      v[i].as.part.share = 0.5f + (float)i;
      v[i].as.part.count = i;
    }
  }
  t.kind = v[0].kind;
  if (t.kind == 0)
    t.as.number = v[0].as.number;
  else
    t.as.part = v[0].as.part;
  v[1].kind = t.kind;
  if (t.kind == 0)
    v[1].as.number = t.as.number;
  else
    v[1].as.part = t.as.part;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i].kind == 0 ? v[i].as.number.value * 1.5
                        : (double)v[i].as.part.share + v[i].as.part.count;
  return s;
}
// CHECK: error: what is moved here is an active number of one type at one time, and of another at another [retro-other-number]
// CHECK: requested in 'request_copied'
double request_copied(double *x, double *d, int n) {
  return __enzyme_autodiff((void *)copied, enzyme_dup, x, d, n);
}
