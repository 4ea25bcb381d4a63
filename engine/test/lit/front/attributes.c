// With clang's -fplugin: the attributes of the convention, also on static
// functions that nothing else uses, and static registration arrays.
// RUN: clang -fplugin=%plugin -I%inputs -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -I%inputs -O1 %s -o %t -lm && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -I%inputs -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -fpass-plugin=%plugin -I%inputs -O3 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

typedef struct { double value, tangent; } dual;

static double square_forward(double x) { return x * x; }
static double square_reverse(double x, double seed) { return 10 * x * seed; }
static dual square_tangent(double x, double dx) {
  dual r = {x * x, 20 * x * dx};
  return r;
}
__attribute__((enzyme("gradient", square_forward, square_reverse), enzyme("derivative", square_tangent)))
static double square(double x) { return x * x; }

// The primal itself is the augmented function.
static double other_reverse(double x, double seed);
__attribute__((enzyme_gradient(other_reverse))) static double other(double x) { return x * x; }
static double other_reverse(double x, double seed) { return 200 * x * seed; }

__attribute__((enzyme("inactive"))) static double frozen(double x) { return x; }
__attribute__((enzyme_inactive)) double carrier;
__attribute__((enzyme("function_like", "log1p"))) static double my_log1p(double x) { return x; }

static double *my_take(long tag, size_t bytes);
static void my_give(double *p) { free(p); }
static __attribute__((enzyme("allocation_like", 1, "-1", my_give))) double *my_take(long tag, size_t bytes) {
  return tag == 7 ? malloc(bytes) : 0;
}
__attribute__((enzyme_shouldrecompute, enzyme_nofree)) static double plain(double x) { return x; }

static double cube(double x) { return x * x * x; }
static double cube_reverse(double x, double seed) { return 1000 * x * x * seed; }
static void *const __enzyme_register_gradient_cube[3] = {(void *)cube, (void *)cube, (void *)cube_reverse};

static double f(double x) {
  double *w = my_take(7, sizeof(double)), y;
  *w = square(x);
  y = *w;
  my_give(w);
  carrier = x;
  return y + other(x) + frozen(x) + carrier + my_log1p(x) + cube(x) + plain(x);
}

int main(void) {
  double x = 2, g = __enzyme_autodiff((void *)f, x), t = __enzyme_fwddiff((void *)f, x, 1.0);
  g -= 1 / 3., t -= 1 / 3.;
  printf("%.10g %.10g\n", g, t);
  // CHECK: 4421 57
}
