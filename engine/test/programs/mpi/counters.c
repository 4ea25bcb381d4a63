// Counts what the program asks of the MPI library, between the two.
#include <mpi.h>

long sends, receives, collectives, barriers;

#define COUNT(What, Name, Parameters, Arguments)                               \
  int MPI_##Name Parameters {                                                  \
    ++What;                                                                    \
    return PMPI_##Name Arguments;                                              \
  }
#define SEND(Name)                                                             \
  COUNT(sends, Name,                                                           \
        (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),   \
        (b, n, t, to, tag, c))
SEND(Send)
SEND(Ssend)
SEND(Bsend)
SEND(Rsend)
#define ISEND(Name)                                                            \
  COUNT(sends, Name,                                                           \
        (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,    \
         MPI_Request *r),                                                      \
        (b, n, t, to, tag, c, r))
ISEND(Isend)
ISEND(Issend)
COUNT(receives, Recv,
      (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
       MPI_Status *s),
      (b, n, t, from, tag, c, s))
COUNT(receives, Irecv,
      (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
       MPI_Request *r),
      (b, n, t, from, tag, c, r))
COUNT(barriers, Barrier, (MPI_Comm c), (c))

#define V const void *a, void *b
COUNT(collectives, Bcast,
      (void *b, int n, MPI_Datatype t, int root, MPI_Comm c),
      (b, n, t, root, c))
COUNT(collectives, Ibcast,
      (void *b, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *r),
      (b, n, t, root, c, r))
COUNT(collectives, Reduce,
      (V, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
      (a, b, n, t, o, root, c))
COUNT(collectives, Ireduce,
      (V, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c,
       MPI_Request *r),
      (a, b, n, t, o, root, c, r))
COUNT(collectives, Allreduce, (V, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (a, b, n, t, o, c))
COUNT(collectives, Iallreduce,
      (V, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *r),
      (a, b, n, t, o, c, r))
COUNT(collectives, Scan, (V, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (a, b, n, t, o, c))
COUNT(collectives, Reduce_scatter,
      (V, const int *n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (a, b, n, t, o, c))
COUNT(collectives, Reduce_scatter_block,
      (V, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
#define BLOCKS                                                                 \
  const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u
COUNT(collectives, Gather, (BLOCKS, int root, MPI_Comm c),
      (a, n, t, b, m, u, root, c))
COUNT(collectives, Scatter, (BLOCKS, int root, MPI_Comm c),
      (a, n, t, b, m, u, root, c))
COUNT(collectives, Allgather, (BLOCKS, MPI_Comm c), (a, n, t, b, m, u, c))
COUNT(collectives, Alltoall, (BLOCKS, MPI_Comm c), (a, n, t, b, m, u, c))
COUNT(collectives, Gatherv,
      (const void *a, int n, MPI_Datatype t, void *b, const int *m,
       const int *at, MPI_Datatype u, int root, MPI_Comm c),
      (a, n, t, b, m, at, u, root, c))
COUNT(collectives, Scatterv,
      (const void *a, const int *n, const int *at, MPI_Datatype t, void *b,
       int m, MPI_Datatype u, int root, MPI_Comm c),
      (a, n, at, t, b, m, u, root, c))
COUNT(collectives, Allgatherv,
      (const void *a, int n, MPI_Datatype t, void *b, const int *m,
       const int *at, MPI_Datatype u, MPI_Comm c),
      (a, n, t, b, m, at, u, c))
COUNT(collectives, Alltoallv,
      (const void *a, const int *n, const int *at, MPI_Datatype t, void *b,
       const int *m, const int *to, MPI_Datatype u, MPI_Comm c),
      (a, n, at, t, b, m, to, u, c))
// Nothing else may be used to wait for others.
COUNT(barriers, Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))
COUNT(barriers, Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d))
