// MPI_Pack and MPI_Unpack, and messages of what they pack. Packed bytes say
// nothing of the numbers among them, and no shadow could: so it is noted here,
// by its address, for each byte who has put it there, and the derivative of the
// number that begins with it. A message of packed bytes has one number for each
// byte. Bytes that something else has put there since, or has moved, are found
// by what they are: numbers among those end the program, as their derivatives
// would be lost.
#include "lock.h"
#include "runtime.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Who has put a byte where it is; NUMBER and more: MPI_Pack, as the first of a
/// number of that kind.
enum origin { ELSEWHERE, INSIDE, RECEIVED, NUMBER };

enum { BYTES = 64, BUCKETS = 1024 };
struct block {
  uintptr_t address;
  struct block *next;
  char byte[BYTES];
  unsigned char origin[BYTES];
  double value[BYTES];
};

/// The state is the program's: of all modules that have this code.
struct block *__retro_mpi_blocks[BUCKETS];
atomic_flag __retro_mpi_blocks_busy = ATOMIC_FLAG_INIT;

static void lock(void) { lockBy(&__retro_mpi_blocks_busy); }
static void unlock(void) { unlockBy(&__retro_mpi_blocks_busy); }

/// The value of a byte whose origin is not known, as a tangent on its way.
static double unknown(void) {
  const uint64_t bits = 0x7ff8726574726f00;
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
static bool isUnknown(double d) {
  const double u = unknown();
  return memcmp(&d, &u, sizeof d) == 0;
}

/// What is noted of one byte.
struct note {
  char *byte;
  unsigned char *origin;
  double *value;
};

static struct note noteOf(const char *p) {
  const uintptr_t at = (uintptr_t)p / BYTES;
  struct block **head = &__retro_mpi_blocks[(at ^ at >> 10) % BUCKETS],
               *b = *head;
  while (b && b->address != at)
    b = b->next;
  if (!b) {
    b = __retro_mpi_allocate(sizeof *b);
    b->address = at;
    b->next = *head;
    *head = b;
  }
  const uintptr_t i = (uintptr_t)p % BYTES;
  struct note n = {&b->byte[i], &b->origin[i], &b->value[i]};
  return n;
}

static void put(const char *p, MPI_Aint bytes, enum origin o) {
  for (MPI_Aint i = 0; i < bytes; ++i) {
    struct note n = noteOf(p + i);
    *n.byte = p[i];
    *n.origin = (unsigned char)o;
    *n.value = 0;
  }
}

static int originOf(const char *p) {
  struct note n = noteOf(p);
  return *n.byte == *p ? *n.origin : ELSEWHERE;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void __retro_mpi_received(const struct layout *l, const void *bytes,
                          MPI_Aint n) {
  if (!l->packed)
    return;
  lock();
  put(bytes, n, RECEIVED);
  unlock();
}

unsigned char *__retro_mpi_origins(const struct layout *l, const void *bytes,
                                   MPI_Aint n) {
  if (!l->packed)
    return NULL;
  unsigned char *all = __retro_mpi_allocate((size_t)n);
  lock();
  for (MPI_Aint i = 0; i < n; ++i) {
    const char *p = (const char *)bytes + i;
    all[i] = (unsigned char)originOf(p);
    if (all[i] == ELSEWHERE) // what an earlier derivative has left
      *noteOf(p).value = 0;
  }
  unlock();
  return all;
}

static _Noreturn void failUnknown(const char *name) {
  __retro_mpi_fail(name, "there are active numbers among the packed bytes that "
                         "neither MPI_Pack, with their datatype, nor a message "
                         "has put there in the differentiated function");
}

void __retro_mpi_check_origins(const char *name, const unsigned char *origins,
                               MPI_Aint n, const void *packed) {
  const double *adjoint = packed;
  for (MPI_Aint i = 0; origins && i < n; ++i)
    if (adjoint[i] != 0 && origins[i] < RECEIVED)
      failUnknown(name);
}

void __retro_mpi_take_values(const void *bytes, MPI_Aint n, bool clear,
                             void *packed) {
  double *to = packed;
  const char *p = bytes;
  lock();
  for (MPI_Aint i = 0; i < n; ++i) {
    double *value = noteOf(p + i).value;
    to[i] = *value;
    if (clear)
      *value = 0;
  }
  unlock();
}

void __retro_mpi_mark_unknown(const unsigned char *origins, MPI_Aint n,
                              void *packed) {
  for (MPI_Aint i = 0; origins && i < n; ++i)
    if (origins[i] == ELSEWHERE)
      ((double *)packed)[i] = unknown();
}

void __retro_mpi_give_values(const void *bytes, MPI_Aint n, bool add,
                             const void *packed) {
  const double *from = packed;
  lock();
  for (MPI_Aint i = 0; i < n; ++i) {
    double *value = noteOf((const char *)bytes + i).value;
    *value = add ? *value + from[i] : from[i];
  }
  unlock();
}

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

enum pass { PACK, PACK_BACK, UNPACK, UNPACK_BACK };

/// Moves the derivative of one number between its shadow (if there is one) and
/// what is noted of its first byte.
static void moveOne(enum pass p, enum number kind, char *shadow, double *noted,
                    const char *name) {
  const long double own = shadow ? __retro_mpi_get(kind, shadow) : 0;
  if (p == UNPACK && isUnknown(*noted))
    failUnknown(name);
  if (shadow && p != PACK)
    __retro_mpi_put(kind, shadow,
                    p == PACK_BACK ? own + *noted
                    : p == UNPACK  ? *noted
                                   : 0);
  *noted = p == PACK          ? (double)own
           : p == PACK_BACK   ? 0
           : p == UNPACK_BACK ? *noted + (double)own
                              : *noted;
}

/// Does so with all numbers of a call.
static void moveAll(enum pass p, const struct record *r) {
  if (p >= UNPACK && !r->memory)
    return;
  lock();
  for (MPI_Aint i = 0; i < r->numbers; ++i) {
    const struct place *at = &r->layout->places[i % r->layout->numbers];
    const MPI_Aint item = i / r->layout->numbers;
    char *shadow = r->memory;
    if (shadow)
      shadow += item * r->layout->extent + at->offset;
    moveOne(p, at->kind, shadow,
            noteOf(r->bytes + item * r->layout->bytes + at->before).value,
            r->name);
  }
  unlock();
}

/// Notes what MPI_Pack has put there.
static void notePacked(const struct record *r, MPI_Aint bytes) {
  lock();
  put(r->bytes, bytes, INSIDE);
  for (MPI_Aint i = 0; i < r->numbers; ++i) {
    const struct place *at = &r->layout->places[i % r->layout->numbers];
    const MPI_Aint item = i / r->layout->numbers;
    *noteOf(r->bytes + item * r->layout->bytes + at->before).origin =
        (unsigned char)(NUMBER + at->kind);
  }
  unlock();
}

static MPI_Aint sizeOf(enum number k) {
  return k == FLOAT    ? sizeof(float)
         : k == DOUBLE ? sizeof(double)
                       : sizeof(long double);
}

/// Are these bytes a number that MPI_Pack, or a message, has put there?
static bool isNumber(const char *p, enum number kind) {
  const int first = originOf(p);
  for (MPI_Aint i = 1; i < sizeOf(kind); ++i)
    if (originOf(p + i) != (first == RECEIVED ? RECEIVED : INSIDE))
      return false;
  return first == RECEIVED || first == NUMBER + (int)kind;
}

static void checkUnpacked(const struct record *r) {
  if (!r->memory)
    return;
  lock();
  for (MPI_Aint i = 0; i < r->numbers; ++i) {
    const struct place *at = &r->layout->places[i % r->layout->numbers];
    const MPI_Aint item = i / r->layout->numbers;
    if (!isNumber(r->bytes + item * r->layout->bytes + at->before, at->kind))
      failUnknown(r->name);
  }
  unlock();
}

/// The record of a call, once it has moved the position from `before`.
static struct record *recordOf(enum operation class, const char *name,
                               void *buffer, void *shadow, int count,
                               MPI_Datatype type, const void *bytes, int before,
                               int after, MPI_Comm comm) {
  struct record *r = __retro_mpi_record(class, name, comm, 0, 0);
  r->layout = __retro_mpi_layout(type);
  r->memory = shadow == buffer ? NULL : shadow;
  r->numbers = (MPI_Aint)count * r->layout->numbers;
  r->bytes = (char *)bytes + before;
  if ((r->layout->opaque || r->layout->packed) && r->memory)
    __retro_mpi_fail(name, "bytes of active memory are packed: give the "
                           "datatype of the numbers in it");
  if (r->layout->packed)
    r->numbers = 0;
  if (r->numbers && after - before != count * r->layout->bytes)
    __retro_mpi_fail(name, "the library packs more than the numbers");
  return r;
}

static void done(struct record *r, void **tape) {
  if (tape && r->numbers) {
    *tape = __retro_mpi_tape(r, END);
    return;
  }
  if (tape)
    *tape = NULL;
  __retro_mpi_forget(r);
}

int __retro_mpi_pack_bytes(const void *in, int count, MPI_Datatype type,
                           void *out, int size, int *position, MPI_Comm comm,
                           void *shadow, void **tape) {
  const int before = *position;
  int error = MPI_Pack(in, count, type, out, size, position, comm);
  struct record *r = recordOf(PACKING, "MPI_Pack", (void *)in, shadow, count,
                              type, out, before, *position, comm);
  notePacked(r, *position - before);
  if (!tape)
    moveAll(PACK, r);
  done(r, tape);
  return error;
}

int __retro_mpi_unpack_bytes(const void *in, int size, int *position, void *out,
                             int count, MPI_Datatype type, MPI_Comm comm,
                             void *shadow, void **tape) {
  const int before = *position;
  int error = MPI_Unpack(in, size, position, out, count, type, comm);
  struct record *r = recordOf(UNPACKING, "MPI_Unpack", out, shadow, count, type,
                              in, before, *position, comm);
  checkUnpacked(r);
  if (!tape)
    moveAll(UNPACK, r);
  done(r, tape);
  return error;
}

void __retro_mpi_end_packing(struct record *r) {
  moveAll(r->class == PACKING ? PACK_BACK : UNPACK_BACK, r);
}
