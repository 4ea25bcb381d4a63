// neighbours: where the adjoint of a nest would add the same to the next and to
// the prior place of a grid, each place adds what its neighbours would have
// given, and all seeds are set to zero behind the nest; without it, it adds to
// each neighbour, and sets each seed to zero where it is read.
// RUN: %retro-clang -O1 -S -emit-llvm %s -o %t.ll -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=COUNT %s
// RUN: FileCheck --check-prefix=ON --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=BEHIND --input-file=%t.ll %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -mllvm -retro-print-counters -mllvm -retro-neighbours=0 2>&1 | FileCheck --check-prefix=OFF %s
// COUNT: retro-counter neighbours 4

// The nest has one store: to u's shadow, at the place itself.
// ON-LABEL: define {{.*}} @gradient_diffuse(
// ON-SAME: ptr %[[U:[0-9]+]], ptr noalias %[[SEEDS:[0-9]+]])
// ON: getelementptr {{.*}}, ptr %[[SEEDS]], i64 %[[PLACE:[0-9]+]]
// ON-NOT: store
// ON: %[[TO:[0-9]+]] = getelementptr {{.*}}, ptr %[[U]], i64 %[[PLACE]]
// ON-NOT: store
// ON: store double %{{[0-9]+}}, ptr %[[TO]]
// ON-NOT: store
// ON: br i1

// BEHIND-LABEL: define {{.*}} @gradient_diffuse(
// BEHIND-SAME: ptr noalias %[[SEEDS:[0-9]+]])
// BEHIND-NOT: store double 0.0
// BEHIND: call void @llvm.memset{{.*}}(ptr {{.*}}%[[SEEDS]], i8 0, i64 %
// BEHIND-NOT: store double 0.0
// BEHIND: {{^}$}}

// OFF: retro-counter neighbours 0
// OFF-LABEL: define {{.*}} @gradient_diffuse(
// OFF-SAME: ptr noalias %[[SEEDS:[0-9]+]])
// OFF-NOT: call void @llvm.memset{{.*}}%[[SEEDS]],
// OFF: store double 0.0
// OFF-COUNT-5: store double
double __enzyme_autodiff(void *, ...);
double sin(double), exp(double);

#define ABOVE(a, b) ((a) > (b) ? (a) : (b))
#define BELOW(a, b) ((a) < (b) ? (a) : (b))
int size;

static void diffuse(const double *restrict u, double *restrict out) {
  const int n = size;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out[i * n + j] = 0.2 * (u[ABOVE(i - 1, 0) * n + j] +
                              u[BELOW(i + 1, n - 1) * n + j] +
                              u[i * n + ABOVE(j - 1, 0)] +
                              u[i * n + BELOW(j + 1, n - 1)]) +
                       sin(u[i * n + j]) * exp(u[i * n + j]);
}

void gradient(double *u, double *du, double *out, double *dout) {
  __enzyme_autodiff((void *)diffuse, u, du, out, dout);
}
