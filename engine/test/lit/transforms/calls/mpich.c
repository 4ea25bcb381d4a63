// A program for MPICH: its handles are numbers, and its calls become those of the runtime for that library, the wait's too, though that
// has no handle among its operands.
// REQUIRES: mpich
// RUN: %retro-clang -O1 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=__retro_openmpi
#include "mpich.h"
#include "request.h"

// CHECK-LABEL: define internal {{.*}}@gradient_f(ptr {{.*}}%0, ptr {{.*}}%1)
// CHECK: call i32 @__retro_mpich_allreduce(ptr {{.*}}, ptr {{.*}}, i32 {{.*}}1, i32 {{.*}}1275070475, i32 {{.*}}1476395011, i32 {{.*}}1140850688, ptr {{.*}}, ptr {{.*}}, ptr {{.*}})
// CHECK: call i32 @MPI_Barrier(
// CHECK: call i32 @MPI_Allreduce(ptr {{.*}}, ptr {{.*}}, i32 {{.*}}1, i32 {{.*}}1275069445,
// CHECK: call i32 @__retro_mpich_irecv(ptr {{.*}}%0, {{.*}}, ptr {{.*}}%1, ptr
// CHECK: call i32 @__retro_mpich_wait(ptr
// CHECK: call void @__retro_mpich_reverse(ptr
// CHECK: call void @__retro_mpich_reverse(ptr
// CHECK: call void @__retro_mpich_reverse(ptr
// CHECK: {{^}}}
static double f(double *x) {
  double mine = x[0] * x[1], all;
  int n = 1, sum;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
  MPI_Request r;
  MPI_Irecv(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return all * sum * x[0];
}
void reverse(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }

// What is the sum in place has no buffer of its own to send.
// CHECK-LABEL: define internal {{.*}}@gradient_in_place(
// CHECK: call i32 @__retro_mpich_allreduce(ptr {{.*}}inttoptr (i64 -1 to ptr), ptr {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, ptr {{(noundef )?}}null, ptr {{.*}}%1, ptr
static void in_place(double *x) { MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
void reduced(double *x, double *dx) { __enzyme_autodiff_void((void *)in_place, x, dx); }
