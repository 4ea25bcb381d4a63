// MPI: 3
// NOT-SANITIZED: the MPI library has leaks of its own
// A checkpointed loop with messages in its steps: they are sent again.
#include "across.h"

#include <retrograde/checkpoint.h>

enum { steps = 12 };
extern uint64_t __retro_checkpoint_counts[4];

static void step(double *u, double *edge) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request r[2];
  MPI_Irecv(edge, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(u + N - 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  double mine = 0, all;
  for (int i = 0; i < N; ++i)
    mine += u[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = N - 1; i > 0; --i)
    u[i] += 0.1 * sin(u[i - 1]) * u[i];
  u[0] += 0.1 * sin(edge[0]) * all / (N * size);
}

#define DIFFUSE(Name, MARKS)                                                   \
  static void Name(const double *x, double *y) {                               \
    double u[N], edge[1];                                                      \
    for (int i = 0; i < N; ++i)                                                \
      u[i] = 0.1 + x[i];                                                       \
    for (int t = 0; t < steps; ++t) {                                          \
      MARKS;                                                                   \
      step(u, edge);                                                           \
    }                                                                          \
    for (int i = 0; i < N; ++i)                                                \
      y[i] = 2 * u[i];                                                         \
  }
DIFFUSE(taped, )
DIFFUSE(kept, retro_checkpoint(3))

int main(int argc, char **argv) {
  begin(&argc, &argv);
  TRY(kept);
  double x[N], y[N], a[N] = {0}, b[N] = {0}, seed[2][N];
  for (int i = 0; i < N; ++i)
    x[i] = input(i), seed[0][i] = seed[1][i] = weight(i);
  __enzyme_autodiff_void((void *)taped, enzyme_dup, x, a, enzyme_dup, y,
                         seed[0]);
  __enzyme_autodiff_void((void *)kept, enzyme_dup, x, b, enzyme_dup, y,
                         seed[1]);
  NEAR(memcmp(a, b, sizeof a) == 0, 1, 0);
  NEAR((double)__retro_checkpoint_counts[1], steps, 0);
  NEAR((double)__retro_checkpoint_counts[0], 21, 0);
  return end();
}
