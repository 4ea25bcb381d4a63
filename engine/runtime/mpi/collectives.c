// Collective operations: those that move numbers, and what all have in common.
#include "collective.h"

#include <stdlib.h>
#include <string.h>

struct record *__retro_mpi_collective(const char *name, enum pattern p,
                                      int root, MPI_Comm comm, bool blocking) {
  struct record *r = __retro_mpi_record(COLLECTIVE, name, comm, 0, 0);
  struct collective *c = r->collective = __retro_mpi_allocate(sizeof *c);
  int inter;
  MPI_Comm_test_inter(comm, &inter);
  if (inter)
    __retro_mpi_fail(name, "the derivative of a collective operation between "
                           "groups (an intercommunicator) is not known");
  c->pattern = p;
  c->root = root;
  c->blocking = blocking;
  MPI_Comm_rank(comm, &c->rank);
  MPI_Comm_size(comm, &c->size);
  return r;
}

/// Packed bytes have no shadow, but what is noted of them.
static void takePacked(struct side *s) {
  if (!s->layout->packed)
    return;
  s->memory = s->primal;
  s->origins = __retro_mpi_allocate((size_t)s->total);
  for (int i = 0; i < s->blocks; ++i) {
    unsigned char *all = __retro_mpi_origins(
        s->layout, (char *)s->primal + s->offsets[i], s->counts[i]);
    memcpy(s->origins + s->at[i], all, (size_t)s->counts[i]);
    free(all);
  }
}

/// Notes that packed bytes are there.
static void received(struct collective *c) {
  struct side *s = &c->out;
  if (!s->layout || (c->pattern == BROADCAST && c->rank == c->root))
    return;
  for (int i = 0; i < s->blocks; ++i)
    __retro_mpi_received(s->layout, (char *)s->primal + s->offsets[i],
                         s->counts[i]);
}

void __retro_mpi_side(struct record *r, struct side *s, const void *primal,
                      void *shadow, int blocks, int count, const int *counts,
                      const int *displacements, MPI_Datatype type) {
  size_t n = (size_t)blocks;
  s->layout = __retro_mpi_layout(type);
  s->primal = (void *)primal;
  s->memory = shadow == primal ? NULL : shadow;
  if ((s->layout->opaque || s->layout->packed) && s->memory)
    __retro_mpi_fail(r->name,
                     "bytes of active memory travel: give the datatype "
                     "of the numbers in it");
  s->blocks = blocks;
  s->counts = __retro_mpi_allocate(n * sizeof(int));
  s->at = __retro_mpi_allocate(n * sizeof(int));
  s->offsets = __retro_mpi_allocate(n * sizeof(MPI_Aint));
  for (int i = 0; i < blocks; ++i) {
    int items = counts ? counts[i] : count;
    s->counts[i] = items * s->layout->numbers;
    s->at[i] = s->total;
    s->total += s->counts[i];
    MPI_Aint before = displacements ? displacements[i] : (MPI_Aint)i * count;
    s->offsets[i] = before * s->layout->extent;
  }
  takePacked(s);
}

void __retro_mpi_part(struct side *s, const struct side *of, int block) {
  s->layout = __retro_mpi_share(of->layout);
  s->primal = (char *)of->primal + of->offsets[block];
  s->memory = of->memory ? (char *)of->memory + of->offsets[block] : NULL;
  s->blocks = 1;
  s->counts = __retro_mpi_allocate(sizeof(int));
  s->at = __retro_mpi_allocate(sizeof(int));
  s->offsets = __retro_mpi_allocate(sizeof(MPI_Aint));
  s->total = s->counts[0] = of->counts[block];
  takePacked(s);
}

static void forgetSide(struct side *s) {
  __retro_mpi_release(s->layout);
  free(s->counts);
  free(s->at);
  free(s->offsets);
  free(s->packed);
  free(s->origins);
}

void __retro_mpi_forget_collective(struct collective *c) {
  if (!c)
    return;
  forgetSide(&c->in);
  forgetSide(&c->out);
  free(c->mine);
  free(c->all);
  free(c);
}

