// Threads that send the same array: what comes back would be added to one
// shadow at the same time.
// REQUIRES: mpi
// RUN: not %retro-clang -O1 -g -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
#include "openmpi.h"
#include "request.h"

void f(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    // CHECK: parallel-mpi.c:[[@LINE+1]]:5: error: cannot differentiate what other threads compute ('MPI_Send') [retro-parallel]
    MPI_Send(x, n, MPI_DOUBLE, i, i, MPI_COMM_WORLD);
}
void r(double *x, double *dx, int n) { __enzyme_autodiff_void((void *)f, x, dx, n); }
