// MPI: 2
// NOT-SANITIZED: the MPI library has leaks of its own
// MPI_Pack and MPI_Unpack: integers, characters, floats and doubles in one
// buffer, at places without alignment, sent, received and broadcast.
#include "across.h"

#include <stddef.h>

enum { ROOM = 256 };
static MPI_Comm world;
static MPI_Datatype cell_type, column;

/// A name, a count, and as many numbers of two types as it says.
static int pack_all(const double *x, int count, char *bytes) {
  char name[3] = "ab";
  float f[2] = {1.5f, 2.5f};
  int at = 0;
  MPI_Pack(name, 3, MPI_CHAR, bytes, ROOM, &at, world);
  MPI_Pack(&count, 1, MPI_INT, bytes, ROOM, &at, world);
  MPI_Pack(x, count, MPI_DOUBLE, bytes, ROOM, &at, world);
  MPI_Pack(name, 1, MPI_CHAR, bytes, ROOM, &at, world);
  MPI_Pack(f, 2, MPI_FLOAT, bytes, ROOM, &at, world);
  return at;
}

static double unpack_all(char *bytes, int size) {
  char name[3];
  int at = 0, count;
  double d[N], s = 0;
  float f[2];
  MPI_Unpack(bytes, size, &at, name, 3, MPI_CHAR, world);
  MPI_Unpack(bytes, size, &at, &count, 1, MPI_INT, world);
  MPI_Unpack(bytes, size, &at, d, count, MPI_DOUBLE, world);
  MPI_Unpack(bytes, size, &at, name, 1, MPI_CHAR, world);
  MPI_Unpack(bytes, size, &at, f, 2, MPI_FLOAT, world);
  for (int i = 0; i < count; ++i)
    s += d[i] * d[i] * (i + 1);
  return s + f[0] * f[1] + name[0];
}

static void sent(const double *x, double *y) {
  char bytes[ROOM];
  MPI_Status status;
  int got;
  if (rank == 0) {
    int size = pack_all(x, 3, bytes);
    MPI_Send(bytes, size, MPI_PACKED, 1, 4, world);
    MPI_Send(bytes, size, MPI_PACKED, 1, 5, world);
    size = pack_all(x + 1, 4, bytes);
    MPI_Send(bytes, size, MPI_PACKED, 1, 4, world);
    y[0] = unpack_all(bytes, size);
  } else {
    for (int k = 0; k < 2; ++k) {
      MPI_Recv(bytes, ROOM, MPI_PACKED, 0, 4, world, &status);
      MPI_Get_count(&status, MPI_PACKED, &got);
      y[k] = unpack_all(bytes, got) * x[k] + unpack_all(bytes, got);
    }
    MPI_Recv(bytes, ROOM, MPI_PACKED, MPI_ANY_SOURCE, 5, world, &status);
    y[2] = unpack_all(bytes, ROOM) * x[2];
  }
}

