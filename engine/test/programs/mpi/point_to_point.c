// MPI: 3
// NOT-SANITIZED: the MPI library has leaks of its own
// Blocking messages in all modes, and those of which the receiver does not know
// where they come from.
#include "across.h"

static int right, left;

static void ring(const double *x, double *y) {
  double token[N];
  if (rank == 0) {
    for (int i = 0; i < N; ++i)
      token[i] = x[i] * x[i];
    MPI_Send(token, N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    MPI_Recv(token, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(token, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      token[i] *= x[i];
    MPI_Ssend(token, N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < N; ++i)
    y[i] = token[i] * x[i];
}

/// More is received than comes, and it is said how much did.
static void shorter(const double *x, double *y) {
  double in[2 * N];
  MPI_Status s;
  int n;
  for (int i = 0; i < 2 * N; ++i)
    in[i] = x[i % N];
  if (rank == 0)
    for (int to = 1; to < size; ++to)
      MPI_Send(x, to, MPI_DOUBLE, to, to, MPI_COMM_WORLD);
  else
    MPI_Recv(in, 2 * N, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
  for (int i = 0; i < N; ++i)
    y[i] = in[i] * in[i + 1];
  if (rank) {
    MPI_Get_count(&s, MPI_DOUBLE, &n);
    y[0] *= n * s.MPI_TAG;
  }
}

/// The first process takes what comes, whoever sends it; the answer goes back.
static void served(const double *x, double *y) {
  double work[N];
  if (rank == 0) {
    for (int k = 1; k < size; ++k) {
      MPI_Status s;
      MPI_Recv(work, N, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s);
      for (int i = 0; i < N; ++i)
        work[i] *= x[i] * s.MPI_SOURCE;
      MPI_Send(work, N, MPI_DOUBLE, s.MPI_SOURCE, 3, MPI_COMM_WORLD);
    }
    for (int i = 0; i < N; ++i)
      y[i] = x[i];
  } else {
    for (int i = 0; i < N; ++i)
      work[i] = sin(x[i]);
    MPI_Send(work, N, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    MPI_Recv(y, N, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      y[i] *= y[i];
  }
  MPI_Barrier(MPI_COMM_WORLD); // what comes later is not for these receives
}

static void exchanged(const double *x, double *y) {
  double a[N], b[N];
  for (int i = 0; i < N; ++i)
    a[i] = b[i] = x[i] * x[i];
  for (int step = 0; step < 3; ++step) {
    MPI_Sendrecv(a, N, MPI_DOUBLE, right, 1, b, N, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      a[i] = a[i] * 0.5 + cos(b[i]);
    MPI_Sendrecv_replace(a, N, MPI_DOUBLE, left, 2, right, 2, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < N; ++i)
    y[i] = a[i] * b[i];
}

/// At the ends there is nobody.
static void line(const double *x, double *y) {
  int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  double in[N];
  for (int i = 0; i < N; ++i)
    in[i] = x[i];
  MPI_Send(x, N, MPI_DOUBLE, up, 5, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, down, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = in[i] * x[i];
}

static char buffer[4096];
/// All send first: only a buffer lets them.
static void buffered(const double *x, double *y) {
  float in[N], out[N];
  for (int i = 0; i < N; ++i)
    out[i] = (float)(x[i] * 0 + i + rank);
  MPI_Bsend(out, N, MPI_FLOAT, right, 6, MPI_COMM_WORLD);
  MPI_Bsend(x, N, MPI_DOUBLE, right, 7, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_FLOAT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(y, N, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] *= y[i] * (double)in[i];
}

/// Integers say where; memory that no type tells of is passed on.
static void relayed(const double *x, double *y) {
  int root = (rank * 2) % size, sum = 0;
  MPI_Allreduce(&root, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  void *memory = malloc(N * sizeof(double));
  MPI_Datatype all;
  MPI_Type_contiguous(N, MPI_DOUBLE, &all);
  MPI_Type_commit(&all);
  if (rank == 0) {
    MPI_Send(x, 1, all, 1, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(memory, 1, all, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < size)
      MPI_Send(memory, 1, all, rank + 1, 1, MPI_COMM_WORLD);
  }
  for (int i = 0; i < N; ++i)
    y[i] = x[i] * sum;
  if (rank + 1 == size)
    MPI_Send(memory, 1, all, 0, 2, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv(y, 1, all, size - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] *= y[i];
  MPI_Type_free(&all);
  free(memory);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  MPI_Buffer_attach(buffer, sizeof buffer);
  TRY(ring);
  TRY(shorter);
  TRY(served);
  TRY(exchanged);
  TRY(line);
  TRY(buffered);
  TRY(relayed);
  return end();
}