static char *roomFor(struct side *s) {
  if (!s->packed && s->layout)
    s->packed =
        __retro_mpi_allocate((size_t)s->total * __retro_mpi_size(s->layout));
  return s->packed;
}

static void *memoryOf(const struct side *s, int block) {
  return s->memory ? (char *)s->memory + s->offsets[block] : NULL;
}

static char *packedOf(const struct side *s, int block) {
  return s->packed + (size_t)s->at[block] * __retro_mpi_size(s->layout);
}

void __retro_mpi_pack_side(struct side *s, bool clear) {
  roomFor(s);
  for (int i = 0; i < s->blocks; ++i)
    __retro_mpi_pack(s->layout, memoryOf(s, i), s->counts[i], clear,
                     packedOf(s, i));
}

static void addSide(struct side *s) {
  for (int i = 0; i < s->blocks; ++i)
    __retro_mpi_add(s->layout, memoryOf(s, i), s->counts[i], packedOf(s, i));
}

static void unpackSide(struct side *s) {
  for (int i = 0; i < s->blocks; ++i)
    __retro_mpi_unpack(s->layout, memoryOf(s, i), s->counts[i], packedOf(s, i));
}

//===----------------------------------------------------------------------===//
// Packed numbers, forwards and back
//===----------------------------------------------------------------------===//

static MPI_Datatype numberOf(const struct collective *c) {
  return __retro_mpi_number(c->in.layout ? c->in.layout : c->out.layout);
}

