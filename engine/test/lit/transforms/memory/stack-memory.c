// Stack memory of a size that is known at run time: in reverse mode it is freed
// with the tape, as its shadow is; in forward mode where its block ends. What a
// loop takes and no iteration gives back stays on the stack in forward mode.
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -mllvm -retro-post-opt=0 | FileCheck %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *alloca(unsigned long);

static double scoped(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < n; k++) {
    double w[k];
    for (int i = 0; i < k; i++)
      w[i] = x[i] * x[k];
    s += w[k / 2] * w[0];
  }
  return s;
}
// CHECK-LABEL: define internal { double } @tangent_of_scoped(
// CHECK-NOT: {{stacksave|free}}
// CHECK: [[W:%.*]] = {{(tail )?}}call noalias ptr @malloc(
// CHECK: [[SHADOW:%.*]] = {{(tail )?}}call noalias ptr @malloc(
// CHECK-DAG: {{(tail )?}}call void @free(ptr {{(nonnull )?}}[[W]])
// CHECK-DAG: {{(tail )?}}call void @free(ptr {{(nonnull )?}}[[SHADOW]])
// CHECK: ret
double scoped_forward(double *x, double *v, int n) { return __enzyme_fwddiff((void *)scoped, x, v, n); }

static double taken(const double *x, int n) {
  double **w = 0, s = 0;
  for (int k = 0; k < n; k++) {
    double **new = alloca(8 * (k + 2));
    new[0] = (double *)w;
    new[1] = (double *)&x[k];
    w = new;
  }
  for (; w; w = (double **)w[0])
    s = s * 0.5 + *w[1] * *w[1];
  return s;
}
// CHECK-LABEL: define internal { double } @tangent_of_taken(
// CHECK-NOT: malloc
// CHECK: alloca i8, i64
// CHECK: alloca i8, i64
// CHECK: ret
double taken_forward(double *x, double *v, int n) { return __enzyme_fwddiff((void *)taken, x, v, n); }

// CHECK-LABEL: define internal {{.*}}@gradient_taken(
// CHECK: [[T:%.*]] = {{(tail )?}}call noalias ptr @malloc(
// CHECK: [[D:%.*]] = {{(tail )?}}call noalias ptr @malloc(
// CHECK-DAG: {{(tail )?}}call void @__retro_defer_free(ptr {{.*}}, ptr [[T]],
// CHECK-DAG: {{(tail )?}}call void @__retro_defer_free(ptr {{.*}}, ptr [[D]],
// CHECK: ret
void taken_reverse(double *x, double *g, int n) { __enzyme_autodiff((void *)taken, x, g, n); }
