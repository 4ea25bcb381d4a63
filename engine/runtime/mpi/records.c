// Operations, the order of their adjoints, and the requests under way.
//
// Messages of one stream (peer, tag, communicator) are matched in the order in
// which they are posted; the waits for them may come in any order, and in
// another one at the other end. So adjoints are not started in the order in
// which the reverse pass comes to the waits, but from the last that was posted
// to the first: each as soon as it and all after it have been waited for. The
// other end does the same, and the adjoints match as the messages did. This
// never waits for more than the primal did: the wait for a later message of the
// stream comes after the post of an earlier one, so the reverse pass comes to
// it before it ends the earlier one. Collective operations of a communicator
// are such a stream. Only operations that overlap need this: they share a
// window, which begins when none is under way.
#include "lock.h"
#include "runtime.h"

#include <stdint.h>
#include <stdlib.h>

enum { BUCKETS = 1024 };

/// The state is the program's: of all modules that have this code.
atomic_flag __retro_mpi_busy = ATOMIC_FLAG_INIT;
struct outgoing *__retro_mpi_outgoing;
struct window *__retro_mpi_windows[3]; // by class
struct record *__retro_mpi_under_way[BUCKETS];
int __retro_mpi_use_key = MPI_KEYVAL_INVALID;

static void lock(void) { lockBy(&__retro_mpi_busy); }
static void unlock(void) { unlockBy(&__retro_mpi_busy); }

//===----------------------------------------------------------------------===//
// Messages of derivatives
//===----------------------------------------------------------------------===//

static int firstDerivativeTag(void) {
  static int first;
  if (!first) {
    int *most, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
    first = (found ? *most : 32767) / 2 + 1;
  }
  return first;
}

int __retro_mpi_derivative_tag(const char *name, int tag) {
  if (tag >= firstDerivativeTag())
    __retro_mpi_fail(name,
                     "the tag is too large: the upper half of the tags is "
                     "for the derivative's messages");
  return tag + firstDerivativeTag();
}

struct outgoing {
  struct outgoing *next;
  void *packed;
  MPI_Request request;
};

/// Removes messages that have arrived.
static void reap(void) {
  for (struct outgoing **p = &__retro_mpi_outgoing; *p;) {
    struct outgoing *o = *p;
    int done;
    MPI_Test(&o->request, &done, MPI_STATUS_IGNORE);
    if (!done)
      return; // the later ones will hardly be
    *p = o->next;
    free(o->packed);
    free(o);
  }
}

static int finishOutgoing(MPI_Comm c, int key, void *value, void *unused) {
  (void)c, (void)key, (void)value, (void)unused;
  while (__retro_mpi_outgoing) {
    struct outgoing *o = __retro_mpi_outgoing;
    MPI_Wait(&o->request, MPI_STATUS_IGNORE);
    __retro_mpi_outgoing = o->next;
    free(o->packed);
    free(o);
  }
  return MPI_SUCCESS;
}