#define CALL(Mpi, IMpi, ...)                                                   \
  (request ? MPI_##IMpi(__VA_ARGS__, request) : MPI_##Mpi(__VA_ARGS__))

/// Numbers from each process to one, or from one to each. The side of the one
/// has the blocks.
static void toOne(struct record *r, struct side *each, struct side *one,
                  MPI_Request *request) {
  MPI_Datatype t = numberOf(r->collective);
  CALL(Gatherv, Igatherv, each->packed, each->total, t, one->packed,
       one->counts, one->at, t, r->collective->root, r->comm);
}

static void fromOne(struct record *r, struct side *one, struct side *each,
                    MPI_Request *request) {
  MPI_Datatype t = numberOf(r->collective);
  CALL(Scatterv, Iscatterv, one->packed, one->counts, one->at, t, each->packed,
       each->total, t, r->collective->root, r->comm);
}

static void moveForward(struct record *r, MPI_Request *request) {
  struct collective *c = r->collective;
  struct side *in = &c->in, *out = &c->out;
  MPI_Datatype t = numberOf(c);
  roomFor(out);
  switch (c->pattern) {
  case BROADCAST:
    if (c->rank == c->root)
      memcpy(out->packed, in->packed,
             (size_t)in->total * __retro_mpi_size(in->layout));
    CALL(Bcast, Ibcast, out->packed, out->total, t, c->root, r->comm);
    break;
  case GATHER:
    toOne(r, in, out, request);
    break;
  case SCATTER:
    fromOne(r, in, out, request);
    break;
  case ALLGATHER:
    CALL(Allgatherv, Iallgatherv, in->packed, in->total, t, out->packed,
         out->counts, out->at, t, r->comm);
    break;
  case ALLTOALL:
    CALL(Alltoallv, Ialltoallv, in->packed, in->counts, in->at, t, out->packed,
         out->counts, out->at, t, r->comm);
    break;
  case REDUCE:
    CALL(Reduce, Ireduce, in->packed, out->packed, in->total, t, MPI_SUM,
         c->root, r->comm);
    break;
  case ALLREDUCE:
    CALL(Allreduce, Iallreduce, in->packed, out->packed, in->total, t, MPI_SUM,
         r->comm);
    break;
  case REDUCE_SCATTER:
    CALL(Reduce_scatter, Ireduce_scatter, in->packed, out->packed, in->counts,
         t, MPI_SUM, r->comm);
    break;
  case SCAN:
    CALL(Scan, Iscan, in->packed, out->packed, in->total, t, MPI_SUM, r->comm);
    break;
  case EXSCAN:
    CALL(Exscan, Iexscan, in->packed, out->packed, in->total, t, MPI_SUM,
         r->comm);
    break;
  }
}

static void moveBack(struct record *r, MPI_Request *request) {
  struct collective *c = r->collective;
  struct side *in = &c->in, *out = &c->out;
  MPI_Datatype t = numberOf(c);
  roomFor(in);
  switch (c->pattern) {
  case BROADCAST: // all get one: one gets the sum
    CALL(Reduce, Ireduce, out->packed, in->packed, out->total, t, MPI_SUM,
         c->root, r->comm);
    break;
  case GATHER:
    fromOne(r, out, in, request);
    break;
  case SCATTER:
    toOne(r, out, in, request);
    break;
  case ALLGATHER:
    CALL(Reduce_scatter, Ireduce_scatter, out->packed, in->packed, out->counts,
         t, MPI_SUM, r->comm);
    break;
  case ALLTOALL:
    CALL(Alltoallv, Ialltoallv, out->packed, out->counts, out->at, t,
         in->packed, in->counts, in->at, t, r->comm);
    break;
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// The steps of a record
//===----------------------------------------------------------------------===//

static void startTangent(struct record *r) {
  struct collective *c = r->collective;
  if (__retro_mpi_is_reduction(c) && !__retro_mpi_is_sum(c))
    return __retro_mpi_start_dual(r);
  if (c->in.layout) {
    __retro_mpi_pack_side(&c->in, false);
    __retro_mpi_mark_unknown(c->in.origins, c->in.total, c->in.packed);
  }
  moveForward(r, c->blocking ? NULL : &r->request);
}

static void endTangent(struct record *r) {
  struct collective *c = r->collective;
  if (__retro_mpi_is_reduction(c) && !__retro_mpi_is_sum(c))
    return __retro_mpi_end_dual(r);
  MPI_Wait(&r->request, MPI_STATUS_IGNORE);
  // The first process has nothing to scan before it.
  if (c->out.layout && !(c->pattern == EXSCAN && c->rank == 0))
    unpackSide(&c->out);
}

void __retro_mpi_ready(struct record *r, bool tangent) {
  struct collective *c = r->collective;
  const struct layout *l = c->in.layout ? c->in.layout : c->out.layout;
  r->tangent = tangent;
  if (!l || !l->numbers)
    r->class = NOTHING;
  __retro_mpi_post(r, !c->blocking);
}

int __retro_mpi_done(struct record *r, int error, void **tape) {
  if (r->class == NOTHING) {
    if (tape)
      *tape = NULL;
    __retro_mpi_forget(r);
  } else if (tape) {
    received(r->collective);
    __retro_mpi_keep(r);
    *tape = __retro_mpi_tape(r, BOTH);
  } else {
    startTangent(r);
    received(r->collective);
    endTangent(r);
    __retro_mpi_forget(r);
  }
  return error;
}

int __retro_mpi_launched(struct record *r, int error, MPI_Request handle,
                         void **tape) {
  __retro_mpi_enter(r, handle);
  if (tape && r->class != NOTHING)
    __retro_mpi_keep(r);
  if (!tape && r->class != NOTHING)
    startTangent(r);
  if (tape)
    *tape = r->kept ? __retro_mpi_tape(r, END) : NULL;
  return error;
}

void __retro_mpi_complete_collective(struct record *r) {
  if (__retro_mpi_is_reduction(r->collective))
    __retro_mpi_complete_reduction(r);
  if (r->class != NOTHING)
    received(r->collective);
  if (r->tangent && r->class != NOTHING)
    endTangent(r);
}

void __retro_mpi_start_collective(struct record *r) {
  struct collective *c = r->collective;
  if (__retro_mpi_is_reduction(c))
    return __retro_mpi_start_reduction(r);
  if (c->out.layout)
    __retro_mpi_pack_side(&c->out, true);
  // In a window others of the communicator may be under way.
  moveBack(r, r->window ? &r->request : NULL);
}

void __retro_mpi_end_collective(struct record *r) {
  struct collective *c = r->collective;
  if (__retro_mpi_is_reduction(c))
    return __retro_mpi_end_reduction(r);
  MPI_Wait(&r->request, MPI_STATUS_IGNORE);
  if (!c->in.layout || (c->pattern == BROADCAST && c->rank != c->root))
    return;
  __retro_mpi_check_origins(r->name, c->in.origins, c->in.total, c->in.packed);
  addSide(&c->in);
}

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

static struct record *broadcast(const char *name, bool blocking, void *buffer,
                                int count, MPI_Datatype type, int root,
                                MPI_Comm comm, void *shadow, void **tape) {
  struct record *r =
      __retro_mpi_collective(name, BROADCAST, root, comm, blocking);
  struct collective *c = r->collective;
  __retro_mpi_side(r, &c->out, buffer, shadow, 1, count, NULL, NULL, type);
  __retro_mpi_part(&c->in, &c->out, 0);
  __retro_mpi_ready(r, !tape);
  return r;
}

int __retro_mpi_bcast(void *buffer, int count, MPI_Datatype type, int root,
                      MPI_Comm comm, void *shadow, void **tape) {
  struct record *r = broadcast("MPI_Bcast", true, buffer, count, type, root,
                               comm, shadow, tape);
  return __retro_mpi_done(r, MPI_Bcast(buffer, count, type, root, comm), tape);
}

int __retro_mpi_ibcast(void *buffer, int count, MPI_Datatype type, int root,
                       MPI_Comm comm, MPI_Request *request, void *shadow,
                       void **tape) {
  struct record *r = broadcast("MPI_Ibcast", false, buffer, count, type, root,
                               comm, shadow, tape);
  int error = MPI_Ibcast(buffer, count, type, root, comm, request);
  return __retro_mpi_launched(r, error, *request, tape);
}

/// Describes a call where one side, that of one process, has a block for each
/// process, and the other side has one block.
static struct record *collect(const char *name, enum pattern p, bool blocking,
                              const void *in, int inCount, const int *inCounts,
                              const int *inAt, MPI_Datatype inType, void *out,
                              int outCount, const int *outCounts,
                              const int *outAt, MPI_Datatype outType, int root,
                              MPI_Comm comm, void *inShadow, void *outShadow,
                              void **tape) {
  struct record *r = __retro_mpi_collective(name, p, root, comm, blocking);
  struct collective *c = r->collective;
  bool all = p == ALLGATHER || p == ALLTOALL, mine = c->rank == root;
  int n = c->size;
  if (out != MPI_IN_PLACE && (p != GATHER || mine))
    __retro_mpi_side(r, &c->out, out, outShadow, p == SCATTER ? 1 : n, outCount,
                     outCounts, outAt, outType);
  if (in != MPI_IN_PLACE && (p != SCATTER || mine))
    __retro_mpi_side(r, &c->in, in, inShadow,
                     p == SCATTER || p == ALLTOALL ? n : 1, inCount, inCounts,
                     inAt, inType);
  if (in == MPI_IN_PLACE && p == ALLTOALL)
    __retro_mpi_side(r, &c->in, out, outShadow, n, outCount, outCounts, outAt,
                     outType);
  else if (in == MPI_IN_PLACE && (all || mine))
    __retro_mpi_part(&c->in, &c->out, c->rank);
  if (out == MPI_IN_PLACE)
    __retro_mpi_part(&c->out, &c->in, c->rank);
  __retro_mpi_ready(r, !tape);
  return r;
}

#define SHADOWS void *inShadow, void *outShadow, void **tape
#define START(Name, Pattern, Blocking, ...)                                    \
  struct record *r = collect("MPI_" #Name, Pattern, Blocking, __VA_ARGS__,     \
                             comm, inShadow, outShadow, tape)
/// Defines a call and its non-blocking form: their parameters, what collect is
/// passed, and the arguments.
#define COLLECTIVE_PAIR(Lower, Upper, ILower, IUpper, Pattern, Parameters,     \
                        Given, Arguments)                                      \
  int __retro_mpi_##Lower(EXPAND Parameters, MPI_Comm comm, SHADOWS) {         \
    START(Upper, Pattern, true, EXPAND Given);                                 \
    int error = MPI_##Upper(EXPAND Arguments, comm);                           \
    return __retro_mpi_done(r, error, tape);                                   \
  }                                                                            \
  int __retro_mpi_##ILower(EXPAND Parameters, MPI_Comm comm,                   \
                           MPI_Request *request, SHADOWS) {                    \
    START(IUpper, Pattern, false, EXPAND Given);                               \
    int error = MPI_##IUpper(EXPAND Arguments, comm, request);                 \
    return __retro_mpi_launched(r, error, *request, tape);                     \
  }
