// by-array: of an array that a nest reads again and again, and that is
// overwritten behind it, a copy is kept, not what each iteration reads.
// RUN: %retro-clang -O2 %s -S -emit-llvm -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %retro-clang -O2 %s -S -o /dev/null -mllvm -retro-by-array=0 -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=OFF %s
// The same numbers, to the last bit where they are added in one order.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN -mllvm -retro-loop-order=0 -mllvm -retro-stencil=0 %s -o %t.on && %t.on > %t.array
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN -mllvm -retro-loop-order=0 -mllvm -retro-stencil=0 %s -o %t.off -mllvm -retro-by-array=0 && %t.off > %t.iteration
// RUN: diff %t.array %t.iteration
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN -mllvm -retro-loop-order=0 -mllvm -retro-stencil=0 %s -o %t.check -mllvm -retro-check-plan && %t.check > %t.checked
// RUN: diff %t.array %t.checked
// RUN: FileCheck --check-prefix=RESULT %s < %t.array
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

#define F(NAME)                                                                \
  static void NAME(int n, int m, long s, const int *restrict at,               \
                   double *restrict a, double *restrict b, double *restrict c)
#define EACH(i, n) for (long i = 0; i < n; ++i)
#define CLEAR EACH(i, n * m) a[i] = b[i] = 0;

// OFF-LABEL: plan for product (root)
// OFF-NOT: copy array
// OFF: in indexed of
// OFF-LABEL: plan for strides (root)
// OFF: retro-counter by-array 0

// PLAN-LABEL: plan for product (root)
// PLAN-NOT: in indexed of
// PLAN: cache copy %[[A:[0-9]+]] : ptr in slot
// PLAN: copy array at %{{.*}} before loop %[[NEST:[0-9]+]] for %{{[0-9]+}}
// PLAN-NEXT: copy array at %{{.*}} before loop %[[NEST]] for %{{[0-9]+}}
F(product) {
  EACH(i, n) EACH(j, m) {
    double sum = 0;
    EACH(k, n) sum += a[i * n + k] * b[j * n + k];
    c[i * m + j] = sum;
  }
  CLEAR
}
// Steps are what the program says, down as well; the last loop may not run.
// PLAN-LABEL: plan for strides (root)
// PLAN: copy array at %{{.*}} before loop
F(strides) {
  EACH(i, n) EACH(j, m) {
    double sum = c[i * m + j];
    EACH(k, n) sum += a[(n - 1 - k) * s + i] * b[(n - 1 - k) * s - j + m] * sum;
    c[i * m + j] = sum;
  }
  CLEAR
}
// Loads that are near each other read one range.
// PLAN-LABEL: plan for stencil (root)
// PLAN: copy array at %{{.*}} before loop %{{[0-9]+}} for %{{[0-9]+}} %{{[0-9]+}} %{{[0-9]+}}
F(stencil) {
  EACH(t, m) {
    for (int i = 1; i + 1 < n; ++i)
      b[i] = a[i - 1] * a[i] * a[i + 1];
    for (int i = 1; i + 1 < n; ++i)
      a[i] = a[i] + 0.1 * b[i];
  }
  EACH(i, n) c[i] = a[i];
  CLEAR
}
// The nest overwrites what it has read.
// PLAN-LABEL: plan for overwritten (root)
// PLAN-NOT: copy array
F(overwritten) {
  EACH(i, m) EACH(k, n - 1) a[k] = a[k] * a[k + 1] + a[k + 1];
  EACH(i, n) c[i] = a[i];
  CLEAR
}
// How often the inner loop runs is looked up.
// PLAN-LABEL: plan for looked_up (root)
// PLAN-NOT: before loop
F(looked_up) {
  EACH(i, n) {
    double sum = 0;
    EACH(k, at[i]) sum += a[k * n + i] * b[k * n + i];
    c[i] = sum;
  }
  CLEAR
}
// There are many numbers between two that are read.
// PLAN-LABEL: plan for column (root)
// PLAN-NOT: copy array
F(column) {
  EACH(i, n) c[i] = a[i * m] * b[i * m];
  CLEAR
}
// Not each iteration reads.
// PLAN-LABEL: plan for some (root)
// PLAN-NOT: copy array
F(some) {
  EACH(i, n) {
    double sum = 0;
    EACH(k, m) if (at[k]) sum += a[k] * b[k];
    c[i] = sum;
  }
  CLEAR
}
// Arrays of a caller may overlap: the program looks, and runs one of two nests.
// PLAN-LABEL: plan for network (root)
// PLAN: in indexed of loop
// PLAN: copy array at %{{.*}} before loop
struct Layer {
  double *in, *weight, *out;
};
__attribute__((noinline)) static void multiply(double *out, const double *in,
                                               const double *weight, int n) {
  EACH(i, n) EACH(j, n) {
    double sum = 0;
    EACH(k, n) sum += in[i * n + k] * weight[j * n + k];
    out[i * n + j] = sum;
  }
}
static void network(struct Layer *l, int layers, int n) {
  EACH(i, layers) multiply(l[i].out, l[i].in, l[i].weight, n);
}
// PLAN: retro-counter by-array {{[1-9]}}

