// A definition that the linker may replace is not what is differentiated, in
// each mode and by each way to it; with -flto it is known which one wins.
// RUN: rm -rf %t && mkdir %t
// RUN: not %retro-clang -O0 -c %s -o %t/o 2>&1 | FileCheck %s --check-prefixes=CHECK
// RUN: not %retro-clang -O2 -fPIC -c %s -o %t/o 2>&1 | FileCheck %s --check-prefixes=CHECK
// RUN: not %retro-clang -O2 -fPIC -fsemantic-interposition -DPLAIN -c %s -o %t/o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %retro-clang -O2 -fPIC -DPLAIN -c %s -o %t/o
//
// What is compiled and linked by one command has no other definition; with
// another file, or a library, it may have.
// RUN: %retro-clang -O1 -DONE %s -o %t/one -lm && %t/one | FileCheck %s --check-prefix=ONE
// RUN: not %retro-clang -O1 -DONE %s %S/Inputs/law.c -o %t/one -lm 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not %retro-clang -O1 -DONE %s -o %t/one -lm -lmine 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: error: {{.*}}cannot differentiate 'law'
// ONE: one: 6 -2 2 1
#include "request.h"

#ifdef PLAIN
double law(double x) { return x; }
double inner(double x) { return law(x) * x; }
// PLAIN: error: {{.*}}cannot differentiate '{{inner|law}}': the linker may put another definition in the place of this one
double plain(double x) { return __enzyme_autodiff((void *)inner, x); }
#else
__attribute__((weak)) double law(double x) { return x; }
static double law_default(double x) { return x * x; }
double law_alias(double x) __attribute__((weak, alias("law_default")));
// What is inactive may be weak, and so may a variable, and what has a
// derivative of its own.
__attribute__((weak)) void hook(int i) { (void)i; }
__attribute__((weak)) double scale = 2;
__attribute__((weak)) double own(double x) { return x; }
static double own_reverse(double x, double seed) { return seed * 7 * x; }
void *__enzyme_register_gradient_own[] = {(void *)own, (void *)own, (void *)own_reverse};

static double model(double x) { return law(x) * x; }
static double by_alias(double x) { return law_alias(x) * x; }
static double by_pointer(double x, double (*p)(double)) { return p(x) * x; }
static double with_hook(double x) { hook(1); return scale * x; }
static double with_own(double x) { return own(x); }

#ifdef ONE
int main(void) {
  double d[4] = {__enzyme_autodiff((void *)model, 3.0), __enzyme_fwddiff((void *)model, 1.0, -1.0),
                 __enzyme_autodiff((void *)with_hook, 3.0), __enzyme_autodiff((void *)law, 3.0)};
  show("one", d, 4);
}
#else
// CHECK: cannot differentiate 'law': the linker may put another definition in the place of this one, which is weak or can be preempted [retro-replaceable]; to fix it: compile all files with -flto
double a(double x) { return __enzyme_autodiff((void *)model, x); }
// CHECK: cannot differentiate 'law'
double b(double x) { return __enzyme_fwddiff((void *)model, x, 1.0); }
// CHECK: cannot differentiate 'law_alias'
double c(double x) { return __enzyme_autodiff((void *)by_alias, x); }
// CHECK: cannot differentiate 'law'
double d(double x, double (*p)(double)) { return __enzyme_autodiff((void *)by_pointer, x, enzyme_const, p); }
// CHECK: cannot differentiate 'law'
double e(double x) { return __enzyme_autodiff((void *)law, x); }
// CHECK: cannot differentiate 'law_alias'
double f(double x) { return __enzyme_autodiff((void *)law_alias, x); }
// CHECK-NOT: error:
double g(double x) { return __enzyme_autodiff((void *)with_hook, x); }
double h(double x) { return __enzyme_autodiff((void *)with_own, x); }
double (*address_of_law)(double) = law;
#endif
#endif