#define EXPAND(...) __VA_ARGS__

COLLECTIVE_PAIR(gather, Gather, igather, Igather, GATHER,
                (const void *in, int n, MPI_Datatype t, void *out, int m,
                 MPI_Datatype u, int root),
                (in, n, NULL, NULL, t, out, m, NULL, NULL, u, root),
                (in, n, t, out, m, u, root))
COLLECTIVE_PAIR(gatherv, Gatherv, igatherv, Igatherv, GATHER,
                (const void *in, int n, MPI_Datatype t, void *out,
                 const int *ms, const int *at, MPI_Datatype u, int root),
                (in, n, NULL, NULL, t, out, 0, ms, at, u, root),
                (in, n, t, out, ms, at, u, root))
COLLECTIVE_PAIR(scatter, Scatter, iscatter, Iscatter, SCATTER,
                (const void *in, int n, MPI_Datatype t, void *out, int m,
                 MPI_Datatype u, int root),
                (in, n, NULL, NULL, t, out, m, NULL, NULL, u, root),
                (in, n, t, out, m, u, root))
COLLECTIVE_PAIR(scatterv, Scatterv, iscatterv, Iscatterv, SCATTER,
                (const void *in, const int *ns, const int *at, MPI_Datatype t,
                 void *out, int m, MPI_Datatype u, int root),
                (in, 0, ns, at, t, out, m, NULL, NULL, u, root),
                (in, ns, at, t, out, m, u, root))
