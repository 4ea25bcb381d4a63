// What the programs of several processes share. A function of each process's
// N numbers to its N numbers is differentiated in both modes, and the slope of
// the weighted sum of all results along one direction of all inputs is compared
// with differences: it can be right only if every part is.
#ifndef RETROGRADE_TEST_PROGRAMS_ACROSS_H
#define RETROGRADE_TEST_PROGRAMS_ACROSS_H

#include "../check.h"

#include <mpi.h>

enum { N = 6 };
typedef void function(const double *x, double *y);

/// Calls since the last look, of all processes (counters.c).
extern long sends, receives, collectives, barriers;

static int rank, size;

static UNUSED double input(int i) {
  return 1.3 + sin(1 + 0.7 * (rank * N + i));
}
static UNUSED double direction(int i) { return cos(0.4 * (rank * N + i)); }
static UNUSED double weight(int i) { return 1 + sin(0.3 * (rank * N + i)); }

static UNUSED double total(double mine) {
  double all;
  PMPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static UNUSED double weighted(function *f, double h) {
  double x[N], y[N] = {0}, sum = 0;
  for (int i = 0; i < N; ++i)
    x[i] = input(i) + h * direction(i);
  f(x, y);
  for (int i = 0; i < N; ++i)
    sum += weight(i) * y[i];
  return total(sum);
}

static UNUSED double difference(function *f) {
  const double factor[3] = {45. / 60, -9. / 60, 1. / 60}, h = 1e-3;
  double sum = 0;
  for (int k = 1; k <= 3; ++k)
    sum += factor[k - 1] * (weighted(f, k * h) - weighted(f, -k * h));
  return sum / h;
}

/// One function: forward mode, reverse mode and the primal in both.
static UNUSED void compare(int line, double want, const double *dx,
                           const double *dy, const double *y1, const double *y2,
                           const double *y) {
  double reverse = 0, forward = 0;
  for (int i = 0; i < N; ++i) {
    reverse += dx[i] * direction(i);
    forward += dy[i] * weight(i);
    near_at(line, "the primal in reverse mode", y1[i], y[i], 1e-14);
    near_at(line, "the primal in forward mode", y2[i], y[i], 1e-14);
  }
  near_at(line, "reverse mode", total(reverse), want, 1e-8);
  near_at(line, "forward mode", total(forward), want, 1e-8);
}

#define TRY(f)                                                                 \
  do {                                                                         \
    double x[N], dx[N] = {0}, v[N], y[N] = {0}, w[N], z[N] = {0}, dz[N] = {0}, \
                 plain[N] = {0};                                               \
    for (int i = 0; i < N; ++i)                                                \
      x[i] = input(i), v[i] = direction(i), w[i] = weight(i);                  \
    double slope_ = difference(f);                                             \
    f(x, plain);                                                               \
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, dx, enzyme_dup, y, w);    \
    __enzyme_fwddiff_void((void *)f, enzyme_dup, x, v, enzyme_dup, z, dz);     \
    compare(__LINE__, slope_, dx, dz, y, z, plain);                            \
  } while (0)

static UNUSED void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static UNUSED int end(void) {
  int bad = finish();
  MPI_Finalize();
  return bad;
}

#endif
