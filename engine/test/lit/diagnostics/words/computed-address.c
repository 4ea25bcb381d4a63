// An address that integer arithmetic hides or loses has no shadow. What can be
// followed is in the program addresses.c.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#include <stdint.h>

double scaled(double *x, uintptr_t key) {
  uintptr_t hidden = ((uintptr_t)x ^ key) * 3;
  double *p = (double *)((hidden / 3) ^ key);
  return *p * *p;
}
// CHECK: computed-address.c:[[@LINE-3]]:15: error: the shadow of this memory is not known (its address is computed with integers) [retro-unknown-shadow]; to fix it: allocate it in the differentiated code or pass it duplicated
double r1(double *x, double *dx, uintptr_t k) { return __enzyme_autodiff((void *)scaled, x, dx, k); }

/// The links of a list as the xor of both neighbours.
struct Node {
  double value;
  uintptr_t both;
};
double walk(struct Node *first) {
  double sum = 0;
  uintptr_t last = 0;
  for (struct Node *p = first; p;) {
    sum += p->value * p->value;
    uintptr_t next = p->both ^ last;
    last = (uintptr_t)p;
    p = (struct Node *)next;
  }
  return sum;
}
// CHECK: computed-address.c:{{[0-9]+:[0-9]+}}: error: the shadow of this memory is not known ({{.*}}) [retro-unknown-shadow]
double r2(struct Node *n, struct Node *dn) { return __enzyme_autodiff((void *)walk, n, dn); }

/// Addresses in 32 bits, chosen beside whole ones: no integer of a union.
static double *whole(uint32_t address) { return (double *)(uintptr_t)address; }
double shortened(double *x, const uint32_t *at, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double *p = i % 2 ? whole(at[i]) : x + i;
    sum += *p * *p;
  }
  return sum;
}
// CHECK: computed-address.c:{{[0-9]+:[0-9]+}}: error: the shadow of this memory is not known (its address is computed with integers) [retro-unknown-shadow]
double r3(double *x, double *dx, const uint32_t *at) { return __enzyme_autodiff((void *)shortened, enzyme_dup, x, dx, enzyme_const, at, enzyme_const, 4); }