void __retro_mpi_send_off(void *packed, int n, MPI_Datatype type, int peer,
                          int tag, MPI_Comm comm) {
  static int key = MPI_KEYVAL_INVALID;
  struct outgoing *o = __retro_mpi_allocate(sizeof *o),
                  **last = &__retro_mpi_outgoing;
  o->packed = packed;
  MPI_Isend(packed, n, type, peer, tag, comm, &o->request);
  lock();
  if (key == MPI_KEYVAL_INVALID) { // deleted first of all by MPI_Finalize
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finishOutgoing, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  }
  while (*last)
    last = &(*last)->next;
  *last = o;
  reap();
  unlock();
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

struct window {
  int open; ///< operations under way
  int kept; ///< records in it
  int n, room;
  int top; ///< from here on all adjoints have begun
  bool current;
  struct record **at;
};

struct record *__retro_mpi_record(enum operation class, const char *name,
                                  MPI_Comm comm, int peer, int tag) {
  struct record *r = __retro_mpi_allocate(sizeof *r);
  r->class = class;
  r->name = name;
  r->comm = comm;
  r->peer = peer;
  r->tag = tag;
  r->request = MPI_REQUEST_NULL;
  r->handle = MPI_REQUEST_NULL;
  return r;
}

struct record *__retro_mpi_message(enum operation class, const char *name,
                                   void *buffer, void *shadow, int count,
                                   MPI_Datatype type, int peer, int tag,
                                   MPI_Comm comm) {
  struct record *r = __retro_mpi_record(class, name, comm, peer, tag);
  if (peer == MPI_PROC_NULL || type == MPI_DATATYPE_NULL) {
    r->class = NOTHING;
    return r;
  }
  r->layout = __retro_mpi_layout(type);
  if (shadow == buffer) // constant memory
    shadow = NULL;
  if ((r->layout->opaque || r->layout->packed) && shadow)
    __retro_mpi_fail(name, "bytes of active memory are sent or received: give "
                           "the datatype of the numbers in it");
  if (r->layout->numbers && buffer == MPI_BOTTOM && count)
    __retro_mpi_fail(name, "the derivative of absolute addresses (MPI_BOTTOM) "
                           "is not known");
  r->memory = r->layout->packed ? buffer : shadow;
  r->numbers = (MPI_Aint)count * r->layout->numbers;
  if (class == SEND)
    r->origins = __retro_mpi_origins(r->layout, buffer, r->numbers);
  if (class == SEND ? r->numbers == 0 : r->layout->numbers == 0)
    r->class = NOTHING;
  if (r->class != NOTHING && tag != MPI_ANY_TAG)
    __retro_mpi_derivative_tag(name, tag);
  r->receives_any =
      class == RECEIVE && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
  return r;
}

//===----------------------------------------------------------------------===//
// Communicators: what the program frees lives until nothing on the tape uses it
//===----------------------------------------------------------------------===//

struct use {
  long records;
  bool freed;
};

static struct use *useOf(MPI_Comm comm, bool make) {
  struct use *u;
  int found = 0;
  if (__retro_mpi_use_key == MPI_KEYVAL_INVALID)
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
                           &__retro_mpi_use_key, NULL);
  MPI_Comm_get_attr(comm, __retro_mpi_use_key, &u, &found);
  if (!found && make) {
    u = __retro_mpi_allocate(sizeof *u);
    MPI_Comm_set_attr(comm, __retro_mpi_use_key, u);
  }
  return found || make ? u : NULL;
}

static bool mayBeFreed(MPI_Comm comm) {
  return comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF;
}

void __retro_mpi_keep(struct record *r) {
  r->kept = true;
  if (!mayBeFreed(r->comm))
    return;
  lock();
  ++useOf(r->comm, true)->records;
  unlock();
}

static void release(MPI_Comm comm) {
  if (!mayBeFreed(comm))
    return;
  lock();
  struct use *u = useOf(comm, true);
  bool last = --u->records == 0 && u->freed;
  unlock();
  if (!last)
    return;
  free(u);
  MPI_Comm_free(&comm);
}

