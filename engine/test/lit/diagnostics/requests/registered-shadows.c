// Shadows of globals that do not fit, and those that cannot serve a request.
// RUN: not %retro-clang -O2 -g -DBAD -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not %retro-clang -O0 -g -DBAD -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

double x[4], y[4], shadow[4], shorter[3];
const double fixed[4] = {1, 2, 3, 4};
double f(double t) { return x[1] * t; }

#ifdef BAD
void *__enzyme_register_shadow_1[] = {x};
// BAD: registered-shadows.c:[[@LINE-1]]:1: error: '__enzyme_register_shadow_1' is not a valid registration: it has 1 entries, but it must be {variable, shadow}
void *__enzyme_register_shadow_2[] = {x, (void *)f};
// BAD: '__enzyme_register_shadow_2' is not a valid registration: its second entry is not a global variable
void *__enzyme_register_shadow_3[] = {x, x};
// BAD: '__enzyme_register_shadow_3' is not a valid registration: 'x' is its own shadow
void *__enzyme_register_shadow_4[] = {x, shorter};
// BAD: '__enzyme_register_shadow_4' is not a valid registration: 'shorter' has not the size of 'x', or is in another kind of memory
void *__enzyme_register_shadow_5[] = {(void *)fixed, shadow};
// BAD: '__enzyme_register_shadow_5' is not a valid registration: 'fixed' is constant
void *__enzyme_register_shadow_6[] = {x, shadow};
void *__enzyme_register_shadow_7[] = {x, shadow};
void *__enzyme_register_shadow_8[] = {y, shadow};
// BAD: '__enzyme_register_shadow_8' is not a valid registration: 'shadow' is registered twice
// BAD-NOT: error:
double g(double t) { return __enzyme_autodiff((void *)f, t); }
#else
void *__enzyme_register_shadow_x[] = {x, shadow};
extern int enzyme_width, enzyme_dup;
typedef struct { double a, b; } two;
two __enzyme_fwddiff_two(void *, ...);

// CHECK: error: the shadow that is registered for 'x' cannot serve here: it is one, and the request has several lanes [retro-global-shadow]
two lanes(double t) { return __enzyme_fwddiff_two((void *)f, enzyme_width, 2, enzyme_dup, t, 1.0, 0.5); }

// CHECK: error: the shadow that is registered for 'x' cannot serve here: the differentiated code itself uses 'shadow' [retro-global-shadow]
double first(double t) { return __enzyme_autodiff((void *)f, t); }
double second(double t) { return __enzyme_autodiff((void *)first, t); }
#endif