/// The same buffers again and again, from the heap.
static void exchanged(const double *x, double *y) {
  char *out = malloc(ROOM), *in = malloc(ROOM);
  double mine[N];
  for (int i = 0; i < N; ++i)
    mine[i] = x[i] * x[i];
  for (int k = 0; k < 3; ++k) {
    MPI_Request request[2];
    MPI_Irecv(in, ROOM, MPI_PACKED, 1 - rank, 6, world, &request[0]);
    MPI_Isend(out, pack_all(mine, 2 + k, out), MPI_PACKED, 1 - rank, 6, world,
              &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    mine[k] = 0.01 * unpack_all(in, ROOM) * x[k + 1];
  }
  for (int i = 0; i < N; ++i)
    y[i] = mine[i];
  free(out);
  free(in);
}

/// Each start sends what is packed then.
static void persistent(const double *x, double *y) {
  char out[ROOM], in[ROOM];
  MPI_Request request[2];
  MPI_Recv_init(in, ROOM, MPI_PACKED, 1 - rank, 3, world, &request[0]);
  MPI_Send_init(out, ROOM, MPI_PACKED, 1 - rank, 3, world, &request[1]);
  for (int k = 0; k < 2; ++k) {
    pack_all(x + k, 3 - k, out);
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    y[k] = unpack_all(in, ROOM) * x[k];
  }
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
}

/// What the root does not fill is not read either.
static void broadcast(const double *x, double *y) {
  char bytes[ROOM];
  memset(bytes, 0, sizeof bytes);
  if (rank == 1)
    pack_all(x, 4, bytes);
  MPI_Bcast(bytes, ROOM, MPI_PACKED, 1, world);
  y[0] = unpack_all(bytes, ROOM) * x[0];
  if (rank == 0)
    pack_all(x, 3, bytes);
  MPI_Request request;
  MPI_Ibcast(bytes, ROOM, MPI_PACKED, 0, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[1] = unpack_all(bytes, ROOM) * x[1];
}

/// Passed on without a look, and gathered.
static void passed_on(const double *x, double *y) {
  char bytes[ROOM], all[2 * ROOM];
  int size = pack_all(x, 2, bytes);
  MPI_Sendrecv_replace(bytes, ROOM, MPI_PACKED, 1 - rank, 7, 1 - rank, 7, world,
                       MPI_STATUS_IGNORE);
  MPI_Allgather(bytes, size, MPI_PACKED, all, size, MPI_PACKED, world);
  for (int k = 0; k < 2; ++k)
    y[k] = unpack_all(all + k * size, size) * x[k];
}

/// Datatypes with gaps, and complex numbers: bytes without gaps.
struct cell {
  int id;
  double value;
  float slope;
};
static void derived(const double *x, double *y) {
  struct cell out[2] = {{1, x[0] * x[1], 2}, {2, x[2], 3}}, in[2];
  double grid[3][2], got[3];
  _Complex double c = x[4] + x[5] * 1.0i, d;
  char bytes[ROOM];
  int at = 0;
  for (int i = 0; i < 6; ++i)
    grid[i / 2][i % 2] = x[i] * x[(i + 1) % N];
  MPI_Pack(out, 2, cell_type, bytes, ROOM, &at, world);
  MPI_Pack(&grid[0][1], 1, column, bytes, ROOM, &at, world);
  MPI_Pack(&c, 1, MPI_C_DOUBLE_COMPLEX, bytes, ROOM, &at, world);
  MPI_Sendrecv_replace(bytes, at, MPI_PACKED, 1 - rank, 8, 1 - rank, 8, world,
                       MPI_STATUS_IGNORE);
  at = 0;
  MPI_Unpack(bytes, ROOM, &at, in, 2, cell_type, world);
  MPI_Unpack(bytes, ROOM, &at, got, 3, MPI_DOUBLE, world);
  MPI_Unpack(bytes, ROOM, &at, &d, 1, MPI_C_DOUBLE_COMPLEX, world);
  y[0] = in[0].value * in[0].id * in[0].slope;
  y[1] = in[1].value * in[1].id * in[1].slope;
  for (int i = 0; i < 3; ++i)
    y[2 + i] = got[i] * got[i];
  y[5] = __real__ d * __imag__ d;
}

/// Differences cannot say much of floats: d/dx of (x x 4)^2 is 64 x^3.
static double floats(const double *x, int n) {
  char bytes[ROOM];
  float f[2] = {(float)(*x * *x), 4}, got[2];
  int at = 0, id = n;
  MPI_Pack(&id, 1, MPI_INT, bytes, ROOM, &at, world);
  MPI_Pack(&id, 1, MPI_CHAR, bytes, ROOM, &at, world);
  MPI_Pack(f, 2, MPI_FLOAT, bytes, ROOM, &at, world);
  MPI_Sendrecv_replace(bytes, ROOM, MPI_PACKED, 1 - rank, 9, 1 - rank, 9, world,
                       MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(bytes, ROOM, MPI_PACKED, 1 - rank, 9, 1 - rank, 9, world,
                       MPI_STATUS_IGNORE);
  at = 5;
  MPI_Unpack(bytes, ROOM, &at, got, 2, MPI_FLOAT, world);
  return (double)(got[0] * got[1]) * (got[0] * got[1]);
}

static void types(void) {
  int lengths[3] = {1, 1, 1};
  MPI_Aint at[3] = {offsetof(struct cell, id), offsetof(struct cell, value),
                    offsetof(struct cell, slope)};
  MPI_Datatype of[3] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT}, packed;
  MPI_Type_create_struct(3, lengths, at, of, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(struct cell), &cell_type);
  MPI_Type_commit(&cell_type);
  MPI_Type_free(&packed);
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  world = MPI_COMM_WORLD;
  types();
  for (int k = 0; k < 2; ++k) { // forward mode leaves its notes
    TRY(sent);
    TRY(exchanged);
    TRY(persistent);
    TRY(broadcast);
    TRY(passed_on);
    TRY(derived);
  }
  double x = 1.25, dx = 0, one = 1;
  __enzyme_autodiff((void *)floats, enzyme_dup, &x, &dx, enzyme_const, 3);
  NEAR(dx, 64 * x * x * x, 1e-6);
  NEAR(__enzyme_fwddiff((void *)floats, enzyme_dup, &x, &one, enzyme_const, 3),
       64 * x * x * x, 1e-6);
  MPI_Type_free(&cell_type);
  MPI_Type_free(&column);
  return end();
}
