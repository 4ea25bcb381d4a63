// MPI: 3
// NOT-SANITIZED: the MPI library has leaks of its own
// What moves numbers between all processes, with blocks of one size and of
// several, in place and not, at once and later.
#include "across.h"

static int counts[4], places[4], all_of_them;

static void broadcast(const double *x, double *y) {
  double b[N];
  for (int i = 0; i < N; ++i)
    b[i] = x[i] * x[i];
  MPI_Bcast(b, N, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = b[i] * x[i];
  MPI_Request r;
  MPI_Ibcast(y, 2, MPI_DOUBLE, 2, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] *= y[1];
}

static void gathered(const double *x, double *y) {
  double all[4 * N] = {0}, back[N];
  MPI_Gather(x, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  if (rank == 1)
    for (int i = 0; i < 2 * size; ++i)
      all[i] *= all[i] * (i + 1);
  MPI_Scatter(all, 2, MPI_DOUBLE, back, 2, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = back[i % 2] * x[i];
}

static void gathered_in_place(const double *x, double *y) {
  double all[4 * N] = {0}, mine[2];
  mine[0] = x[0] * x[1], mine[1] = x[2];
  if (rank == 0) {
    all[0] = mine[0], all[1] = mine[1];
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
    for (int i = 0; i < 2 * size; ++i)
      all[i] *= all[i];
    MPI_Scatter(all, 2, MPI_DOUBLE, MPI_IN_PLACE, 2, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    mine[0] = all[0] + all[3], mine[1] = all[1];
  } else {
    MPI_Gather(mine, 2, MPI_DOUBLE, NULL, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(NULL, 0, MPI_DOUBLE, mine, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < N; ++i)
    y[i] = mine[i % 2] * x[i];
}

static void varied(const double *x, double *y) {
  double all[4 * N] = {0}, back[N] = {0};
  MPI_Gatherv(x, counts[rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < all_of_them; ++i)
      all[i] = sin(all[i]) * (i + 1);
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, back, counts[rank], MPI_DOUBLE,
               0, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = back[i] * back[i] + x[i];
}

static void shared(const double *x, double *y) {
  double all[4 * N] = {0}, more[4 * N] = {0};
  MPI_Allgather(x, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Allgatherv(x, counts[rank], MPI_DOUBLE, more, counts, places, MPI_DOUBLE,
                 MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = all[i % (2 * size)] * more[places[i % size]] * x[i];
  for (int i = 0; i < counts[rank]; ++i)
    more[places[rank] + i] *= y[i];
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, more, counts, places, MPI_DOUBLE,
                 MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += more[i % all_of_them] * more[i % all_of_them];
}

static void transposed(const double *x, double *y) {
  double in[N], out[N];
  int sent[4], from[4], got[4], to[4];
  for (int i = 0; i < N; ++i)
    out[i] = x[i] * x[i], in[i] = x[i];
  MPI_Alltoall(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = in[i] * x[i];
  for (int k = 0; k < size; ++k) {
    sent[k] = 1 + (rank + k) % 2, from[k] = k ? from[k - 1] + sent[k - 1] : 0;
    got[k] = sent[k], to[k] = from[k];
  }
  MPI_Alltoallv(y, sent, from, MPI_DOUBLE, out, got, to, MPI_DOUBLE,
                MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = y[i] * 0.5 + out[i] * out[i];
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DOUBLE, y, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  y[0] *= y[1];
}

/// Begun together, in one order; waited for in another one on each process.
static void later(const double *x, double *y) {
  double all[4 * N] = {0}, swapped[N], part[2] = {0}, b[2], sum[N];
  double more[4 * N] = {0};
  MPI_Request r[6];
  b[0] = x[0] * rank, b[1] = x[1];
  MPI_Iallgather(x, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, MPI_COMM_WORLD, &r[0]);
  MPI_Ialltoall(x, 2, MPI_DOUBLE, swapped, 2, MPI_DOUBLE, MPI_COMM_WORLD,
                &r[1]);
  MPI_Ibcast(b, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[2]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[3]);
  MPI_Iallreduce(x, sum, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[4]);
  MPI_Igatherv(x, counts[rank], MPI_DOUBLE, more, counts, places, MPI_DOUBLE, 2,
               MPI_COMM_WORLD, &r[5]);
  for (int k = 0; k < 6; ++k) {
    int which = (k * (rank == 1 ? 5 : 1) + rank) % 6;
    MPI_Wait(&r[which], MPI_STATUS_IGNORE);
    if (which == 1)
      for (int i = 0; i < N; ++i)
        swapped[i] *= x[i];
    if (which == 4)
      for (int i = 0; i < N; ++i)
        sum[i] *= sum[i];
  }
  MPI_Iscatter(more, 2, MPI_DOUBLE, part, 2, MPI_DOUBLE, 2, MPI_COMM_WORLD,
               &r[0]);
  MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = all[i % (2 * size)] * swapped[i] + b[i % 2] * sum[i] +
           part[i % 2] * x[i];
}

/// A part of the processes, and a grid of them.
static void parts(const double *x, double *y) {
  MPI_Comm half, grid;
  double sum[N];
  int one = size, wraps = 1, low, high;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Allreduce(x, sum, N, MPI_DOUBLE, MPI_SUM, half);
  for (int i = 0; i < N; ++i)
    y[i] = sum[i] * sum[i] * x[i];
  MPI_Comm_free(&half);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &wraps, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &low, &high);
  MPI_Sendrecv_replace(y, N, MPI_DOUBLE, high, 0, low, 0, grid,
                       MPI_STATUS_IGNORE);
  MPI_Comm_free(&grid);
  for (int i = 0; i < N; ++i)
    y[i] *= y[i];
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int k = 0; k < size; ++k) {
    counts[k] = k + 1, places[k] = all_of_them + k; // with gaps
    all_of_them += k + 1;
  }
  all_of_them += size - 1;
  TRY(broadcast);
  TRY(gathered);
  TRY(gathered_in_place);
  TRY(varied);
  TRY(shared);
  TRY(transposed);
  TRY(later);
  TRY(parts);
  return end();
}
