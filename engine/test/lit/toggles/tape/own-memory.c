// own-memory: memory that the differentiated code allocates and that nobody else
// sees lies on the tape, with its shadow, and is not freed. Not where the caller
// gets it, another function may keep it or free it, or it is more aligned than
// the tape.
// RUN: %retro-clang -O1 -g0 %s -S -emit-llvm -o %t.ll -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.ll
// RUN: %retro-clang -O1 -g0 %s -S -emit-llvm -o - -mllvm -retro-own-memory=0 | FileCheck --check-prefix=OFF %s
// RUN: %retro-clang -O1 -g0 %s -S -emit-llvm -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void keep(double *);

// NUMBER: retro-counter own-memory 1
// PLAN: plan for own
// PLAN: on the tape: memory of class
// PLAN: plan for given
// PLAN-NOT: on the tape:
// ON-LABEL: define internal {{.*}}@gradient_own(
// ON-NOT: @malloc
// ON-NOT: @__retro_defer_free
// ON: ret
// OFF-LABEL: define internal {{.*}}@gradient_own(
// OFF: @malloc
// OFF: @__retro_defer_free
// OFF: ret
static double own(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double *squares = malloc(n * sizeof(double));
    for (int j = 0; j < n; ++j)
      squares[j] = x[j] * x[i];
    for (int j = 1; j < n; ++j)
      sum += squares[j] * squares[j - 1];
    free(squares);
  }
  return sum;
}

struct box {
  double *content;
};
// ON-LABEL: define internal {{.*}}@gradient_given(
// ON: @malloc
// ON: ret
static double given(const double *x, struct box *b) {
  double *fresh = malloc(2 * sizeof(double));
  fresh[0] = x[0] * x[1];
  fresh[1] = x[1];
  b->content = fresh;
  return fresh[0] * fresh[1];
}

// ON-LABEL: define internal {{.*}}@gradient_aligned(
// ON: @aligned_alloc
// ON: ret
static double aligned(const double *x, int n) {
  double *p = aligned_alloc(64, 64);
  p[0] = x[0] * x[1];
  p[n] = x[1];
  double product = p[0] * p[1];
  free(p);
  return product;
}

double gradients(const double *x, double *dx, int n, struct box *b,
                 struct box *db) {
  return __enzyme_autodiff((void *)own, enzyme_dup, x, dx, enzyme_const, n) +
         __enzyme_autodiff((void *)given, enzyme_dup, x, dx, enzyme_dup, b,
                           db) +
         __enzyme_autodiff((void *)aligned, enzyme_dup, x, dx, enzyme_const, n);
}
