// The Fortran binding of MPI, which passes everything by reference, by calls of
// the C binding, which are differentiated. Handles are integers.
#include <mpi.h>

#define INLINE static inline __attribute__((always_inline))
void *malloc(unsigned long);
void free(void *);

#ifdef MPICH_VERSION
#define MODEL(Name) void retro_fortran_mpich_##Name

// Common blocks, and the offsets of what is in them.
extern char mpipriv1_[], mpipriv2_[];
#define IN_PLACE ((void *)(mpipriv1_ + 4))
#define STATUS_IGNORE ((int *)(mpipriv1_ + 8))
#define STATUSES_IGNORE ((int *)mpipriv2_)

INLINE MPI_Datatype typeOf(const int *t) { return MPI_Type_f2c(*t); }
#else
#define MODEL(Name) void retro_fortran_mpi_##Name

// Common blocks with these names.
extern int mpi_fortran_in_place_, mpi_fortran_status_ignore_,
    mpi_fortran_statuses_ignore_;
#define IN_PLACE ((void *)&mpi_fortran_in_place_)
#define STATUS_IGNORE (&mpi_fortran_status_ignore_)
#define STATUSES_IGNORE (&mpi_fortran_statuses_ignore_)

/// The datatypes that programs name, so that it is known what they hold.
INLINE MPI_Datatype typeOf(const int *t) {
  switch (*t) {
  case 1:
    return MPI_BYTE;
  case 2:
    return MPI_PACKED;
  case 5:
    return MPI_CHARACTER;
  case 6:
    return MPI_LOGICAL;
  case 7:
    return MPI_INTEGER;
  case 13:
    return MPI_REAL;
  case 14:
    return MPI_REAL4;
  case 15:
    return MPI_REAL8;
  case 17:
    return MPI_DOUBLE_PRECISION;
  case 18:
    return MPI_COMPLEX;
  case 22:
    return MPI_DOUBLE_COMPLEX;
  default:
    return MPI_Type_f2c(*t);
  }
}
#endif

INLINE void *place(void *b) { return b == IN_PLACE ? MPI_IN_PLACE : b; }

INLINE void giveStatus(const MPI_Status *from, int *to) {
  if (to != STATUS_IGNORE)
    MPI_Status_c2f(from, to);
}

INLINE void giveStatuses(const MPI_Status *from, int n, int *to) {
  if (to == STATUSES_IGNORE)
    return;
  for (int i = 0; i < n; ++i)
    MPI_Status_c2f(&from[i], to + i * (int)(sizeof(MPI_Status) / sizeof(int)));
}

#define SEND(Lower, Upper)                                                     \
  MODEL(Lower)(void *b, int *n, int *t, int *to, int *tag, int *c, int *e) {   \
    *e = MPI_##Upper(b, *n, typeOf(t), *to, *tag, MPI_Comm_f2c(*c));           \
  }
SEND(send, Send)
SEND(ssend, Ssend)
SEND(bsend, Bsend)
SEND(rsend, Rsend)

MODEL(recv)(void *b, int *n, int *t, int *from, int *tag, int *c, int *status,
            int *e) {
  MPI_Status s;
  *e = MPI_Recv(b, *n, typeOf(t), *from, *tag, MPI_Comm_f2c(*c), &s);
  giveStatus(&s, status);
}

MODEL(sendrecv)(void *b, int *n, int *t, int *to, int *tag, void *in, int *m,
                int *u, int *from, int *inTag, int *c, int *status, int *e) {
  MPI_Status s;
  *e = MPI_Sendrecv(b, *n, typeOf(t), *to, *tag, in, *m, typeOf(u), *from,
                    *inTag, MPI_Comm_f2c(*c), &s);
  giveStatus(&s, status);
}

MODEL(sendrecv_replace)(void *b, int *n, int *t, int *to, int *tag, int *from,
                        int *inTag, int *c, int *status, int *e) {
  MPI_Status s;
  *e = MPI_Sendrecv_replace(b, *n, typeOf(t), *to, *tag, *from, *inTag,
                            MPI_Comm_f2c(*c), &s);
  giveStatus(&s, status);
}

