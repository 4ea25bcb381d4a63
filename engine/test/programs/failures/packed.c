// MPI: 1
// Packed bytes that are moved by something else than a message have lost what
// is known of them. The derivative does not go on without it.
#include <mpi.h>
#include <string.h>

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double moved(const double *x) {
  char bytes[16], other[16];
  double y;
  int at = 0;
  MPI_Pack(x, 1, MPI_DOUBLE, bytes, 16, &at, MPI_COMM_WORLD);
  memcpy(other, bytes, sizeof other);
  at = 0;
  MPI_Unpack(other, 16, &at, &y, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  return y * y;
}

int main(int argc, char **argv) {
  double x = 3, dx = 0;
  MPI_Init(&argc, &argv);
  __enzyme_autodiff((void *)moved, enzyme_dup, &x, &dx);
  MPI_Finalize();
  return 0;
}
