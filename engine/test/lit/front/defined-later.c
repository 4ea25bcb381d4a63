// The target and what it calls may be defined after the request.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 -mllvm -retro-preopt=0 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

double outer(double x);
double inner(double x);
double gradient(double x) { return __enzyme_autodiff((void *)outer, x); }

int main(void) {
  printf("%g\n", gradient(3));
  // CHECK: 36
}

double outer(double x) { return x * inner(x) + 9 * x; }
double inner(double x) { return x * x; }