#define START(Lower, Upper)                                                    \
  MODEL(Lower)(void *b, int *n, int *t, int *peer, int *tag, int *c,           \
               int *request, int *e) {                                         \
    MPI_Request r;                                                             \
    *e = MPI_##Upper(b, *n, typeOf(t), *peer, *tag, MPI_Comm_f2c(*c), &r);     \
    *request = MPI_Request_c2f(r);                                             \
  }
START(isend, Isend)
START(issend, Issend)
START(ibsend, Ibsend)
START(irsend, Irsend)
START(irecv, Irecv)
START(send_init, Send_init)
START(ssend_init, Ssend_init)
START(bsend_init, Bsend_init)
START(rsend_init, Rsend_init)
START(recv_init, Recv_init)

MODEL(start)(int *request, int *e) {
  MPI_Request r = MPI_Request_f2c(*request);
  *e = MPI_Start(&r);
  *request = MPI_Request_c2f(r);
}

MODEL(request_free)(int *request, int *e) {
  MPI_Request r = MPI_Request_f2c(*request);
  *e = MPI_Request_free(&r);
  *request = MPI_Request_c2f(r);
}

MODEL(wait)(int *request, int *status, int *e) {
  MPI_Request r = MPI_Request_f2c(*request);
  MPI_Status s;
  *e = MPI_Wait(&r, &s);
  *request = MPI_Request_c2f(r);
  giveStatus(&s, status);
}

INLINE MPI_Request *requestsOf(const int *requests, int n) {
  MPI_Request *r = malloc((unsigned long)n * sizeof *r);
  for (int i = 0; i < n; ++i)
    r[i] = MPI_Request_f2c(requests[i]);
  return r;
}

INLINE void giveRequests(MPI_Request *from, int n, int *to) {
  for (int i = 0; i < n; ++i)
    to[i] = MPI_Request_c2f(from[i]);
  free(from);
}

MODEL(startall)(int *n, int *requests, int *e) {
  MPI_Request *r = requestsOf(requests, *n);
  *e = MPI_Startall(*n, r);
  giveRequests(r, *n, requests);
}

MODEL(waitall)(int *n, int *requests, int *statuses, int *e) {
  MPI_Request *r = requestsOf(requests, *n);
  MPI_Status *s = malloc((unsigned long)*n * sizeof *s);
  *e = MPI_Waitall(*n, r, s);
  giveStatuses(s, *n, statuses);
  free(s);
  giveRequests(r, *n, requests);
}

// Positions count from 1 in Fortran.
INLINE int position(int i) { return i == MPI_UNDEFINED ? i : i + 1; }

MODEL(waitany)(int *n, int *requests, int *index, int *status, int *e) {
  MPI_Request *r = requestsOf(requests, *n);
  MPI_Status s;
  int i;
  *e = MPI_Waitany(*n, r, &i, &s);
  *index = position(i);
  giveStatus(&s, status);
  giveRequests(r, *n, requests);
}

#define SOME(Lower, Upper)                                                     \
  MODEL(Lower)(int *n, int *requests, int *count, int *indices, int *statuses, \
               int *e) {                                                       \
    MPI_Request *r = requestsOf(requests, *n);                                 \
    MPI_Status *s = malloc((unsigned long)*n * sizeof *s);                     \
    *e = MPI_##Upper(*n, r, count, indices, s);                                \
    if (*count != MPI_UNDEFINED) {                                             \
      giveStatuses(s, *count, statuses);                                       \
      for (int i = 0; i < *count; ++i)                                         \
        ++indices[i];                                                          \
    }                                                                          \
    free(s);                                                                   \
    giveRequests(r, *n, requests);                                             \
  }
SOME(waitsome, Waitsome)
SOME(testsome, Testsome)

MODEL(test)(int *request, int *flag, int *status, int *e) {
  MPI_Request r = MPI_Request_f2c(*request);
  MPI_Status s;
  *e = MPI_Test(&r, flag, &s);
  *request = MPI_Request_c2f(r);
  if (*flag)
    giveStatus(&s, status);
}

MODEL(testall)(int *n, int *requests, int *flag, int *statuses, int *e) {
  MPI_Request *r = requestsOf(requests, *n);
  MPI_Status *s = malloc((unsigned long)*n * sizeof *s);
  *e = MPI_Testall(*n, r, flag, s);
  if (*flag)
    giveStatuses(s, *n, statuses);
  free(s);
  giveRequests(r, *n, requests);
}

