// omp-hoist: what all threads and iterations would compute alike is computed
// before the team is forked, in the primal as it is differentiated, so in the
// gradient too; and the region is given values, not places of values.
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 -mllvm -retro-print-counters -mllvm -retro-omp-hoist=0 -mllvm -retro-omp-combine=0 2>&1 | FileCheck --check-prefix=OFF %s
#include "request.h"
// ON: retro-counter omp-hoist 5
// ON: define internal {{.*}}@augmented_normalize.omp_outlined.given(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}}, double
// ON-NOT: @llvm.fmuladd
// ON-NOT: atomicrmw
// ON: define internal {{.*}}@reverse_normalize.omp_outlined.given(
// ON-NOT: atomicrmw
// ON: define internal {{.*}}@gradient_normalize(
// ON: @llvm.fmuladd
// ON: call {{.*}}@__retro_fork_forward
// OFF: retro-counter omp-hoist 0
// OFF: define internal {{.*}}@augmented_normalize.omp_outlined(
// OFF: @llvm.fmuladd
// OFF: define internal {{.*}}@reverse_normalize.omp_outlined(
// OFF: atomicrmw fadd
// OFF: define internal {{.*}}@gradient_normalize(
// OFF-NOT: @llvm.fmuladd
// OFF: call {{.*}}@__retro_fork_forward
__attribute__((noinline)) static double norm(const double *in, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += in[i] * in[i];
  return sqrt(s);
}
void normalize(double *restrict out, const double *restrict in, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    out[i] = in[i] / norm(in, n);
}
void all(double *in, double *din, double *out, double *dout, long n) {
  __enzyme_autodiff_void((void *)normalize, out, dout, in, din, n);
}
