// With -flto the derivative is that of the definition that the program has,
// also if that is a weak one to which machine code refers. A thin link does not
// bring the body of one that is chosen of another file.
// REQUIRES: lld
// RUN: rm -rf %t && mkdir %t
// RUN: clang -O2 -I%inputs -flto -c %s -o %t/a.o
// RUN: clang -O2 -flto -c %S/Inputs/law.c -o %t/b.o
// RUN: clang -O2 -I%inputs -DNATIVE -c %s -o %t/n.o
// RUN: clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o %t/n.o -lm -o %t/p
// RUN: %t/p | FileCheck %s --check-prefixes=STRONG
// RUN: clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/n.o -lm -o %t/p
// RUN: %t/p | FileCheck %s --check-prefixes=WEAK
// RUN: %retro-clang -O0 -flto -c %s -o %t/a.o
// RUN: clang -O0 -flto -c %S/Inputs/law.c -o %t/b.o
// RUN: clang -O0 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o %t/n.o -lm -o %t/p
// RUN: %t/p | FileCheck %s --check-prefixes=STRONG
// RUN: clang -O2 -I%inputs -flto=thin -c %s -o %t/a.o
// RUN: clang -O2 -flto=thin -c %S/Inputs/law.c -o %t/b.o
// RUN: clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/n.o -lm -o %t/p
// RUN: %t/p | FileCheck %s --check-prefixes=WEAK
// RUN: not clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/a.o %t/b.o %t/n.o -lm -o %t/p 2>&1 | FileCheck %s --check-prefixes=THIN
// THIN: error: {{.*}}no derivative is known for the function 'law'
// STRONG: all: 27 -27 27 27
// WEAK: all: 6 -6 6 6
#include "request.h"
#ifdef NATIVE
double law(double x);
double native(double x) { return law(x); }
#else
double native(double x);
__attribute__((weak)) double law(double x) { return x; }
static double model(double x) { return law(x) * x; }
static double other(double x) { return x * law(x); }
int main(void) {
  double d[4] = {__enzyme_autodiff((void *)model, 3.0), __enzyme_fwddiff((void *)model, 3.0, -1.0),
                 __enzyme_autodiff((void *)other, 3.0), __enzyme_fwddiff((void *)other, 3.0, 1.0)};
  if (native(1) != 1)
    return 1;
  show("all", d, 4);
}
#endif
