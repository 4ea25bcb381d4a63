// Numbers of two widths in one struct whose array member is indexed: folding
// puts float and double at one place, and copies tell them apart.
// RUN: %retro-clang++ -O0 %s -o %t && %t | FileCheck --check-prefixes=CHECK,BOTH %s
// RUN: %retro-clang++ -O2 %s -o %t && %t | FileCheck --check-prefixes=CHECK,BOTH %s
// RUN: %retro-clang++ -O2 -g -mllvm -retro-inline=0 %s -o %t && %t | FileCheck --check-prefixes=CHECK,BOTH %s
// RUN: %retro-clang++ -O0 -DONE -mllvm -retro-preopt=0 %s -o %t && %t | FileCheck %s
// RUN: %retro-clang++ -O2 -DONE -mllvm -retro-preopt=0 %s -o %t && %t | FileCheck %s
#include "request.h"

struct Pair {
  double v[2];
  double &at(int i) { return v[i]; }
};
struct Parameters {
  double a;
  float b;
  int n;
  Pair c;
};

__attribute__((noinline)) double value(Parameters p, int i) {
  return p.a * p.b * p.n + p.c.at(i) * p.c.at(1 - i);
}
static double f(const Parameters *p, int i) { return value(*p, i); }
static double swapped(Parameters *p, int i) {
  Parameters q = *p;
  q.c.at(i) = p->c.at(1 - i) * q.b;
  p->c = q.c;
  return q.c.at(0) * q.c.at(1) * q.a;
}

int main(int argc, char **) {
  int i = argc > 1;
  Parameters p{2, 3, 4, {{5, 6}}}, d{};
  __enzyme_autodiff((void *)f, &p, &d, i);
  printf("%g %g %g %g\n", d.a, d.b, d.c.v[0], d.c.v[1]);
  // CHECK: 12 8 6 5
#ifndef ONE
  d = {};
  d.c = {{10, 100}};
  __enzyme_autodiff((void *)swapped, &p, &d, i);
  // q.c = (6 b, 6), the result 36 a b; p.c = q.c
  printf("%g %g %g %g\n", d.a, d.b, d.c.v[0], d.c.v[1]);
  // BOTH-NEXT: 108 132 0 202
#endif
}
