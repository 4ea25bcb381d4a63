// With -flto a request that depends on another translation unit waits for the
// link, and one that does not is resolved at once.
// RUN: %retro-clang -O2 -flto -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -O0 -flto -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -O2 -flto=thin -S -emit-llvm %s -o - | FileCheck %s
// RUN: not %retro-clang -O0 -flto=thin -S -emit-llvm %s -o - 2>&1 | FileCheck %s --check-prefix=NOW
// RUN: not %retro-clang -O2 -S -emit-llvm %s -o - 2>&1 | FileCheck %s --check-prefix=NOW
#include "request.h"
double elsewhere(double x);
double here(double x) { return sin(x) * x; }
double calls(double x) { return elsewhere(x) * 2; }
double (*volatile unknown)(double);
double jumps(double x) { return unknown(x); }

// CHECK-LABEL: define {{.*}}double @first(
// CHECK-NOT: __enzyme_autodiff
// CHECK: ret double
double first(double x) { return __enzyme_autodiff((void *)here, x); }
// CHECK-LABEL: define {{.*}}double @second(
// CHECK: @__enzyme_autodiff({{.*}}@calls
// NOW: error: {{.*}}no derivative is known for the function 'elsewhere'
double second(double x) { return __enzyme_autodiff((void *)calls, x); }
// CHECK-LABEL: define {{.*}}double @third(
// CHECK: @__enzyme_autodiff({{.*}}@elsewhere
double third(double x) { return __enzyme_autodiff((void *)elsewhere, x); }
// CHECK-LABEL: define {{.*}}double @fourth(
// CHECK: @__enzyme_autodiff({{.*}}@jumps
double fourth(double x) { return __enzyme_autodiff((void *)jumps, x); }
