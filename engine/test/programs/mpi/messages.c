// MPI: 3
// NOT-SANITIZED: the MPI library has leaks of its own
// SOURCES: counters.c
// The derivative has one message for each of the primal that has numbers in it,
// and waits for others in no other way.
#include "across.h"

struct counts {
  double sends, receives, collectives, barriers;
};
static struct counts look(void) {
  struct counts c = {total((double)sends), total((double)receives),
                     total((double)collectives), total((double)barriers)};
  sends = receives = collectives = barriers = 0;
  return c;
}

static int right, left;

/// Per process: 4 sends of numbers and 4 receives, in all ways.
static void messages(const double *x, double *y) {
  double in[4][N];
  MPI_Request r[5];
  MPI_Irecv(in[0], N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(in[1], N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Irecv(in[2], N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(x, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[3]);
  MPI_Isend(x, N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &r[4]);
  MPI_Send(x, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
  MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
  if (rank == 0)
    MPI_Send(x, N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
  MPI_Recv(in[3], N, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank)
    MPI_Send(in[3], N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = in[0][i] * in[1][i] + in[2][i] * in[3][i];
}

/// Integers, nothing, and nobody: no derivative.
static void others(const double *x, double *y) {
  int n = rank, m;
  double none;
  MPI_Request r;
  MPI_Irecv(&m, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r);
  MPI_Send(&n, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Send(x, 0, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
  MPI_Recv(&none, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&n, &m, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = x[i] * m;
}

/// 13 of them.
static void together(const double *x, double *y) {
  double a[4 * N] = {0}, b[4 * N] = {0}, c[4 * N] = {0};
  for (int i = 0; i < 4 * N; ++i)
    a[i] = x[i % N] * (i + 1);
  int one[4] = {1, 1, 1, 1}, at[4] = {0, 1, 2, 3};
  MPI_Comm all = MPI_COMM_WORLD;
  MPI_Datatype t = MPI_DOUBLE;
  MPI_Bcast(a, 2, t, 0, all);
  MPI_Reduce(a, b, N, t, MPI_SUM, 0, all);
  MPI_Allreduce(b, c, N, t, MPI_MAX, all);
  MPI_Allreduce(a, b, N, t, MPI_PROD, all);
  MPI_Scan(a, b + N, 2, t, MPI_SUM, all);
  MPI_Gather(c, 2, t, b, 2, t, 1, all);
  MPI_Scatter(b, 2, t, c, 2, t, 1, all);
  MPI_Allgather(c, 2, t, b, 2, t, all);
  MPI_Alltoall(b, 2, t, c, 2, t, all);
  MPI_Gatherv(c, 1, t, a, one, at, t, 0, all);
  MPI_Alltoallv(c, one, at, t, b, one, at, t, all);
  MPI_Reduce_scatter_block(a, b, 2, t, MPI_SUM, all);
  MPI_Reduce(a, c, 2, t, MPI_MIN, 0, all);
  for (int i = 0; i < N; ++i)
    y[i] = a[i] + b[i] * c[i];
}

#define COUNTS(f, Sends, Collectives, Barriers, Of)                            \
  do {                                                                         \
    double x[N], dx[N] = {0}, y[N] = {0}, w[N], z[N] = {0}, dz[N] = {0};       \
    for (int i = 0; i < N; ++i)                                                \
      x[i] = input(i), w[i] = weight(i);                                       \
    look();                                                                    \
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, dx, enzyme_dup, y, w);    \
    struct counts reverse = look();                                            \
    __enzyme_fwddiff_void((void *)f, enzyme_dup, x, dx, enzyme_dup, z, dz);    \
    struct counts forward = look();                                            \
    NEAR(reverse.sends, (Sends) * size, 0);                                    \
    NEAR(reverse.receives, (Sends) * size, 0);                                 \
    NEAR(reverse.collectives, (Collectives) * size, 0);                        \
    NEAR(reverse.barriers, (Barriers) * size, 0);                              \
    NEAR(forward.sends, (Sends) * size, 0);                                    \
    NEAR(forward.receives, (Sends) * size, 0);                                 \
    NEAR(forward.collectives, (Collectives) * size - (Of) * size, 0);          \
    NEAR(forward.barriers, (Barriers) * size, 0);                              \
  } while (0)

int main(int argc, char **argv) {
  begin(&argc, &argv);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  COUNTS(messages, 8, 0, 0, 0);
  COUNTS(others, 2, 1, 1, 0);
  // Extrema travel with their tangents: one call.
  COUNTS(together, 0, 26, 0, 2);
  TRY(messages);
  TRY(others);
  TRY(together);
  return end();
}
