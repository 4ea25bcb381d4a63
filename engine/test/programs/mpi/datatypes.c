// MPI: 2
// NOT-SANITIZED: the MPI library has leaks of its own
// Messages of derived datatypes: numbers with gaps, of two types, beside
// integers; complex numbers, floats and long doubles.
#include "across.h"

#include <stddef.h>

struct cell {
  int id;
  double value;
  float slope[2];
};
static MPI_Datatype cell_type, column, scattered, corner, pairs;

static void structs(const double *x, double *y) {
  struct cell out[2], in[2];
  for (int i = 0; i < 2; ++i) {
    out[i].id = 10 * rank + i;
    out[i].value = x[i] * x[i];
    out[i].slope[0] = (float)(i + 1);
    out[i].slope[1] = 2;
  }
  MPI_Sendrecv(out, 2, cell_type, 1 - rank, 0, in, 2, cell_type, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = in[i % 2].value * x[i] * in[i % 2].id + in[0].slope[1] * x[0];
}

static void strided(const double *x, double *y) {
  double a[4][N], in[N], b[N];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < N; ++i)
      a[k][i] = x[i] * (k + 1);
  for (int i = 0; i < N; ++i)
    in[i] = b[i] = x[i];
  MPI_Sendrecv(&a[0][1], 1, column, 1 - rank, 0, in, 4, MPI_DOUBLE, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(x, 1, scattered, 1 - rank, 0, b, 1, scattered, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = in[i] * in[i] + b[i] * x[i];
  MPI_Sendrecv_replace(&a[0][0], 1, corner, 1 - rank, 0, 1 - rank, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < N; ++i)
      y[i] += a[k][i] * a[k][i];
}

static void several(const double *x, double *y) {
  double all[4 * N] = {0};
  MPI_Allgather(x, 1, pairs, all, 4, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = all[i] * all[i];
  MPI_Bcast(y, 1, pairs, 1, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] *= x[i];
}

static void wide(const double *x, double *y) {
  long double a[2] = {x[0] * x[1], x[2]}, b[2];
  double _Complex c = x[3] + x[4] * 1i, d;
  MPI_Allreduce(a, b, 2, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&c, &d, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = (double)(b[0] * b[1]) * x[i] + __real__ d * __imag__ d;
}

/// The datatype and the communicator are gone when the derivative returns.
static void gone(const double *x, double *y) {
  MPI_Datatype all;
  MPI_Request r[2];
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &all);
  MPI_Type_commit(&all);
  for (int i = 0; i < N; ++i)
    y[i] = x[i];
  MPI_Irecv(y, 1, all, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(x, 1, all, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Type_free(&all);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] *= y[i];
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int lengths[3] = {1, 1, 2}, places[2] = {0, 3}, blocks[2] = {2, 1};
  MPI_Aint at[3] = {offsetof(struct cell, id), offsetof(struct cell, value),
                    offsetof(struct cell, slope)};
  MPI_Datatype parts[3] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT}, bare;
  MPI_Type_create_struct(3, lengths, at, parts, &bare);
  // With what follows: the counts are not sent, and stay.
  MPI_Type_create_resized(bare, 0, sizeof(struct cell), &cell_type);
  MPI_Type_vector(4, 1, N, MPI_DOUBLE, &column);
  MPI_Type_indexed(2, blocks, places, MPI_DOUBLE, &scattered);
  int sizes[2] = {4, N}, sub[2] = {2, 3}, first[2] = {1, 2};
  MPI_Type_create_subarray(2, sizes, sub, first, MPI_ORDER_C, MPI_DOUBLE,
                           &corner);
  MPI_Type_create_hvector(2, 2, 3 * sizeof(double), MPI_DOUBLE, &pairs);
  MPI_Datatype *all[] = {&cell_type, &column, &scattered, &corner, &pairs};
  for (int i = 0; i < 5; ++i)
    MPI_Type_commit(all[i]);
  TRY(structs);
  TRY(strided);
  TRY(several);
  TRY(wide);
  TRY(gone);
  return end();
}
