// Handles that are pointers here and numbers there are of no library that is known.
// REQUIRES: mpi
// RUN: not %retro-clang -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

struct type;
extern struct type ompi_mpi_double;
int MPI_Send(const void *, int, struct type *, int, int, int);

void f(double *x) {
  // CHECK: mpi-declared.c:[[@LINE+1]]:3: error: cannot differentiate 'MPI_Send': it is declared neither as OpenMPI nor as MPICH declare it
  MPI_Send(x, 1, &ompi_mpi_double, 0, 0, 1);
}
void r(double *x, double *dx) { __enzyme_autodiff_void((void *)f, x, dx); }
