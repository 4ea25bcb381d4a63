// Sends and receives, and their persistent forms, in each pass. The forward
// pass passes the program's messages and keeps a record of each, the reverse
// pass sends adjoints the other way by that record, and tangents travel behind
// the numbers under a tag of their own. Without records nobody would know in
// the reverse pass who sent what a receive from any source has got.
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/// The tape of an operation that one call begins, or begins and ends.
static void *taped(struct record *r, enum step s) {
  if (r->class != NOTHING) {
    __retro_mpi_keep(r);
    return __retro_mpi_tape(r, s);
  }
  if (s == BOTH)
    __retro_mpi_forget(r);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Tangents
//===----------------------------------------------------------------------===//

static void sendTangent(struct record *r) {
  if (r->class != SEND || !r->numbers)
    return;
  void *packed =
      __retro_mpi_allocate((size_t)r->numbers * __retro_mpi_size(r->layout));
  __retro_mpi_pack(r->layout, r->memory, r->numbers, false, packed);
  __retro_mpi_mark_unknown(r->origins, r->numbers, packed);
  __retro_mpi_send_off(packed, (int)r->numbers, __retro_mpi_number(r->layout),
                       r->peer, __retro_mpi_derivative_tag(r->name, r->tag),
                       r->comm);
}

/// Receives whose source or tag is not known when they are posted, in the order
/// in which they are posted. They get their tangents when they are complete; so
/// do receives that are posted while one of these is under way.
struct record *__retro_mpi_late;

static bool mayMatch(const struct record *pattern, const struct record *r) {
  return pattern->comm == r->comm &&
         (pattern->peer == MPI_ANY_SOURCE || r->peer == MPI_ANY_SOURCE ||
          pattern->peer == r->peer) &&
         (pattern->tag == MPI_ANY_TAG || r->tag == MPI_ANY_TAG ||
          pattern->tag == r->tag);
}

static void receive(struct record *r, MPI_Request *request) {
  int n = (int)r->numbers, tag = __retro_mpi_derivative_tag(r->name, r->tag);
  MPI_Datatype type = __retro_mpi_number(r->layout);
  r->packed =
      __retro_mpi_allocate((size_t)r->numbers * __retro_mpi_size(r->layout));
  r->started = true;
  if (request)
    MPI_Irecv(r->packed, n, type, r->peer, tag, r->comm, request);
  else
    MPI_Recv(r->packed, n, type, r->peer, tag, r->comm, MPI_STATUS_IGNORE);
}

/// Posts the tangent of a receive. later: something waits for it.
static void postTangent(struct record *r, bool later) {
  if (r->class != RECEIVE)
    return;
  bool waits = r->receives_any;
  struct record **end = &__retro_mpi_late;
  for (; *end; end = &(*end)->later)
    waits |= mayMatch(*end, r);
  if (waits)
    *end = r;
  else if (later)
    receive(r, &r->request);
}

/// A receive v that is matched by a message of r's stream, and was posted
/// before r, was matched before r, too: it will be complete, if it is not yet.
static void learnSource(struct record *v, const struct record *r) {
  int done = v->handle == MPI_REQUEST_NULL;
  MPI_Status status;
  if (done || !mayMatch(v, r))
    return;
  while (!done)
    MPI_Request_get_status(v->handle, &done, &status);
  v->peer = status.MPI_SOURCE;
  v->tag = status.MPI_TAG;
}

void __retro_mpi_take_tangent(struct record *r) {
  if (r->class != RECEIVE)
    return;
  struct record *before = __retro_mpi_late;
  while (before && before != r)
    before = before->later;
  if (before) { // r is late
    struct record **p = &__retro_mpi_late;
    for (; *p != r; p = &(*p)->later) {
      learnSource(*p, r);
      if (!(*p)->started && (*p)->peer == r->peer && (*p)->tag == r->tag &&
          (*p)->comm == r->comm)
        receive(*p, NULL);
    }
    *p = r->later;
  }
  if (r->numbers && !r->started)
    receive(r, NULL);
  if (r->started) {
    MPI_Wait(&r->request, MPI_STATUS_IGNORE);
    __retro_mpi_unpack(r->layout, r->memory, r->numbers, r->packed);
  }
}

//===----------------------------------------------------------------------===//
// Blocking
//===----------------------------------------------------------------------===//

typedef int sender(const void *, int, MPI_Datatype, int, int, MPI_Comm);

static int sendBy(sender *mpi, const char *name, const void *buffer, int count,
                  MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  void *shadow, void **tape) {
  struct record *r = __retro_mpi_message(SEND, name, (void *)buffer, shadow,
                                         count, type, dest, tag, comm);
  r->tangent = !tape;
  __retro_mpi_post(r, false);
  int error = mpi(buffer, count, type, dest, tag, comm);
  if (tape) {
    *tape = taped(r, BOTH);
  } else {
    sendTangent(r);
    __retro_mpi_forget(r);
  }
  return error;
}

#define SENDER(Name, Mpi)                                                      \
  int __retro_mpi_##Name(const void *buffer, int count, MPI_Datatype type,     \
                         int dest, int tag, MPI_Comm comm, void *shadow,       \
                         void **tape) {                                        \
    return sendBy(Mpi, #Mpi, buffer, count, type, dest, tag, comm, shadow,     \
                  tape);                                                       \
  }