COLLECTIVE_PAIR(allgather, Allgather, iallgather, Iallgather, ALLGATHER,
                (const void *in, int n, MPI_Datatype t, void *out, int m,
                 MPI_Datatype u),
                (in, n, NULL, NULL, t, out, m, NULL, NULL, u, 0),
                (in, n, t, out, m, u))
COLLECTIVE_PAIR(allgatherv, Allgatherv, iallgatherv, Iallgatherv, ALLGATHER,
                (const void *in, int n, MPI_Datatype t, void *out,
                 const int *ms, const int *at, MPI_Datatype u),
                (in, n, NULL, NULL, t, out, 0, ms, at, u, 0),
                (in, n, t, out, ms, at, u))
COLLECTIVE_PAIR(alltoall, Alltoall, ialltoall, Ialltoall, ALLTOALL,
                (const void *in, int n, MPI_Datatype t, void *out, int m,
                 MPI_Datatype u),
                (in, n, NULL, NULL, t, out, m, NULL, NULL, u, 0),
                (in, n, t, out, m, u))
COLLECTIVE_PAIR(alltoallv, Alltoallv, ialltoallv, Ialltoallv, ALLTOALL,
                (const void *in, const int *ns, const int *at, MPI_Datatype t,
                 void *out, const int *ms, const int *to, MPI_Datatype u),
                (in, 0, ns, at, t, out, 0, ms, to, u, 0),
                (in, ns, at, t, out, ms, to, u))
