// Several derivatives come back as a C struct, in registers or in memory.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

struct Two { double a, b; } __enzyme_autodiff_two(void *, ...);
struct Three { double a, b, c; } __enzyme_autodiff_three(void *, ...);
struct Floats { float a, b; } __enzyme_autodiff_floats(void *, ...);
struct Mixed { double value; float da; double db; } __enzyme_autodiff_mixed(void *, ...);

static double volume(double a, double b, double c) { return a * b * b * c * c * c; }
static double area(double a, double b) { return a * b; }
static float areaf(float a, float b) { return a * b * b; }
static double mixed(float a, double b) { return a * b; }

int main(void) {
  struct Two two = __enzyme_autodiff_two((void *)area, 3.0, 5.0);
  printf("two: %g %g\n", two.a, two.b);
  // CHECK: two: 5 3
  struct Three three = __enzyme_autodiff_three((void *)volume, 2.0, 3.0, 5.0);
  printf("three: %g %g %g\n", three.a, three.b, three.c);
  // CHECK: three: 1125 1500 1350
  struct Three value = __enzyme_autodiff_three((void *)area, enzyme_primal_return, 3.0, 5.0);
  printf("value: %g %g %g\n", value.a, value.b, value.c);
  // CHECK: value: 15 5 3
  struct Floats floats = __enzyme_autodiff_floats((void *)areaf, 3.0f, 5.0f);
  printf("floats: %g %g\n", floats.a, floats.b);
  // CHECK: floats: 25 30
  struct Mixed m = __enzyme_autodiff_mixed((void *)mixed, enzyme_primal_return, 3.0f, 5.0);
  printf("mixed: %g %g %g\n", m.value, m.da, m.db);
  // CHECK: mixed: 15 5 3
}
