// A pointer that LLVM takes apart, to choose its halves beside those of two
// floats: nobody could tell where its shadow goes.
// RUN: not %retro-clang++ -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -DBY_PROGRAM -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -DBY_PROGRAM -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: the shadow of this memory is not known (its address is taken apart)
#include <string.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
#ifndef BY_PROGRAM
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
#else // the program takes it apart itself, and chooses without a branch
struct S {
  int kind;
  unsigned half[2];
};
static void put(S *s, const float *x, int i) {
  const unsigned long word = (unsigned long)x;
  unsigned a, b;
  memcpy(&a, &x[0], 4);
  memcpy(&b, &x[1], 4);
  s->kind = i & 1;
  s->half[0] = s->kind ? (unsigned)word : a;
  s->half[1] = s->kind ? (unsigned)(word >> 32) : b;
}
static double f(const float *x, int n) {
  S t[4];
  float s = 0, pair[2];
  for (int i = 0; i < n; ++i)
    put(&t[i], x, i);
  for (int i = 0; i < n; ++i) {
    const float *p;
    memcpy(&p, t[i].half, 8);
    memcpy(pair, t[i].half, 8);
    s += t[i].kind ? *p : pair[0] * pair[1];
  }
  return s;
}
#endif
void request(const float *x, float *dx) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 2);
}
