// A word that is a number at one time and a pointer at another: the plan notes
// what it is where it is copied, and the forward pass sees it by its shadow.
// RUN: %retro-clang -O1 %s -c -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %retro-clang -O1 %s -S -emit-llvm -o - | FileCheck --check-prefix=CODE %s
#include "request.h"

struct word {
  long kind;
  union {
    double number;
    double *pointer;
  };
};

// PLAN: plan for choose (root)
// PLAN: note what the words are that are copied to
// PLAN: cache tape of call @llvm.mem{{.*}} : i64 in

// CODE-LABEL: define {{.*}}@gradient_choose
// The shadow and the primal have to be addresses.
// CODE: add i64 %{{.*}}, -65536
// CODE: icmp ult i64 %{{.*}}, 281474976645120
static double choose(double *x, int n) {
  struct word w[8], v[8];
  for (int i = 0; i < n; ++i) {
    w[i].kind = i % 2;
    if (i % 2)
      w[i].pointer = x + i;
    else
      w[i].number = x[i] * x[i];
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    v[i] = w[n - 1 - i];
    s += v[i].kind ? *v[i].pointer : v[i].number;
  }
  return s;
}
void request(double *x, double *dx, int n) { __enzyme_autodiff_void((void *)choose, x, dx, n); }
