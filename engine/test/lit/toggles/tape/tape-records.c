// tape-records: where a loop keeps many values of each iteration, they stand
// side by side; a few have an array each. The exit that nobody returns from
// does not make the number of iterations unknown.
// RUN: clang -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %retro-opt -retro-recompute-cost=0 %t.ll -o %t.out -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: FileCheck --check-prefix=ON %s < %t.out
// RUN: %retro-opt -retro-recompute-cost=0 %t.ll -o %t.out -retro-tape-records=0 -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: FileCheck --check-prefix=ARRAYS %s < %t.out
// RUN: %retro-opt -retro-recompute-cost=0 %t.ll -o /dev/null -retro-tape-merge=0 -retro-print-plan 2>&1 | FileCheck --check-prefix=EACH %s
// RUN: %retro-clang -O2 -DMAIN %s -o %t -lm && %t | FileCheck --check-prefix=RESULT %s
// RUN: %retro-clang -O2 -DMAIN %s -o %t -lm -mllvm -retro-tape-records=0 && %t | FileCheck --check-prefix=RESULT %s
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);
double exp(double);
int printf(const char *, ...);
_Noreturn void abort(void);

// PLAN-LABEL: plan for many (root)
// PLAN-COUNT-19: cache value {{.*}} in indexed of loop %for.body interleaved
// PLAN-LABEL: plan for few (root)
// PLAN: cache value {{.*}} in indexed of loop %for.body{{$}}
// PLAN: retro-counter tape-records 19
// OFF-NOT: interleaved
// OFF: retro-counter tape-records 0
// EACH-NOT: interleaved
// One record has 17 doubles, a float and an int.
// ON-LABEL: define internal {{.*}}@gradient_many(
// ON: for.body:
// ON: getelementptr inbounds{{.*}} [144 x i8], ptr {{%.+}}, i64 %iv
// ON-LABEL: define internal {{.*}}@gradient_few(
// ON-NOT: x i8], ptr {{%.+}}, i64 %iv
// ON: ret {} poison
// ARRAYS-LABEL: define internal {{.*}}@gradient_many(
// ARRAYS-NOT: x i8], ptr {{%.+}}, i64 %iv
// ARRAYS: ret {} poison
static void many(long n, double *x, float *y, int *m) {
  for (long i = 0; i < n; ++i) {
    if (x[17 * i] < 0)
      abort();
    double s = y[i];
    for (int k = 0; k < 17; ++k) {
      s += x[17 * i + k] * x[17 * i + k] * m[i];
      x[17 * i + k] = 0;
    }
    y[i] = (float)(s * y[i]);
    m[i] = 0;
  }
}

static void few(long n, double *x) {
  for (long i = 0; i < n; ++i)
    x[i] = exp(x[i]);
}

void gradients(long n, double *x, double *dx, float *y, float *dy, int *m) {
  __enzyme_autodiff((void *)many, n, x, dx, y, dy, enzyme_const, m);
  __enzyme_autodiff((void *)few, n, x, dx);
}

#ifdef MAIN
// The adjoint of y[i] times 2 x m y, and times s + y.
// RESULT: 1.2000 6.4000 3.6000
// RESULT: 18.1100
int main(void) {
  double x[51], dx[51] = {0};
  float y[3] = {1.5f, 2, 0.5f}, dy[3] = {1, 2, 3};
  int m[3] = {1, 2, 3};
  for (int i = 0; i < 51; ++i)
    x[i] = i % 17 * 0.1 + 0.3 * (i % 17 == 1);
  __enzyme_autodiff((void *)many, 3L, x, dx, y, dy, enzyme_const, m);
  printf("%.4f %.4f %.4f\n", dx[1], dx[18], dx[35]);
  printf("%.4f\n", (double)dy[0]);
}
#endif
