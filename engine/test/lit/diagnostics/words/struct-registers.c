// A file that was optimized without the plugin: which registers are one struct
// is not known any more.
// RUN: clang -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: not %retro-opt %t.ll -o /dev/null 2>&1 | FileCheck %s
struct Point { double x, y; };
extern int enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) double power(struct Point p, double k) { return p.x * p.y * k; }
double r1(struct Point p, double k) {
  return __enzyme_autodiff((void *)power, enzyme_const, p, enzyme_out, k);
}
// CHECK: error: {{.*}}struct-registers.c:[[@LINE-2]]:10: structs are passed by value to 'power', and it is not known which registers belong together [retro-struct-registers]
