// Of MPICH's operations, which are numbers, six have derivatives.
// REQUIRES: mpich
// RUN: not %retro-clang -O1 -g -DOP=MPI_BAND -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O1 -g -DOP=op -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O1 -g -DOP=MPI_SUM -c %s -o /dev/null
#include "mpich.h"
#include "request.h"

void largest(void *, void *, int *, MPI_Datatype *);

void f(double *x, double *y) {
  MPI_Op op;
  MPI_Op_create(largest, 1, &op);
  // CHECK: mpich-operation.c:[[@LINE+1]]:3: error: cannot differentiate 'MPI_Allreduce': the operation of the reduction is not MPI_SUM
  MPI_Allreduce(x, y, 1, MPI_DOUBLE, OP, MPI_COMM_WORLD);
}
void r(double *x, double *dx, double *y, double *dy) { __enzyme_autodiff_void((void *)f, x, dx, y, dy); }
