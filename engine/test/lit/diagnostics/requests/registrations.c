// What is registered must fit: each registration that does not is an error, at
// its own line where there are line numbers and at its function where there
// are none.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,FUNCTION %s
// RUN: not %retro-clang -O2 -mllvm -retro-preopt=0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,FUNCTION %s
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-18: error:
// COUNT-NOT: {{error|warning}}:
#include "request.h"

typedef struct { void *tape; double value; } augmented;
typedef struct { float value; void *tape; } swapped;
double f(double x);
augmented augmented_f(double x);
double reverse_f(double x, double seed, void *tape);

void *__enzyme_register_gradient_1[] = {(void *)f, (void *)augmented_f};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// FUNCTION: error:
// CHECK-SAME: '__enzyme_register_gradient_1' is not a valid registration: it has 2 entries, but it must be {function, augmented, reverse} [retro-bad-registration]

double tangent_2(double x);
void *__enzyme_register_derivative_2[] = {(void *)f, (void *)tangent_2};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'tangent_2' does not fit: it has no parameter for the shadow of parameter 1 [retro-bad-registration]

double tangent_3(double x, double dx);
void *__enzyme_register_derivative_3[] = {(void *)f, (void *)tangent_3};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'tangent_3' does not fit: it returns double, but the result and its tangent, {double, double}, is expected

double reverse_4(double x);
void *__enzyme_register_gradient_4[] = {(void *)f, (void *)augmented_f, (void *)reverse_4};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'reverse_4' does not fit: it has no parameter for the adjoint of the result

void reverse_5(double x, double seed, void *tape);
void *__enzyme_register_gradient_5[] = {(void *)f, (void *)augmented_f, (void *)reverse_5};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'reverse_5' does not fit: it returns nothing, but the adjoint of each number, double, is expected

double augmented_6(double x);
void *__enzyme_register_gradient_6[] = {(void *)f, (void *)augmented_6, (void *)reverse_f};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'augmented_6' does not fit: it returns double, but the tape and the result, {a pointer, double}, is expected

swapped augmented_7(double x);
void *__enzyme_register_gradient_7[] = {(void *)f, (void *)augmented_7, (void *)reverse_f};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'augmented_7' does not fit: it returns {float, a pointer}, but the tape and the result, {a pointer, double}, is expected

float reverse_8(float x, float seed);
void *__enzyme_register_gradient_8[] = {(void *)f, (void *)f, (void *)reverse_8};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'reverse_8' does not fit: its parameter 1 is float, but parameter 1 is double

double value;
void *__enzyme_register_gradient_9[] = {(void *)f, (void *)&value, (void *)reverse_f};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: its second entry is not a function

void *__enzyme_inactivefn_10[] = {(void *)&value};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: its first entry is not a function

void *__enzyme_function_like_11[] = {(void *)f, (void *)"logg"};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: nothing is known of a function 'logg'

void *__enzyme_function_like_12[] = {(void *)f, (void *)"pow"};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'f' does not have the parameters of 'pow'

void *take(long bytes);
void give(void *p);
void *__enzyme_allocation_like_13[] = {(void *)take, (void *)1, (void *)"-1", (void *)give};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: its second entry is not the number of an integer parameter of 'take', counted from 0

void *__enzyme_allocation_like_14[] = {(void *)take, (void *)0, (void *)"0,-1", (void *)give};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: 'give' cannot be given the memory

double g(double x);
double other_g(double x, double seed);
double another_g(double x, double seed);
void *__enzyme_register_gradient_15[] = {(void *)g, (void *)g, (void *)other_g};
void *__enzyme_register_gradient_16[] = {(void *)g, (void *)g, (void *)another_g};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: '__enzyme_register_gradient_16' is not a valid registration: 'g' is registered twice

void *__enzyme_inactive_function_17[] = {(void *)g};
// LINE: registrations.c:[[@LINE-1]]:1: error:
// CHECK: '__enzyme_inactive_function_17' is not a valid registration: there is no registration of this name

__attribute__((annotate("enzyme_inactiv"))) double misspelled(double x) { return x; }
// LINE: registrations.c:[[@LINE-1]]:{{[0-9]+}}: error:
// CHECK: the annotation of 'misspelled' is not a valid registration: there is no annotation 'enzyme_inactiv'

__attribute__((annotate("enzyme_function_like=logg"))) double annotated(double x) {
  return x;
}
// LINE: registrations.c:[[@LINE-3]]:{{[0-9]+}}: error:
// CHECK: the annotation of 'annotated' is not a valid registration: nothing is known of a function 'logg'

double r(double x) {
  return __enzyme_autodiff((void *)annotated, x);
}
