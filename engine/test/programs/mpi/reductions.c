// MPI: 3
// NOT-SANITIZED: the MPI library has leaks of its own
// Every operation of every reduction; factors that are 0, extrema that several
// processes hold, pairs with an index.
#include "across.h"

static void sums(const double *x, double *y) {
  double mine[4 * N], r[N] = {0}, s[2], all[N];
  int counts[4];
  for (int i = 0; i < 4 * N; ++i)
    mine[i] = x[i % N] * x[i % N] * (i + 1);
  for (int k = 0; k < size; ++k)
    counts[k] = k + 1;
  MPI_Reduce(mine, r, N, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
  MPI_Allreduce(mine, all, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = r[i] * x[i] + all[i] * all[i];
  MPI_Reduce_scatter_block(mine, s, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[0] *= s[0] * s[1];
  MPI_Reduce_scatter(mine, r, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[1] *= r[rank];
  MPI_Scan(x, r, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(x, all, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += r[i] * x[i] + (rank ? all[i] * all[i] : 0);
}

static void products(const double *x, double *y) {
  double mine[4 * N], r[N] = {0}, s[2], all[N];
  for (int i = 0; i < 4 * N; ++i)
    mine[i] = x[i % N] + 0.1 * i;
  MPI_Reduce(mine, r, N, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD);
  MPI_Allreduce(mine, all, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(mine, s, 2, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = r[i] * x[i] + all[i] * s[i % 2];
  MPI_Scan(x, r, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Exscan(x, all, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += r[i] * x[i] + (rank ? all[i] * all[i] : 0);
}

/// One factor is 0, or two are: at the inputs, not near them.
static void zeros(const double *x, double *y) {
  double mine[3], r[3] = {0}, s[3], all[3];
  mine[0] = rank == 1 ? x[0] - input(0) : x[0];
  mine[1] = rank < 2 ? x[1] - input(1) : x[1];
  mine[2] = x[2];
  MPI_Reduce(mine, r, 3, MPI_DOUBLE, MPI_PROD, 2, MPI_COMM_WORLD);
  MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Scan(mine, s, 3, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = x[i] + r[i % 3] * x[0] + all[i % 3] + s[i % 3] * x[1];
}

static void extrema(const double *x, double *y) {
  double mine[4 * N], r[N] = {0}, s[2], all[N];
  for (int i = 0; i < 4 * N; ++i)
    mine[i] = sin(x[i % N] * (i + 1) + rank);
  MPI_Reduce(mine, r, N, MPI_DOUBLE, MPI_MIN, 1, MPI_COMM_WORLD);
  MPI_Allreduce(mine, all, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(mine, s, 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = r[i] * x[i] + all[i] * s[i % 2];
  MPI_Scan(mine, r, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Exscan(mine, all, N, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += r[i] * x[i] + (rank ? all[i] * all[i] : 0);
}

struct pair {
  double value;
  int index;
};
static void located(const double *x, double *y) {
  struct pair mine[N], best[N];
  for (int i = 0; i < N; ++i) {
    mine[i].value = cos(x[i] + rank);
    mine[i].index = rank;
  }
  MPI_Allreduce(mine, best, N, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = best[i].value * best[i].value * (1 + best[i].index);
  if (rank == 0) {
    MPI_Reduce(MPI_IN_PLACE, mine, N, MPI_DOUBLE_INT, MPI_MAXLOC, 0,
               MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i)
      y[i] += mine[i].value * x[i];
  } else {
    MPI_Reduce(mine, NULL, N, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
  }
}

static void in_place(const double *x, double *y) {
  double a[N], b[N], c[N], d[4 * N];
  for (int i = 0; i < N; ++i)
    a[i] = x[i] * x[i], b[i] = x[i] + rank, c[i] = sin(x[i] * (rank + 1));
  for (int i = 0; i < 4 * N; ++i)
    d[i] = x[i % N] * (i + 1);
  MPI_Allreduce(MPI_IN_PLACE, a, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, b, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, c, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = a[i] * b[i] * c[i];
  MPI_Scan(MPI_IN_PLACE, a, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, d, 2, MPI_DOUBLE, MPI_SUM,
                           MPI_COMM_WORLD);
  MPI_Reduce(rank == 1 ? MPI_IN_PLACE : b, rank == 1 ? b : NULL, N, MPI_DOUBLE,
             MPI_SUM, 1, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += a[i] * d[i % 2] + b[i] * x[i];
}

/// All at once, in order; the ends in another order on each process.
static void later(const double *x, double *y) {
  double a[N] = {0}, b[N], c[N], d[N] = {0}, e[2], f[N], g[N], mine[4 * N];
  MPI_Request r[6];
  for (int i = 0; i < 4 * N; ++i)
    mine[i] = x[i % N] + 0.1 * i + rank;
  for (int i = 0; i < N; ++i)
    g[i] = sin(x[i] * (rank + 1));
  MPI_Ireduce(x, a, N, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Iallreduce(mine, b, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD, &r[1]);
  MPI_Iallreduce(g, c, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &r[2]);
  MPI_Ireduce(g, d, N, MPI_DOUBLE, MPI_MIN, 2, MPI_COMM_WORLD, &r[3]);
  MPI_Ireduce_scatter_block(mine, e, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                            &r[4]);
  MPI_Iscan(x, f, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[5]);
  for (int k = 0; k < 6; ++k)
    MPI_Wait(&r[(k * (rank == 1 ? 5 : 1) + rank) % 6], MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = a[i] * a[i] + b[i] * c[i] + d[i] * e[i % 2] + f[i] * x[i];
}

/// Those that several processes hold: the lowest of them gets the adjoint.
static void ties(const double *x, double *y) {
  double all[2];
  double mine[2] = {rank == 0 ? x[0] - 100 : x[0] * 0 + 7 + x[1] * 0, x[2]};
  MPI_Allreduce(mine, all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  y[0] = all[0];
}
static void check_ties(void) {
  double x[N] = {0}, dx[N] = {0}, y[N] = {0}, dy[N] = {0};
  x[0] = 1, dy[0] = 1;
  x[3] = 5;
  __enzyme_autodiff_void((void *)ties, enzyme_dup, x, dx, enzyme_dup, y, dy);
  NEAR(y[0], 7, 0);
  NEAR(dx[0], 0, 0);
}
static void even(const double *x, double *y) {
  MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
}
static void check_even(void) {
  double x[N] = {2}, dx[N] = {0}, y[N] = {0}, dy[N] = {1};
  if (rank == 0)
    x[0] = 3;
  __enzyme_autodiff_void((void *)even, enzyme_dup, x, dx, enzyme_dup, y, dy);
  NEAR(y[0], 2, 0);
  NEAR(dx[0], rank == 1 ? size : 0, 0); // of 1 and 2, which hold the minimum
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  TRY(sums);
  TRY(products);
  TRY(zeros);
  TRY(extrema);
  TRY(located);
  TRY(in_place);
  TRY(later);
  check_ties();
  check_even();
  return end();
}
