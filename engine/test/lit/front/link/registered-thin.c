// A thin link: what a file registers holds for the calls in it, also where it
// was compiled without the plugin. Calls elsewhere, and those that may have
// been inlined, are errors.
// REQUIRES: lld
// RUN: rm -rf %t && mkdir %t
// RUN: clang -O2 -I%inputs -flto=thin -DSTEP=noinline -c %s -o %t/step.o
// RUN: clang -O2 -I%inputs -flto=thin -DSTEP=used -c %s -o %t/inlinable.o
// RUN: clang -O2 -I%inputs -flto=thin -DREGISTRATION -c %s -o %t/registration.o
// RUN: clang -O2 -I%inputs -flto=thin -DREQUEST -c %s -o %t/request.o
// RUN: clang -O2 -I%inputs -flto=thin -DREGISTRATION -DREQUEST -c %s -o %t/both.o
// RUN: clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/both.o %t/step.o -lm -o %t/p
// RUN: %t/p | FileCheck %s
// CHECK: all: 301
// RUN: not clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/both.o %t/inlinable.o -lm -o %t/p 2>&1 | FileCheck %s --check-prefix=INLINED
// RUN: not clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/registration.o %t/inlinable.o -lm -o %t/p 2>&1 | FileCheck %s --check-prefix=INLINED
// INLINED: error: {{.*}}calls of 'step' may have been inlined when its file was compiled
// RUN: not clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/registration.o %t/step.o -lm -o %t/p 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: error: {{.*}}no derivative is known for the function 'step'
#include "request.h"
double step(double x);
#ifdef STEP
__attribute__((STEP)) double step(double x) { return x > 0 ? 1.0 : 0.0; }
#endif
#ifdef REGISTRATION
static double forward(double x) { return step(x); }
static double reverse(double x, double seed) { return 100 * seed; }
void *__enzyme_register_gradient_step[] = {(void *)step, (void *)forward, (void *)reverse};
#endif
#ifdef REQUEST
static double f(double x) { return step(x) * x; }
int main(void) {
  double d[1] = {__enzyme_autodiff((void *)f, 3.0)};
  show("all", d, 1);
}
#endif
