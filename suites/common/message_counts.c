#include "message_counts.h"

#include <mpi.h>

retro_message_counts_t retro_message_counts;

static int sends(int n, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  ++retro_message_counts.messages;
  retro_message_counts.message_bytes += (long long)n * size;
  return 0;
}

static int joins(int n, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  ++retro_message_counts.collectives;
  retro_message_counts.collective_bytes += (long long)n * size;
  return 0;
}

#define SEND(Name)                                                             \
  int MPI_##Name(const void *data, int n, MPI_Datatype type, int to, int tag,  \
                 MPI_Comm c) {                                                 \
    sends(n, type);                                                            \
    return PMPI_##Name(data, n, type, to, tag, c);                             \
  }
#define ISEND(Name)                                                            \
  int MPI_##Name(const void *data, int n, MPI_Datatype type, int to, int tag,  \
                 MPI_Comm c, MPI_Request *r) {                                 \
    sends(n, type);                                                            \
    return PMPI_##Name(data, n, type, to, tag, c, r);                          \
  }
SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
ISEND(Isend)
ISEND(Issend)
ISEND(Irsend)
ISEND(Ibsend)

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type,
                  MPI_Op op, MPI_Comm c) {
  joins(n, type);
  return PMPI_Allreduce(in, out, n, type, op, c);
}
int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op,
               int root, MPI_Comm c) {
  joins(n, type);
  return PMPI_Reduce(in, out, n, type, op, root, c);
}
int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm c) {
  joins(n, type);
  return PMPI_Bcast(data, n, type, root, c);
}
