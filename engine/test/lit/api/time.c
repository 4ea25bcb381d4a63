// Where the engine's time went, stage by stage.
// RUN: %retro-clang -O1 -c %s -o /dev/null -mllvm -retro-time 2>&1 | FileCheck %s
// RUN: %retro-clang -O1 -c %s -o /dev/null 2>&1 | count 0
#include "request.h"
double square(double x) { return x * x; }
double r(double x) { return __enzyme_autodiff((void *)square, x); }
// CHECK: Retrograde's stages
// CHECK-DAG: prepare: Copies of the primal's functions, and calls of them
// CHECK-DAG: pre-opt: LLVM's simplification: less is computed, so less is kept
// CHECK-DAG: carry: what a stencil adds to its neighbours
// CHECK-DAG: What memory holds
// CHECK-DAG: Activity analysis
// CHECK-DAG: Plan of the derivative
// CHECK-DAG: emit: Emission
// CHECK-DAG: LLVM's optimization of what was emitted