int __retro_mpi_comm_free(MPI_Comm *comm, void **tape) {
  if (tape)
    *tape = NULL;
  struct use *u = useOf(*comm, false);
  if (!u || u->records == 0) {
    free(u);
    return MPI_Comm_free(comm);
  }
  u->freed = true;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

static void leaveWindow(struct record *r) {
  struct window *w = r->window;
  if (!w)
    return;
  w->at[r->place] = NULL;
  if (--w->kept || w->current)
    return;
  free(w->at);
  free(w);
}

void __retro_mpi_forget(struct record *r) {
  lock();
  leaveWindow(r);
  unlock();
  if (r->kept)
    release(r->comm);
  __retro_mpi_release(r->layout);
  __retro_mpi_forget_collective(r->collective);
  free(r->origins);
  free(r->packed);
  free(r);
}

void __retro_mpi_post(struct record *r, bool later) {
  if (r->class == NOTHING || r->tangent)
    return;
  lock();
  struct window *w = __retro_mpi_windows[r->class];
  if (w && !w->open) { // all that began in it has ended
    w->current = false;
    if (!w->kept) {
      free(w->at);
      free(w);
    }
    __retro_mpi_windows[r->class] = w = NULL;
  }
  if (!w && later) {
    __retro_mpi_windows[r->class] = w = __retro_mpi_allocate(sizeof *w);
    w->current = true;
  }
  if (w) {
    if (w->n == w->room) {
      w->room = w->room ? 2 * w->room : 8;
      w->at = realloc(w->at, (size_t)w->room * sizeof(struct record *));
      if (!w->at)
        __retro_mpi_fail("malloc", "no memory is left for the tape");
    }
    r->window = w;
    r->place = w->n;
    w->at[w->n++] = r;
    w->top = w->n;
    ++w->kept;
    w->open += later;
  }
  unlock();
}

void __retro_mpi_complete(struct record *r, MPI_Status *status) {
  if (r->handle != MPI_REQUEST_NULL && r->window) {
    lock();
    --r->window->open;
    unlock();
  }
  r->handle = MPI_REQUEST_NULL;
  if (r->collective)
    __retro_mpi_complete_collective(r);
  if (r->class != RECEIVE)
    return;
  r->peer = status->MPI_SOURCE;
  r->tag = status->MPI_TAG;
  if (r->peer != MPI_PROC_NULL && r->tag >= firstDerivativeTag())
    __retro_mpi_fail(r->name,
                     "a receive from any source with any tag took a message of "
                     "the derivative: give the source or the tag");
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  r->numbers = __retro_mpi_numbers_in(r->layout, bytes);
  if (r->peer == MPI_PROC_NULL)
    r->numbers = 0;
  if (r->layout)
    __retro_mpi_received(r->layout, r->memory, r->numbers);
}

//===----------------------------------------------------------------------===//
// Requests under way
//===----------------------------------------------------------------------===//

static struct record **bucketOf(MPI_Request handle) {
  uintptr_t n = (uintptr_t)handle;
  return &__retro_mpi_under_way[(n >> 4 ^ n >> 14) % BUCKETS];
}

void __retro_mpi_enter(struct record *r, MPI_Request handle) {
  r->handle = handle;
  lock();
  struct record **b = bucketOf(handle);
  r->next = *b;
  *b = r;
  unlock();
}

/// Libraries give the same handle to all requests that are complete at once.
/// It does not matter which of those is found: any order of the waits for them
/// is as good as another.
struct record *__retro_mpi_find(MPI_Request handle, bool take) {
  if (handle == MPI_REQUEST_NULL)
    return NULL;
  lock();
  struct record **p = bucketOf(handle), *r;
  while (*p && (*p)->handle != handle)
    p = &(*p)->next;
  r = *p;
  if (r && r->persistent && !take) { // stays entered
    unlock();
    return r;
  }
  if (r)
    *p = r->next;
  unlock();
  return r;
}

struct record *__retro_mpi_take(const char *name, MPI_Request handle) {
  struct record *r = __retro_mpi_find(handle, false);
  if (!r && handle != MPI_REQUEST_NULL)
    __retro_mpi_fail(name, "the request was not started where derivatives are "
                           "computed: start it in the differentiated function");
  if (!r || !r->persistent)
    return r;
  // The operation that was started; none: the request is inactive.
  struct record *started = r->active;
  r->active = NULL;
  return started;
}

//===----------------------------------------------------------------------===//
// The reverse pass
//===----------------------------------------------------------------------===//

static void start(struct record *r) {
  r->started = true;
  if (r->class == COLLECTIVE)
    return __retro_mpi_start_collective(r);
  if (!r->numbers)
    return;
  int n = (int)r->numbers, tag = __retro_mpi_derivative_tag(r->name, r->tag);
  MPI_Datatype type = __retro_mpi_number(r->layout);
  if (r->class == SEND) {
    r->packed =
        __retro_mpi_allocate((size_t)r->numbers * __retro_mpi_size(r->layout));
    MPI_Irecv(r->packed, n, type, r->peer, tag, r->comm, &r->request);
  } else {
    __retro_mpi_send_off(r->packed, n, type, r->peer, tag, r->comm);
    r->packed = NULL;
  }
}

static bool sameStream(const struct record *a, const struct record *b) {
  return a->comm == b->comm && a->peer == b->peer && a->tag == b->tag;
}

/// The next record that may start in r's stream; the one posted last comes
/// first.
static struct record *nextOf(struct record *r) {
  struct window *w = r->window;
  for (int i = w->top - 1; i >= 0; --i) {
    struct record *q = w->at[i];
    if (!q || q->started)
      w->top -= i == w->top - 1;
    else if (sameStream(q, r))
      return q->ready ? q : NULL;
  }
  return NULL;
}

void __retro_mpi_begin(struct record *r) {
  if (r->class >= NOTHING || r->ready)
    return;
  r->ready = true;
  if (r->class == RECEIVE) { // what was there before has no part in it
    r->packed =
        __retro_mpi_allocate((size_t)r->numbers * __retro_mpi_size(r->layout));
    __retro_mpi_pack(r->layout, r->memory, r->numbers, true, r->packed);
  }
  if (!r->window)
    return start(r);
  for (;;) {
    lock();
    struct record *next = nextOf(r);
    if (next)
      next->started = true;
    unlock();
    if (!next)
      return;
    start(next);
  }
}

/// Waits for the adjoint of a message.
static void finish(struct record *r) {
  MPI_Status status;
  int n;
  MPI_Wait(&r->request, &status);
  MPI_Get_count(&status, __retro_mpi_number(r->layout), &n);
  if (r->layout->packed && n != r->numbers)
    __retro_mpi_fail(r->name, "packed bytes are received as something else: "
                              "receive them as MPI_PACKED");
  __retro_mpi_check_origins(r->name, r->origins, r->numbers, r->packed);
}

void __retro_mpi_end(struct record *r) {
  __retro_mpi_begin(r); // where nothing waited for it
  if (r->class < NOTHING && !r->started)
    __retro_mpi_fail(r->name,
                     "a later message of the same kind was never waited "
                     "for: its adjoint cannot be sent");
  if (r->class == SEND && r->numbers) {
    finish(r);
    __retro_mpi_add(r->layout, r->memory, r->numbers, r->packed);
  } else if (r->class == COLLECTIVE) {
    __retro_mpi_end_collective(r);
  } else if (r->class > NOTHING) {
    __retro_mpi_end_packing(r);
  }
  __retro_mpi_forget(r);
}

//===----------------------------------------------------------------------===//
// Tapes: a record, and in its lowest bits the step; or a list, and 0
//===----------------------------------------------------------------------===//

struct tapes {
  enum step step;
  int n;
  struct record *at[];
};

void *__retro_mpi_tape(struct record *r, enum step s) {
  return r ? (char *)r + s : NULL;
}

void *__retro_mpi_tapes(struct record **r, int n, enum step s) {
  struct tapes *t = __retro_mpi_allocate(sizeof *t + (size_t)n * sizeof *r);
  t->step = s;
  for (int i = 0; i < n; ++i)
    if (r[i])
      t->at[t->n++] = r[i];
  return t;
}

void __retro_mpi_reverse(void *tape) {
  if (!tape)
    return;
  struct record *one[1];
  int s = (int)((uintptr_t)tape & 3), n = 1;
  struct tapes *list = s ? NULL : tape;
  struct record **all = one;
  if (list) {
    all = list->at;
    n = list->n;
    s = (int)list->step;
  } else {
    one[0] = (struct record *)((char *)tape - s);
  }
  for (int i = n - 1; i >= 0 && (s & BEGIN); --i)
    __retro_mpi_begin(all[i]);
  for (int i = n - 1; i >= 0 && (s & END); --i)
    __retro_mpi_end(all[i]);
  free(list);
}