SENDER(send, MPI_Send)
SENDER(ssend, MPI_Ssend)
SENDER(bsend, MPI_Bsend)
SENDER(rsend, MPI_Rsend)

static void received(struct record *r, MPI_Status *status, void **tape) {
  __retro_mpi_complete(r, status);
  if (tape) {
    *tape = taped(r, BOTH);
  } else {
    __retro_mpi_take_tangent(r);
    __retro_mpi_forget(r);
  }
}

int __retro_mpi_recv(void *buffer, int count, MPI_Datatype type, int source,
                     int tag, MPI_Comm comm, MPI_Status *status, void *shadow,
                     void **tape) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  struct record *r = __retro_mpi_message(RECEIVE, "MPI_Recv", buffer, shadow,
                                         count, type, source, tag, comm);
  r->tangent = !tape;
  __retro_mpi_post(r, false);
  if (!tape)
    postTangent(r, false);
  int error = MPI_Recv(buffer, count, type, source, tag, comm, status);
  received(r, status, tape);
  return error;
}

/// Both parts of a Sendrecv are done.
static void exchanged(struct record *s, struct record *r, MPI_Status *status,
                      void **tape) {
  if (!tape) {
    sendTangent(s);
    __retro_mpi_forget(s);
    return received(r, status, NULL);
  }
  __retro_mpi_complete(r, status);
  struct record *both[2] = {s, r};
  for (int i = 0; i < 2; ++i)
    if (!taped(both[i], BOTH))
      both[i] = NULL;
  *tape = __retro_mpi_tapes(both, 2, BOTH);
}

int __retro_mpi_sendrecv(const void *out, int outCount, MPI_Datatype outType,
                         int dest, int outTag, void *in, int inCount,
                         MPI_Datatype inType, int source, int inTag,
                         MPI_Comm comm, MPI_Status *status, void *outShadow,
                         void *inShadow, void **tape) {
  const char *name = "MPI_Sendrecv";
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  struct record *s = __retro_mpi_message(SEND, name, (void *)out, outShadow,
                                         outCount, outType, dest, outTag, comm);
  struct record *r = __retro_mpi_message(RECEIVE, name, in, inShadow, inCount,
                                         inType, source, inTag, comm);
  s->tangent = r->tangent = !tape;
  __retro_mpi_post(s, false);
  __retro_mpi_post(r, false);
  if (!tape)
    postTangent(r, false);
  int error = MPI_Sendrecv(out, outCount, outType, dest, outTag, in, inCount,
                           inType, source, inTag, comm, status);
  exchanged(s, r, status, tape);
  return error;
}

int __retro_mpi_sendrecv_replace(void *buffer, int count, MPI_Datatype type,
                                 int dest, int outTag, int source, int inTag,
                                 MPI_Comm comm, MPI_Status *status,
                                 void *shadow, void **tape) {
  const char *name = "MPI_Sendrecv_replace";
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  struct record *s = __retro_mpi_message(SEND, name, buffer, shadow, count,
                                         type, dest, outTag, comm);
  struct record *r = __retro_mpi_message(RECEIVE, name, buffer, shadow, count,
                                         type, source, inTag, comm);
  s->tangent = r->tangent = !tape;
  __retro_mpi_post(s, false);
  __retro_mpi_post(r, false);
  if (!tape)
    postTangent(r, false);
  int error = MPI_Sendrecv_replace(buffer, count, type, dest, outTag, source,
                                   inTag, comm, status);
  exchanged(s, r, status, tape);
  return error;
}

//===----------------------------------------------------------------------===//
// Non-blocking
//===----------------------------------------------------------------------===//

/// Notes that an operation was started, whose request is under way.
static void *started(struct record *r, MPI_Request handle, bool reverse) {
  __retro_mpi_enter(r, handle);
  return reverse ? taped(r, END) : NULL;
}

typedef int starter(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                    MPI_Request *);

