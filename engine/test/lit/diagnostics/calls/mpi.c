// What of message passing has no derivative is refused.
// REQUIRES: mpi
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "openmpi.h"
#include "request.h"

double bytes(double *x) {
  // CHECK: mpi.c:[[@LINE+1]]:3: error: cannot differentiate 'MPI_Send': active numbers are passed as bytes; give their datatype [retro-mpi]
  MPI_Send(x, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  return x[0] * x[0];
}
double r1(double *x, double *dx) { return __enzyme_autodiff((void *)bytes, x, dx); }

double one_sided(double *x, MPI_Win w) {
  // CHECK: mpi.c:[[@LINE+1]]:3: error: no derivative is known for the function 'MPI_Put' [retro-no-derivative]
  MPI_Put(x, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, w);
  return x[0];
}
double r2(double *x, double *dx, MPI_Win w) {
  return __enzyme_autodiff((void *)one_sided, enzyme_dup, x, dx, enzyme_const, w);
}

double lanes(double *x) {
  double sum;
  // CHECK: mpi.c:[[@LINE+1]]:3: error: vector mode with messages between processes is not supported yet [retro-unsupported-mode]
  MPI_Allreduce(x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
extern int enzyme_width;
void r3(double *x, double *a, double *b) {
  __enzyme_fwddiff((void *)lanes, enzyme_width, 2, enzyme_dup, x, a, b);
}
