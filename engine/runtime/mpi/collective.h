// What the collectives that move numbers and those that reduce them share.
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
  void *primal, *memory; ///< memory: the shadow, or null
  int blocks, total;     ///< total: of all numbers
  int *counts, *at;      ///< numbers of each block, and before it
  MPI_Aint *offsets;     ///< of its first byte
  char *packed;
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
/// Blocks of counts items of a type at displacements (in items, or bytes if
/// step is 1); null: count items each, one after the other.
void __retro_mpi_side(struct record *r, struct side *s, const void *primal,
                      void *shadow, int blocks, int count, const int *counts,
                      const int *displacements, MPI_Datatype type);
/// One block of another side: MPI_IN_PLACE.
void __retro_mpi_part(struct side *s, const struct side *of, int block);
/// All sides are known: the call may begin.
void __retro_mpi_ready(struct record *r, bool tangent);
int __retro_mpi_done(struct record *r, int error, void **tape);
int __retro_mpi_launched(struct record *r, int error, MPI_Request handle,
                         void **tape);

void __retro_mpi_pack_side(struct side *s, bool clear);

bool __retro_mpi_is_reduction(const struct collective *c);
bool __retro_mpi_is_sum(const struct collective *c);
/// A non-blocking one is complete.
void __retro_mpi_complete_reduction(struct record *r);
/// The adjoint of a reduction, and its tangent.
void __retro_mpi_start_reduction(struct record *r);
void __retro_mpi_end_reduction(struct record *r);
void __retro_mpi_start_dual(struct record *r);
void __retro_mpi_end_dual(struct record *r);

#endif