static int startBy(starter *mpi, const char *name, const void *buffer,
                   int count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Request *request, void *shadow,
                   void **tape) {
  struct record *r = __retro_mpi_message(SEND, name, (void *)buffer, shadow,
                                         count, type, dest, tag, comm);
  r->tangent = !tape;
  __retro_mpi_post(r, true);
  int error = mpi(buffer, count, type, dest, tag, comm, request);
  if (!tape)
    sendTangent(r);
  void *t = started(r, *request, tape != NULL);
  if (tape)
    *tape = t;
  return error;
}

#define STARTER(Name, Mpi)                                                     \
  int __retro_mpi_##Name(const void *buffer, int count, MPI_Datatype type,     \
                         int dest, int tag, MPI_Comm comm,                     \
                         MPI_Request *request, void *shadow, void **tape) {    \
    return startBy(Mpi, #Mpi, buffer, count, type, dest, tag, comm, request,   \
                   shadow, tape);                                              \
  }
STARTER(isend, MPI_Isend)
STARTER(issend, MPI_Issend)
STARTER(ibsend, MPI_Ibsend)
STARTER(irsend, MPI_Irsend)

int __retro_mpi_irecv(void *buffer, int count, MPI_Datatype type, int source,
                      int tag, MPI_Comm comm, MPI_Request *request,
                      void *shadow, void **tape) {
  struct record *r = __retro_mpi_message(RECEIVE, "MPI_Irecv", buffer, shadow,
                                         count, type, source, tag, comm);
  r->tangent = !tape;
  __retro_mpi_post(r, true);
  int error = MPI_Irecv(buffer, count, type, source, tag, comm, request);
  if (!tape)
    postTangent(r, true);
  void *t = started(r, *request, tape != NULL);
  if (tape)
    *tape = t;
  return error;
}

//===----------------------------------------------------------------------===//
// Persistent requests: each start is an operation
//===----------------------------------------------------------------------===//

static void prepared(enum operation class, const char *name, const void *buffer,
                     void *shadow, int count, MPI_Datatype type, int peer,
                     int tag, MPI_Comm comm, MPI_Request handle) {
  struct record *r = __retro_mpi_message(class, name, (void *)buffer, shadow,
                                         count, type, peer, tag, comm);
  r->persistent = true;
  __retro_mpi_enter(r, handle);
}

#define PREPARER(Name, Mpi, Class, Buffer)                                     \
  int __retro_mpi_##Name(Buffer buffer, int count, MPI_Datatype type,          \
                         int peer, int tag, MPI_Comm comm,                     \
                         MPI_Request *request, void *shadow, void **tape) {    \
    int error = Mpi(buffer, count, type, peer, tag, comm, request);            \
    prepared(Class, #Mpi, buffer, shadow, count, type, peer, tag, comm,        \
             *request);                                                        \
    if (tape)                                                                  \
      *tape = NULL;                                                            \
    return error;                                                              \
  }
PREPARER(send_init, MPI_Send_init, SEND, const void *)
PREPARER(ssend_init, MPI_Ssend_init, SEND, const void *)
PREPARER(bsend_init, MPI_Bsend_init, SEND, const void *)
PREPARER(rsend_init, MPI_Rsend_init, SEND, const void *)
PREPARER(recv_init, MPI_Recv_init, RECEIVE, void *)

/// The operation that the start of a persistent request begins.
static struct record *startOf(const char *name, MPI_Request handle,
                              bool tangent) {
  struct record *p = __retro_mpi_find(handle, false);
  if (!p || !p->persistent)
    __retro_mpi_fail(name, "the persistent request was not made where "
                           "derivatives are computed: make it in the "
                           "differentiated function");
  struct record *r =
      __retro_mpi_record(p->class, p->name, p->comm, p->peer, p->tag);
  if (p->layout)
    r->layout = __retro_mpi_share(p->layout);
  r->memory = p->memory;
  r->numbers = p->numbers;
  if (p->origins)
    r->origins = __retro_mpi_origins(r->layout, r->memory, r->numbers);
  r->receives_any = p->receives_any;
  r->handle = handle;
  r->tangent = tangent;
  p->active = r;
  __retro_mpi_post(r, true);
  return r;
}

int __retro_mpi_startall(int n, MPI_Request *requests, void **tape) {
  struct record **r = __retro_mpi_allocate((size_t)n * sizeof(struct record *));
  for (int i = 0; i < n; ++i)
    r[i] = startOf("MPI_Start", requests[i], !tape);
  int error = MPI_Startall(n, requests);
  for (int i = 0; i < n; ++i)
    if (!tape) {
      sendTangent(r[i]);
      postTangent(r[i], true);
    } else if (!taped(r[i], END)) {
      r[i] = NULL;
    }
  if (tape)
    *tape = __retro_mpi_tapes(r, n, END);
  free(r);
  return error;
}

int __retro_mpi_start(MPI_Request *request, void **tape) {
  return __retro_mpi_startall(1, request, tape);
}
