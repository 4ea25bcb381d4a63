// What one translation unit registers holds for calls in another where the
// whole program is linked as one module. A thin link sees the registration in
// one module only: the call in the other is an error, not the body's derivative.
// REQUIRES: lld
// RUN: rm -rf %t && mkdir %t
// RUN: clang -O2 -flto -fpass-plugin=%plugin -I%inputs -DPART -c %s -o %t/a.o
// RUN: clang -O2 -flto -fpass-plugin=%plugin -I%inputs -c %s -o %t/b.o
// RUN: clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o -o %t/ab
// RUN: %t/ab | FileCheck %s
// RUN: clang -O0 -flto -fpass-plugin=%plugin -I%inputs -DPART -c %s -o %t/a.o
// RUN: clang -O0 -flto -fpass-plugin=%plugin -I%inputs -c %s -o %t/b.o
// RUN: clang -O0 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o -o %t/ab
// RUN: %t/ab | FileCheck %s
// CHECK: 90 6

// Without a request, the program also links where the linker does not load the
// plugin.
// RUN: clang -O2 -flto -fpass-plugin=%plugin -I%inputs -DPLAIN -c %s -o %t/c.o
// RUN: clang -O2 -flto -fuse-ld=lld %t/a.o %t/c.o -o %t/ac
// RUN: %t/ac | FileCheck --check-prefix=PLAIN %s
// PLAIN: 8

// RUN: clang -O2 -flto=thin -fpass-plugin=%plugin -I%inputs -DPART -c %s -o %t/a.o
// RUN: clang -O2 -flto=thin -fpass-plugin=%plugin -I%inputs -c %s -o %t/b.o
// RUN: not clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o -o %t/ab 2>&1 | FileCheck --check-prefix=THIN %s
// THIN: no derivative is known for the function
#include "request.h"

double special(double x);
double from_part(double x);

// Both parts have one of this name.
static __attribute__((noinline)) double local(double x) {
#ifdef PART
  return x;
#else
  return 3 * x;
#endif
}
static __attribute__((used)) void *__enzyme_inactivefn_local[] = {(void *)local};

#ifdef PART
double special(double x) { return x; }
static double special_reverse(double x, double seed) { return 10 * x * seed; }
void *__enzyme_register_gradient_special[] = {(void *)special, (void *)special, (void *)special_reverse};
double from_part(double x) { return special(x) * 2 + local(x) * x; }
#elif defined(PLAIN)
int main(void) { printf("%g\n", from_part(2)); }
#else
static double f(double x) { return special(x) * x + from_part(x) + local(x) * x; }
static double settled(double x) { return local(x) * x; }
int main(void) {
  // 10 x^2 + x + 20 x + x + 3 x
  printf("%g %g\n", __enzyme_autodiff((void *)f, 2.0), __enzyme_autodiff((void *)settled, 2.0));
}
#endif