enum { Size = 12, All = Size * Size };
typedef void Function(int, int, long, const int *, double *, double *, double *);
void gradient(Function *f, int n, int m, long s) {
  static double x[3][All], dx[3][All];
  int at[Size];
  EACH(i, Size) at[i] = i % (n > 0 ? n : 1);
  EACH(i, All) EACH(k, 3) {
    x[k][i] = 0.1 * (k + 1) + 0.01 * ((i * 7 + k) % 13);
    dx[k][i] = k == 2 ? 0.1 * (i % 5) : 0;
  }
#define REQUEST(OF)                                                            \
  if (f == OF)                                                                 \
    __enzyme_autodiff((void *)OF, n, m, s, enzyme_const, at, enzyme_dup, x[0], \
                      dx[0], enzyme_dup, x[1], dx[1], enzyme_dup, x[2],        \
                      dx[2]);
  REQUEST(product)
  REQUEST(strides)
  REQUEST(stencil)
  REQUEST(overwritten)
  REQUEST(looked_up)
  REQUEST(column)
  REQUEST(some)
  EACH(k, 3) EACH(i, All) printf("%a%c", dx[k][i], i % 12 == 11 ? '\n' : ' ');
}
void ofNetwork(int n, int layers, int overlap) {
  double *x = malloc(sizeof(double) * 4000), *dx = calloc(4000, sizeof *dx);
  struct Layer l[4], dl[4];
  EACH(i, 4000) x[i] = 0.05 + 0.001 * (i * 7 % 31);
  EACH(i, 4) {
    double *of[] = {x, dx};
    EACH(k, 2) {
      struct Layer *to = k ? &dl[i] : &l[i];
      to->in = of[k] + i * All;
      to->weight = of[k] + 2000 + i * All;
      to->out = of[k] + (i + 1) * All - (overlap ? n * n / 2 : 0);
    }
  }
  EACH(i, n * n) dl[layers - 1].out[i] = 1 + i % 3;
  __enzyme_autodiff((void *)network, enzyme_dup, l, dl, layers, n);
  EACH(i, 4000) printf("%a%c", dx[i], i % 12 == 11 ? '\n' : ' ');
  printf("\n");
  free(x);
  free(dx);
}
#ifdef MAIN
int main() {
  Function *const all[] = {product, strides, stencil, overwritten, looked_up, column, some};
  EACH(f, 7) {
    gradient(all[f], 4, 3, 2);
    gradient(all[f], 5, 2, 1);
    gradient(all[f], 1, 5, 1);
    gradient(all[f], 0, 3, 1);
    gradient(all[f], 3, 0, 1);
    gradient(all[f], -1, 3, 1);
  }
  EACH(n, 8) {
    ofNetwork(n, 3, 0);
    ofNetwork(n, 3, 1);
  }
  // RESULT: 0x
  return 0;
}
#endif