MODEL(testany)(int *n, int *requests, int *index, int *flag, int *status,
               int *e) {
  MPI_Request *r = requestsOf(requests, *n);
  MPI_Status s;
  int i;
  *e = MPI_Testany(*n, r, &i, flag, &s);
  *index = position(i);
  if (*flag)
    giveStatus(&s, status);
  giveRequests(r, *n, requests);
}

MODEL(pack)(void *b, int *n, int *t, void *to, int *size, int *at, int *c,
            int *e) {
  *e = MPI_Pack(b, *n, typeOf(t), to, *size, at, MPI_Comm_f2c(*c));
}
MODEL(unpack)(void *from, int *size, int *at, void *b, int *n, int *t, int *c,
              int *e) {
  *e = MPI_Unpack(from, *size, at, b, *n, typeOf(t), MPI_Comm_f2c(*c));
}
MODEL(pack_size)(int *n, int *t, int *c, int *size, int *e) {
  *e = MPI_Pack_size(*n, typeOf(t), MPI_Comm_f2c(*c), size);
}

MODEL(bcast)(void *b, int *n, int *t, int *root, int *c, int *e) {
  *e = MPI_Bcast(b, *n, typeOf(t), *root, MPI_Comm_f2c(*c));
}

MODEL(reduce)(void *a, void *b, int *n, int *t, int *o, int *root, int *c,
              int *e) {
  *e = MPI_Reduce(place(a), b, *n, typeOf(t), MPI_Op_f2c(*o), *root,
                  MPI_Comm_f2c(*c));
}

#define REDUCE(Lower, Upper)                                                   \
  MODEL(Lower)(void *a, void *b, int *n, int *t, int *o, int *c, int *e) {     \
    *e = MPI_##Upper(place(a), b, *n, typeOf(t), MPI_Op_f2c(*o),               \
                     MPI_Comm_f2c(*c));                                        \
  }
REDUCE(allreduce, Allreduce)
REDUCE(reduce_scatter_block, Reduce_scatter_block)
REDUCE(scan, Scan)
REDUCE(exscan, Exscan)

#define ROOTED(Lower, Upper)                                                   \
  MODEL(Lower)(void *a, int *n, int *t, void *b, int *m, int *u, int *root,    \
               int *c, int *e) {                                               \
    *e = MPI_##Upper(place(a), *n, typeOf(t), place(b), *m, typeOf(u), *root,  \
                     MPI_Comm_f2c(*c));                                        \
  }
ROOTED(gather, Gather)
ROOTED(scatter, Scatter)

#define ALL(Lower, Upper)                                                      \
  MODEL(Lower)(void *a, int *n, int *t, void *b, int *m, int *u, int *c,       \
               int *e) {                                                       \
    *e = MPI_##Upper(place(a), *n, typeOf(t), b, *m, typeOf(u),                \
                     MPI_Comm_f2c(*c));                                        \
  }
ALL(allgather, Allgather)
ALL(alltoall, Alltoall)

MODEL(gatherv)(void *a, int *n, int *t, void *b, int *ms, int *at, int *u,
               int *root, int *c, int *e) {
  *e = MPI_Gatherv(place(a), *n, typeOf(t), b, ms, at, typeOf(u), *root,
                   MPI_Comm_f2c(*c));
}

MODEL(scatterv)(void *a, int *ns, int *at, int *t, void *b, int *m, int *u,
                int *root, int *c, int *e) {
  *e = MPI_Scatterv(a, ns, at, typeOf(t), place(b), *m, typeOf(u), *root,
                    MPI_Comm_f2c(*c));
}

MODEL(allgatherv)(void *a, int *n, int *t, void *b, int *ms, int *at, int *u,
                  int *c, int *e) {
  *e = MPI_Allgatherv(place(a), *n, typeOf(t), b, ms, at, typeOf(u),
                      MPI_Comm_f2c(*c));
}

MODEL(alltoallv)(void *a, int *ns, int *from, int *t, void *b, int *ms, int *to,
                 int *u, int *c, int *e) {
  *e = MPI_Alltoallv(place(a), ns, from, typeOf(t), b, ms, to, typeOf(u),
                     MPI_Comm_f2c(*c));
}

