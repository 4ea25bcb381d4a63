// neighbours, with a coefficient for each place: what a neighbour gives is the
// neighbour's seed times the neighbour's coefficient. Not if the nest changes
// the coefficients, or reads those of other places.
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters '-DBY=k[i * n + j]' 2>&1 | FileCheck --check-prefix=FOUR %s
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters '-DBY=(k[i * n + j] * k[i * n + j] + 2)' 2>&1 | FileCheck --check-prefix=FOUR %s
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters '-DBY=k[j * n + i]' 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %retro-clang -O1 -c %s -o %t.o -mllvm -retro-print-counters '-DBY=out[n * n + i * n + j]' 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - '-DBY=k[i * n + j]' | FileCheck --check-prefix=CODE %s
// FOUR: retro-counter neighbours 4
// NONE: retro-counter neighbours 0

// A product for each neighbour, and one store.
// CODE-LABEL: define {{.*}} @gradient_conduct(
// CODE-SAME: ptr %[[U:[0-9]+]], ptr noalias %[[SEEDS:[0-9]+]])
// CODE: call void @llvm.memset{{.*}}(ptr {{.*}}%[[SEEDS]], i8 0, i64 %
// CODE: call double @llvm.cos
// CODE: %[[TO:[0-9]+]] = getelementptr {{.*}}, ptr %[[U]], i64
// CODE-COUNT-4: fmul double
// CODE-NOT: store
// CODE: store double {{.*}}, ptr %[[TO]]
double __enzyme_autodiff(void *, ...);
double sin(double), exp(double);
extern int enzyme_const, enzyme_dup;

#define ABOVE(a, b) ((a) > (b) ? (a) : (b))
#define BELOW(a, b) ((a) < (b) ? (a) : (b))
int size;

static void conduct(const double *restrict u, const double *restrict k,
                    double *restrict out) {
  const int n = size;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      out[i * n + j] =
          BY * (u[ABOVE(i - 1, 0) * n + j] + u[BELOW(i + 1, n - 1) * n + j] +
                u[i * n + ABOVE(j - 1, 0)] + u[i * n + BELOW(j + 1, n - 1)]) +
          sin(u[i * n + j]) * exp(u[i * n + j]);
    }
}

void gradient(double *u, double *du, double *k, double *out, double *dout) {
  __enzyme_autodiff((void *)conduct, enzyme_dup, u, du, enzyme_const, k,
                    enzyme_dup, out, dout);
}
