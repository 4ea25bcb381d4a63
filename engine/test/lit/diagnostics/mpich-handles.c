// A program that was compiled for MPICH: its messages of numbers are refused, each at its line. What holds none may stand.
// REQUIRES: mpi
// RUN: not %retro-clang -O1 -g -DMESSAGE='MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)' -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O1 -g -DMESSAGE='MPI_Send(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD)' -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O1 -g -DMESSAGE='MPI_Isend(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request)' -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O1 -g -DMESSAGE='y[0] = x[0]' -c %s -o /dev/null
#include "mpich.h"
#include "request.h"

void f(double *x, double *y) {
  int rank;
  MPI_Request request;
  (void)request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: mpich-handles.c:[[@LINE+1]]:3: error: cannot differentiate 'MPI_{{[A-Za-z]+}}': the program is compiled for another library than OpenMPI
  MESSAGE;
  y[0] *= rank;
}
void r(double *x, double *dx, double *y, double *dy) { __enzyme_autodiff_void((void *)f, x, dx, y, dy); }
