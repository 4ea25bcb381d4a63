// What the collectives that move numbers share with those that reduce them.
#ifndef RETRO_RUNTIME_MPI_COLLECTIVE_H
#define RETRO_RUNTIME_MPI_COLLECTIVE_H

#include "runtime.h"

enum pattern {
  BROADCAST,
  GATHER,
  SCATTER,
  ALLGATHER,
  ALLTOALL,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER,
  SCAN,
  EXSCAN,
};

/// The blocks of one buffer of a call, and the same numbers packed.
struct side {
  struct layout *layout; ///< null: this process does not take part
  void *primal, *memory; ///< memory: the shadow, or null; of packed bytes
                         ///< themselves
  int blocks, total;     ///< total: of all numbers
  int *counts, *at;      ///< numbers of each block, and before it
  MPI_Aint *offsets;     ///< of its first byte
  char *packed;
  unsigned char *origins; ///< of packed bytes
};

struct collective {
  enum pattern pattern;
  int root, rank, size;
  bool blocking;
  struct side in, out;
  // Reductions
  MPI_Op op;
  struct dual *mine, *all;
};

/// A number on its way through a reduction.
struct dual {
  long double value, tangent;
  int index; ///< of MINLOC and MAXLOC
  int rank;  ///< that holds it
};

struct record *__retro_mpi_collective(const char *name, enum pattern p,
                                      int root, MPI_Comm comm, bool blocking);
/// Describes the blocks of a buffer: counts items of a type at displacements
/// (in items, or in bytes if step is 1). Without displacements, count items
/// each, one block after the other.
void __retro_mpi_side(struct record *r, struct side *s, const void *primal,
                      void *shadow, int blocks, int count, const int *counts,
                      const int *displacements, MPI_Datatype type);
/// Describes one block of another side, for MPI_IN_PLACE.
void __retro_mpi_part(struct side *s, const struct side *of, int block);
/// Begins the call, once all sides are known.
void __retro_mpi_ready(struct record *r, bool tangent);
int __retro_mpi_done(struct record *r, int error, void **tape);
int __retro_mpi_launched(struct record *r, int error, MPI_Request handle,
                         void **tape);

void __retro_mpi_pack_side(struct side *s, bool clear);

bool __retro_mpi_is_reduction(const struct collective *c);
bool __retro_mpi_is_sum(const struct collective *c);
/// Completes a non-blocking reduction.
void __retro_mpi_complete_reduction(struct record *r);
/// Starts the adjoint of a reduction, and its tangent.
void __retro_mpi_start_reduction(struct record *r);
void __retro_mpi_end_reduction(struct record *r);
void __retro_mpi_start_dual(struct record *r);
void __retro_mpi_end_dual(struct record *r);

#endif
