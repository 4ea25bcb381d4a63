// A word that is loaded once, as a number, and whose bits are an address, too:
// without optimization LLVM's back end would look through both casts, and read
// memory by another register. So the bits are frozen in between, and compared
// as before.
// RUN: %retro-clang -O0 -fplugin=%plugin -c %s -o /dev/null -mllvm -retro-print-after=number-addresses 2>&1 | FileCheck %s
#include "request.h"
typedef struct {
  int kind;
  union {
    long integer;
    double number;
    double *pointer;
    struct {
      float a, b;
    } floats;
  };
} word;
static double get(const word *w) {
  switch (w->kind) {
  case 0:
    return w->integer;
  case 1:
    return w->number;
  case 2:
    return *w->pointer;
  default:
    return (double)w->floats.a * w->floats.b;
  }
}
double chosen(double *x, int n) {
  word w[3];
  double y = x[0] * 2, sum = 0;
  w[0].kind = 1;
  w[0].number = x[0];
  w[1].kind = 0;
  w[1].integer = 1;
  w[2].kind = 2;
  w[2].pointer = &y;
  for (int k = 0; k < n; k++) {
    word *at = &w[k % 3], *other = &w[(k * 2 + 1) % 3], v = *at, t;
    if (v.kind == 1 && k > 3) {
      at->kind = 0;
      at->integer = 4;
    }
    if (v.kind == 0) {
      at->kind = 1;
      at->number = get(&v) * x[1];
    }
    sum += get(&v) * (k + 1);
    t = *at;
    *at = *other;
    *other = t;
  }
  return sum;
}
// CHECK: [[BITS:%.*]] = bitcast double {{.*}} to i64
// CHECK-NEXT: [[FROZEN:%.*]] = freeze i64 [[BITS]]
// CHECK: inttoptr i64 [[FROZEN]] to ptr
// CHECK-NOT: inttoptr i64 [[BITS]]
double r(double *x, double *dx, int n) { return __enzyme_fwddiff((void *)chosen, enzyme_dup, x, dx, enzyme_const, n); }
