// What several threads run and nobody knows may be a lock: they would meet in it in another order than the reverse pass could keep. What
// cannot synchronize by what is known of it may stand, and so may all that one thread runs.
// RUN: not %retro-clang -O1 -g -fopenmp -DREVERSE -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O1 -g -fopenmp -c %s -o /dev/null
#include "request.h"

void their_lock(int *), their_unlock(int *);
void report(int) __attribute__((annotate("enzyme_inactive")));
int count(const int *) __attribute__((pure));
_Noreturn void give_up(const char *);
static int lock;

void locked(double *x, const double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK: unknown-order.c:[[@LINE+1]]:5: error: threads may wait for each other in 'their_lock', which is not known here, and the reverse pass could not keep their order [retro-unknown-order]
    their_lock(&lock);
    x[0] = x[0] * y[i];
    their_unlock(&lock);
  }
}
void by_assembly(double *x, const double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // CHECK: unknown-order.c:[[@LINE+1]]:5: error: threads may wait for each other in assembly, which
    __asm__ volatile("lock incl %0" : "+m"(lock) : : "memory");
    x[i] = x[i] * y[i];
  }
}
// CHECK-NOT: error:

void harmless(double *x, const double *y, int n) {
  their_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    __asm__ volatile("" : : : "memory");
    report(i);
    if (count(&lock) < 0)
      give_up("no locks");
    x[i] = x[i] * y[i];
  }
  their_unlock(&lock);
}

#define DIFFERENTIATE(Entry, F)                                                                                                       \
  void Entry##_of_##F(double *x, double *dx, const double *y, double *dy, int n) {                                                         \
    Entry((void *)F, enzyme_dup, x, dx, enzyme_dup, y, dy, n);                                                                 \
  }
DIFFERENTIATE(__enzyme_fwddiff_void, locked)
DIFFERENTIATE(__enzyme_fwddiff_void, by_assembly)
DIFFERENTIATE(__enzyme_autodiff_void, harmless)
#ifdef REVERSE
DIFFERENTIATE(__enzyme_autodiff_void, locked)
DIFFERENTIATE(__enzyme_autodiff_void, by_assembly)
#endif
