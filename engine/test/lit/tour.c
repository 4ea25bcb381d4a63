// The example of docs/one-function.md: when this changes, so must that page.
// RUN: clang -O1 -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt %t.ll -retro-print-plan 2>&1 | FileCheck --check-prefixes=PLAN,IR %s
// RUN: %retro-opt %t.ll -retro-post-opt=0 | FileCheck --check-prefix=EMITTED %s
// RUN: %retro-clang -O2 -DMAIN %s -o %t -lm && %t | FileCheck --check-prefix=RESULT %s

// PLAN: plan for decay (root)
// PLAN-NEXT:   cache value %call : double in indexed of loop %for.body
// PLAN-NEXT:   cache base %for.body : ptr in slot
// PLAN-NEXT:   cache value %1 : double in indexed of loop %for.body
// PLAN-NEXT:   reverse %return: single %for.cond.cleanup
// PLAN-NEXT:   reverse %for.cond.cleanup: choose %for.cond.cleanup.loopexit %entry
// PLAN-NEXT:   reverse %for.cond.cleanup.loopexit: single %for.body
// PLAN-NEXT:   reverse %entry: end
// PLAN-NEXT:   reverse %for.body: header %for.body.preheader %for.body
// PLAN-NEXT:   reverse %for.body.preheader: single %entry
// PLAN-NEXT:   update %arrayidx

// IR: call {} @gradient_decay(ptr %x, i32 %n, ptr %dx)
// IR: for.body:
// IR: [[X:%.+]] = load double, ptr %arrayidx
// IR: store double [[X]], ptr {{.*}}, !alias.scope
// IR: %call = tail call double @exp(
// IR: store double %call, ptr {{.*}}, !alias.scope
// IR: store double %call, ptr %arrayidx
// IR-NOT: fadd
// IR: rev.for.body:
// IR: load double, {{.*}} !noalias
// IR: fadd reassoc nsz double {{.*}}, 1.000000e+00
// IR: load double, {{.*}} !alias.scope
// IR: fmul
// IR: fcmp oeq
// IR: [[G:%.+]] = select
// IR: [[X:%.+]] = load double, {{.*}} !alias.scope
// IR-NEXT: [[TWICE:%.+]] = fmul reassoc nsz double [[X]], -2.000000e+00
// IR-NEXT: [[D:%.+]] = fmul reassoc nsz double [[TWICE]], [[G]]
// IR-NEXT: store double [[D]], {{.*}} !noalias
// IR: br i1 {{.*}}, label %rev.entry, label %rev.for.body

// EMITTED: rev.for.body:
// EMITTED: [[SUM:%.+]] = load double, ptr %add.adj
// EMITTED-NEXT: store double 0.000000e+00, ptr %add.adj
// EMITTED: [[STORED:%.+]] = load double, ptr [[AT:%.+]], align 8, !tbaa {{.*}}, !alias
// EMITTED-NEXT: fadd reassoc nsz double [[SUM]], [[STORED]]

// RESULT: -0.7788007831 -0.0732625556
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

double decay(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double d = x[i] * x[i];
    x[i] = exp(-d);
    sum += x[i];
  }
  return sum;
}

void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)decay, x, dx, n);
}

#ifdef MAIN
int main(void) {
  double x[2] = {0.5, 2}, dx[2] = {0};
  gradient(x, dx, 2);
  printf("%.10f %.10f\n", dx[0], dx[1]);
}
#endif
