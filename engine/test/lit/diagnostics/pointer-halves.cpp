// A pointer that LLVM takes apart, to choose its halves beside those of two
// floats: nobody could tell where its shadow goes.
// RUN: not %retro-clang++ -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: the shadow of this memory is not known (its address is taken apart)
#include <string.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
struct A { float a, b; }; struct P { const float *p; };
struct S { float (*call)(const void *); alignas(8) char buf[8]; };
#include <new>
__attribute__((noinline)) static S make(const float *x, int i) {
  S s;
  if (i % 2) { new (s.buf) P{x}; s.call = [](const void *p) { return *((const P *)p)->p; }; }
  else { new (s.buf) A{x[0], x[1]}; s.call = [](const void *p) { auto q = (const A *)p; return q->a * q->b; }; }
  return s;
}
double f(const float *x, int n) {
  S t[2]; float s = 0;
  for (int i = 0; i < n; ++i) t[i] = make(x, i);
  for (int i = 0; i < n; ++i) s = s * .5f + t[i].call(t[i].buf);
  return s;
}
void request(const float *x, float *dx) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 2);
}
