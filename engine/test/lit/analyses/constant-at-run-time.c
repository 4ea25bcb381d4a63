// Where a class of memory has constant parts and active ones, the derivative
// finds out which is which when it runs, for that class alone; what would be
// lost in the constant parts is planned to end the program. What can only be
// constant is refused, as all of it is with the option off.
// RUN: %retro-clang -O1 -g -S -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-shape %s 2>&1 | FileCheck %s
// RUN: not %retro-clang -O1 -g -S -o /dev/null -mllvm -retro-settle-constants=0 %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: not %retro-clang -O1 -g -S -o /dev/null -DWRONG %s 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: %retro-clang -O1 -g -S -o /dev/null -mllvm -retro-runtime-activity -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=ASKED %s
#include "request.h"

struct box {
  double value;
  struct box *next;
};

// CHECK-DAG: {{shadowed or constant$}}
// CHECK-DAG: {{shadowed$}}
// CHECK-DAG: plan for f (root)
// ASKED: plan for f (root)
// ASKED-NOT: end the program
static double f(const double *x, struct box *fixed, int n) {
  // OFF: constant-at-run-time.c:[[@LINE+1]]:{{[0-9]+}}: error: active values flow through memory that the request marks constant [retro-mixed-const]
  struct box own = {x[0], fixed}, *p = n ? fixed : &own;
  // CHECK-DAG: end the program if the memory is constant of store double {{.*}} ({{.*}}constant-at-run-time.c:[[@LINE+1]])
  p->value *= x[1];
  // CHECK-DAG: end the program if the memory is constant of store ptr {{.*}} ({{.*}}constant-at-run-time.c:[[@LINE+1]])
  p->next = p->next ? &own : 0;
  return p->value * own.value;
}
double request(const double *x, double *d, struct box *fixed, int n) {
  return __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, fixed,
                           enzyme_const, n);
}

#ifdef WRONG
/// It is the caller's, whatever else is of its class.
static double direct(const double *x, struct box *fixed) {
  struct box own = {x[0], fixed};
  // WRONG-DAG: constant-at-run-time.c:[[@LINE+1]]:{{[0-9]+}}: error: active values flow through memory that the request marks constant [retro-mixed-const]
  fixed->value = x[1];
  double sum = 0;
  for (struct box *p = &own; p; p = p->next)
    sum += p->value;
  return sum;
}
double direct_request(const double *x, double *d, struct box *fixed) {
  return __enzyme_autodiff((void *)direct, enzyme_dup, x, d, enzyme_const,
                           fixed);
}
#endif
