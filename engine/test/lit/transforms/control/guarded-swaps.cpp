// A loop that compares and swaps behind a question about what the place held
// before: other threads may have written to it since. In its turn the loop
// compares what it expects with what is there.
// RUN: %retro-clang++ -std=c++17 -fopenmp -O2 -mllvm -retro-print-after=atomics %s -c -o %t.o 2>&1 | FileCheck %s
#include <assert.h>
#include <stdint.h>

extern int enzyme_dup;
extern double __enzyme_fwddiff(void *, int, double *, double *);

static double number(uint64_t w) { return __builtin_bit_cast(double, w); }
static bool swap(uint64_t *at, uint64_t *old, uint64_t next) {
  return __atomic_compare_exchange_n(at, old, next, true, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
static void raise(uint64_t *m, double v) {
  uint64_t old = __atomic_load_n(m, __ATOMIC_RELAXED);
  while (number(old) < v) {
    assert(v > 0);
    if (swap(m, &old, __builtin_bit_cast(uint64_t, v)))
      break;
  }
}

// CHECK: after atomics
// CHECK-LABEL: @{{.*}}omp_outlined.primal
// CHECK: fcmp ogt double %[[V:.*]], %{{.*}}
// CHECK: call void @__retro_atomic_begin(ptr %[[P:.*]])
// CHECK: %[[EXPECTED:.*]] = phi i64
// CHECK: load double, ptr %[[P]]
// CHECK: %[[SWAPS:.*]] = icmp eq i64 %{{.*}}, %[[EXPECTED]]
// CHECK: select i1 %[[SWAPS]]
// CHECK: store double %{{.*}}, ptr %[[P]]
// CHECK: call void @__retro_atomic_end(ptr %[[P]])
static double greatest(double *x) {
  uint64_t m = __builtin_bit_cast(uint64_t, 0.0);
#pragma omp parallel for
  for (int i = 0; i < 24; ++i)
    raise(&m, x[i] * x[i]);
  return number(m) * x[0];
}

double along(double *x, double *dx) {
  return __enzyme_fwddiff((void *)greatest, enzyme_dup, x, dx);
}
