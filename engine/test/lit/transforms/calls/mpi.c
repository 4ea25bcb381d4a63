// Each call that passes numbers becomes one of the runtime, with the shadows of
// its buffers and a place for its tape; its adjoint takes that. Other calls stay.
// REQUIRES: mpi
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - -mllvm -retro-print-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAN
#include "openmpi.h"
#include "request.h"

// CHECK-LABEL: define internal {{.*}}@gradient_f(ptr {{.*}}%0, ptr {{.*}}%1)
// CHECK: call i32 @__retro_openmpi_allreduce(ptr {{.*}}, ptr {{.*}}, i32 {{.*}}1, ptr {{.*}}@ompi_mpi_double, ptr {{.*}}@ompi_mpi_op_sum, ptr {{.*}}@ompi_mpi_comm_world, ptr {{.*}}, ptr {{.*}}, ptr {{.*}})
// CHECK: call i32 @MPI_Barrier(
// CHECK: call i32 @MPI_Allreduce(ptr {{.*}}, ptr {{.*}}, i32 {{.*}}1, ptr {{.*}}@ompi_mpi_int,
// CHECK: call i32 @__retro_openmpi_send(ptr {{.*}}%0, i32 {{.*}}4, {{.*}}, ptr {{.*}}%1, ptr
// CHECK-NOT: @MPI_Barrier
// CHECK: call void @__retro_openmpi_reverse(ptr
// CHECK-NOT: @MPI_Barrier
// CHECK: call void @__retro_openmpi_reverse(ptr
// CHECK-NOT: @MPI_Barrier
// CHECK: {{^}}}
static double f(double *x) {
  double mine = x[0] * x[1], all;
  int n = 1, sum;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  return all * sum;
}
void reverse(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }

// In forward mode there is no tape.
// CHECK-LABEL: define internal {{.*}}@tangent_of_f(
// CHECK: call i32 @__retro_openmpi_allreduce({{.*}}, ptr {{(noundef )?}}null)
// CHECK: call i32 @__retro_openmpi_send({{.*}}%1, ptr {{(noundef )?}}null)
// CHECK-NOT: @__retro_openmpi_reverse
// CHECK: {{^}}}
double forward(double *x, double *dx) { return __enzyme_fwddiff((void *)f, x, dx); }

// What is received may be there only after the wait: x[0] of before cannot be
// read again. The shadow of constant memory is not asked for.
// PLAN: plan for late
// PLAN: cache value %{{[0-9]+}} : double in slot
static double late(double *x, double *constant) {
  MPI_Request r;
  double before = x[0] * x[0] * x[0];
  MPI_Irecv(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Send(constant, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  return before;
}
// CHECK-LABEL: define internal {{.*}}@gradient_late(ptr {{.*}}%0, ptr {{.*}}%1, ptr {{.*}}%2)
// CHECK: call i32 @__retro_openmpi_irecv(ptr {{.*}}%0, {{.*}}, ptr {{.*}}%2, ptr
// CHECK: call i32 @__retro_openmpi_wait(ptr {{.*}}, ptr {{(noundef )?}}null, ptr
// CHECK: call i32 @__retro_openmpi_send(ptr {{.*}}%1, {{.*}}, ptr {{(noundef )?}}null, ptr
void received(double *x, double *dx, double *c) {
  __enzyme_autodiff((void *)late, enzyme_dup, x, dx, enzyme_const, c);
}
