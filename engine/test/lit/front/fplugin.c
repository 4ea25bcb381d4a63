// The same library loaded as a clang plugin, or as both, resolves each request
// once.
// RUN: clang -fplugin=%plugin -O2 %s -o %t && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -O0 %s -o %t && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -fpass-plugin=%plugin -O2 %s -o %t && %t | FileCheck %s
// CHECK: 6
double __enzyme_autodiff(void *, ...);
int printf(const char *, ...);
static double square(double x) { return x * x; }
int main(void) { printf("%g\n", __enzyme_autodiff((void *)square, 3.0)); }
