// Registrations that nothing refers to, of external linkage and without an
// attribute, reach the link, whether the files are compiled with the plugin or
// not. A registered function whose calls were inlined before is an error.
// REQUIRES: lld
// RUN: rm -rf %t && mkdir %t
// RUN: clang -O0 -I%inputs -flto -c %s -o %t/a.o && clang -O0 -I%inputs -DMAIN -flto -c %s -o %t/b.o
// RUN: clang -O0 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o -lm -o %t/p
// RUN: %t/p | FileCheck %s
// RUN: clang -O2 -I%inputs -DAPART=noinline -flto -c %s -o %t/a.o && clang -O2 -I%inputs -DMAIN -flto -c %s -o %t/b.o
// RUN: clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o -lm -o %t/p
// RUN: %t/p | FileCheck %s
// RUN: llvm-ar rcs %t/a.a %t/a.o
// RUN: clang -O3 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/b.o %t/a.a -lm -o %t/p
// RUN: %t/p | FileCheck %s
// RUN: %retro-clang -O2 -DAPART=noinline -flto -c %s -o %t/a.o && %retro-clang -O2 -DMAIN -flto -c %s -o %t/b.o
// RUN: clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-compute-dead=true,-mllvm,-propagate-attrs=true %t/a.o %t/b.o -lm -o %t/p
// RUN: %t/p | FileCheck %s
// CHECK: all: 301 9 4
//
// RUN: clang -O2 -I%inputs -flto -c %s -o %t/a.o && clang -O2 -I%inputs -DMAIN -flto -c %s -o %t/b.o
// RUN: not clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o -lm -o %t/p 2>&1 | FileCheck %s --check-prefix=CHECK-INLINED
// CHECK-INLINED: error: {{.*}}calls of 'step' may have been inlined when its file was compiled, which did not know that something is registered for it [retro-inlined-before]
#include "request.h"
#ifndef APART
#define APART unused
#endif
extern double g;
double f(double x), step(double x), product(double x), quiet(double x);
#ifdef MAIN
static double forward(double x) { return step(x); }
static double reverse(double x, double seed) { return 100 * seed; }
static double dg;
void *__enzyme_register_gradient_step[] = {(void *)step, (void *)forward, (void *)reverse};
void *__enzyme_register_shadow_g[] = {&g, &dg};
void *__enzyme_inactivefn_quiet[] = {(void *)quiet};
int main(void) {
  double d[3] = {__enzyme_autodiff((void *)f, 3.0)};
  __enzyme_autodiff((void *)product, 3.0);
  d[1] = dg;
  d[2] = __enzyme_fwddiff((void *)quiet, 2.0, 1.0) + 4;
  show("all", d, 3);
}
#else
double g = 1.5;
__attribute__((APART)) double step(double x) { return x > 0 ? 1.0 : 0.0; }
__attribute__((noinline)) double quiet(double x) { return x * x; }
double f(double x) { return step(x) * x; }
double product(double x) { return g * x * x; }
#endif
