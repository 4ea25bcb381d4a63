// Registered functions are hidden until they are differentiated, and inlined
// then: they cost what they would have cost.
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -O0 -S -emit-llvm %s -o - | FileCheck --check-prefix=O0 %s
// CHECK-NOT: .registered
// O0-NOT: .registered
#include "request.h"

static double twice(double x) { return 2 * x; }
static inline __attribute__((always_inline)) double thrice(double x) { return 3 * x; }
static double twice_forward(double x) { return 2 * x; }
static double twice_reverse(double x, double seed) { return 20 * seed; }
static double thrice_reverse(double x, double seed) { return 300 * seed; }
void *__enzyme_register_gradient_twice[] = {(void *)twice, (void *)twice_forward, (void *)twice_reverse};
void *__enzyme_register_gradient_thrice[] = {(void *)thrice, NULL, (void *)thrice_reverse};

double plain(double x) { return twice(x) + thrice(x); }
// CHECK-LABEL: define {{.*}}double @plain(
// CHECK-NOT: call
// CHECK: ret double
// O0-LABEL: define {{.*}}double @plain(
// O0: call double @twice(
// O0-NOT: call double @thrice(
// O0: ret double

double slope(double x) { return __enzyme_autodiff((void *)plain, x); }
// CHECK-LABEL: define {{.*}}@gradient_plain(
// CHECK-NOT: call
// CHECK: double 3.200000e+02
// CHECK-NOT: .registered
// O0-NOT: .registered
