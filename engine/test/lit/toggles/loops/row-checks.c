// row-checks: LLVM has the program compare arrays in front of the loop around,
// where their rows begin, and takes it for one that counts up. Those of a
// reverse pass count down, and would never run in vectors: they get their
// counter through an expectation, and the arrays are compared for each row.
// RUN: %retro-clang -O2 -g0 %s -S -emit-llvm -o %t.ll -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.ll
// RUN: %retro-clang -O2 -g0 %s -S -emit-llvm -o - -mllvm -retro-row-checks=0 | FileCheck --check-prefix=OFF %s
// The same numbers, to the last bit, also where the arrays are one.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on && %t.on > %t.rows
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-row-checks=0 && %t.off > %t.none
// RUN: diff %t.rows %t.none
#include <stdio.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

typedef struct {
  double *left, *right, *out;
} arrays;

// NUMBER: retro-counter row-checks 1
// ON-LABEL: define internal {{.*}}@gradient_products(
// ON: [[ROW:%.*]] = {{.*}}call i64 @llvm.expect.i64(i64 %{{.*}}, i64 0)
// ON: fadd <2 x double>
// OFF-NOT: @llvm.expect
static void products(const arrays *a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a->out[i * n + j] += a->left[i * n + j] * a->right[i * n + j];
}

// In a loop that counts up in the reverse pass LLVM's comparison is right.
// ON-LABEL: define internal {{.*}}@gradient_upwards(
// ON-NOT: @llvm.expect
// ON: ret
static void upwards(const arrays *a, int n) {
  for (int i = n - 1; i >= 0; --i)
    for (int j = 0; j < n; ++j)
      a->out[i * n + j] += a->left[i * n + j] * a->right[i * n + j];
}

void gradient(const arrays *a, arrays *d, int n) {
  __enzyme_autodiff((void *)products, enzyme_dup, a, d, enzyme_const, n);
  __enzyme_autodiff((void *)upwards, enzyme_dup, a, d, enzyme_const, n);
}

#ifdef MAIN
int main(void) {
  enum { N = 13 };
  double x[3][N * N], d[3][N * N];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < N * N; ++i)
      x[k][i] = 0.1 * (i % 17) + k, d[k][i] = 0.01 * (i % 7 + k);
  arrays a = {x[0], x[1], x[2]}, b = {d[0], d[1], d[2]};
  gradient(&a, &b, N);
  arrays e = {x[0], x[0], x[2]}, f = {d[0], d[0], d[2]};
  gradient(&e, &f, N);
  arrays g = {x[0], x[0] + 1, x[2]}, h = {d[0], d[0] + 1, d[2]};
  gradient(&g, &h, N - 1);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < N * N; ++i)
      printf("%.17g\n", d[k][i]);
}
#endif