MODEL(reduce_scatter)(void *a, void *b, int *ns, int *t, int *o, int *c,
                      int *e) {
  *e = MPI_Reduce_scatter(place(a), b, ns, typeOf(t), MPI_Op_f2c(*o),
                          MPI_Comm_f2c(*c));
}

// Defines a call that does not wait. Its parameters come before the
// communicator, the request and the error.
#define POST(Lower, Call, Parameters, ...)                                     \
  MODEL(Lower)(Parameters, int *c, int *request, int *e) {                     \
    MPI_Request r;                                                             \
    *e = MPI_##Call(__VA_ARGS__, MPI_Comm_f2c(*c), &r);                        \
    *request = MPI_Request_c2f(r);                                             \
  }
#define PARAMETERS(...) __VA_ARGS__

POST(ibcast, Ibcast, PARAMETERS(void *b, int *n, int *t, int *root), b, *n,
     typeOf(t), *root)

POST(ireduce, Ireduce,
     PARAMETERS(void *a, void *b, int *n, int *t, int *o, int *root), place(a),
     b, *n, typeOf(t), MPI_Op_f2c(*o), *root)

#define POST_REDUCE(Lower, Upper)                                              \
  POST(Lower, Upper, PARAMETERS(void *a, void *b, int *n, int *t, int *o),     \
       place(a), b, *n, typeOf(t), MPI_Op_f2c(*o))
POST_REDUCE(iallreduce, Iallreduce)
POST_REDUCE(ireduce_scatter_block, Ireduce_scatter_block)
POST_REDUCE(iscan, Iscan)
POST_REDUCE(iexscan, Iexscan)

POST(ireduce_scatter, Ireduce_scatter,
     PARAMETERS(void *a, void *b, int *ns, int *t, int *o), place(a), b, ns,
     typeOf(t), MPI_Op_f2c(*o))

#define POST_ROOTED(Lower, Upper)                                              \
  POST(                                                                        \
      Lower, Upper,                                                            \
      PARAMETERS(void *a, int *n, int *t, void *b, int *m, int *u, int *root), \
      place(a), *n, typeOf(t), place(b), *m, typeOf(u), *root)
POST_ROOTED(igather, Igather)
POST_ROOTED(iscatter, Iscatter)

#define POST_ALL(Lower, Upper)                                                 \
  POST(Lower, Upper,                                                           \
       PARAMETERS(void *a, int *n, int *t, void *b, int *m, int *u), place(a), \
       *n, typeOf(t), b, *m, typeOf(u))
POST_ALL(iallgather, Iallgather)
POST_ALL(ialltoall, Ialltoall)

POST(igatherv, Igatherv,
     PARAMETERS(void *a, int *n, int *t, void *b, int *ms, int *at, int *u,
                int *root),
     place(a), *n, typeOf(t), b, ms, at, typeOf(u), *root)

POST(iscatterv, Iscatterv,
     PARAMETERS(void *a, int *ns, int *at, int *t, void *b, int *m, int *u,
                int *root),
     a, ns, at, typeOf(t), place(b), *m, typeOf(u), *root)

POST(iallgatherv, Iallgatherv,
     PARAMETERS(void *a, int *n, int *t, void *b, int *ms, int *at, int *u),
     place(a), *n, typeOf(t), b, ms, at, typeOf(u))

POST(ialltoallv, Ialltoallv,
     PARAMETERS(void *a, int *ns, int *from, int *t, void *b, int *ms, int *to,
                int *u),
     place(a), ns, from, typeOf(t), b, ms, to, typeOf(u))

MODEL(ibarrier)(int *c, int *request, int *e) {
  MPI_Request r;
  *e = MPI_Ibarrier(MPI_Comm_f2c(*c), &r);
  *request = MPI_Request_c2f(r);
}

MODEL(barrier)(int *c, int *e) { *e = MPI_Barrier(MPI_Comm_f2c(*c)); }
MODEL(comm_rank)(int *c, int *rank, int *e) {
  *e = MPI_Comm_rank(MPI_Comm_f2c(*c), rank);
}
MODEL(comm_size)(int *c, int *size, int *e) {
  *e = MPI_Comm_size(MPI_Comm_f2c(*c), size);
}
