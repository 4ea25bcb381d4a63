// Finds where the numbers are in the items of a datatype. What is missed here
// travels forwards, but no adjoint comes back for it.
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void __retro_mpi_fail(const char *name, const char *what) {
  fprintf(stderr, "retrograde: %s: %s\n", name, what);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

void *__retro_mpi_allocate(size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  if (!p)
    __retro_mpi_fail("malloc", "no memory is left for the tape");
  return p;
}

static size_t sizeOf(enum number k) {
  return k == FLOAT    ? sizeof(float)
         : k == DOUBLE ? sizeof(double)
                       : sizeof(long double);
}

struct named {
  MPI_Datatype type;
  int numbers; ///< 0: there are none; -1: bytes, of whatever; -2: packed
  enum number kind;
};

/// Looks up a datatype that is no combination of others.
static struct named lookUp(MPI_Datatype t) {
  const struct named all[] = {
      {MPI_DOUBLE, 1, DOUBLE},
      {MPI_FLOAT, 1, FLOAT},
      {MPI_LONG_DOUBLE, 1, LONG_DOUBLE},
      {MPI_DOUBLE_PRECISION, 1, DOUBLE},
      {MPI_REAL, 1, FLOAT},
      {MPI_REAL4, 1, FLOAT},
      {MPI_REAL8, 1, DOUBLE},
      {MPI_C_FLOAT_COMPLEX, 2, FLOAT},
      {MPI_C_DOUBLE_COMPLEX, 2, DOUBLE},
      {MPI_C_LONG_DOUBLE_COMPLEX, 2, LONG_DOUBLE},
      {MPI_CXX_FLOAT_COMPLEX, 2, FLOAT},
      {MPI_CXX_DOUBLE_COMPLEX, 2, DOUBLE},
      {MPI_CXX_LONG_DOUBLE_COMPLEX, 2, LONG_DOUBLE},
      {MPI_COMPLEX, 2, FLOAT},
      {MPI_DOUBLE_COMPLEX, 2, DOUBLE},
      {MPI_2REAL, 2, FLOAT},
      {MPI_2DOUBLE_PRECISION, 2, DOUBLE},
      {MPI_FLOAT_INT, 1, FLOAT},
      {MPI_DOUBLE_INT, 1, DOUBLE},
      {MPI_LONG_DOUBLE_INT, 1, LONG_DOUBLE},
      {MPI_BYTE, -1, DOUBLE},
      {MPI_PACKED, -2, DOUBLE},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (all[i].type == t)
      return all[i];
  struct named none = {t, 0, DOUBLE};
  return none;
}

/// Grows the list of places.
struct list {
  struct place *at;
  int n, room;
  MPI_Aint bytes; ///< of what came so far
  bool opaque, packed;
};

/// Adds the number that is so many bytes behind an item that begins at base.
static void addPlace(struct list *l, MPI_Aint base, MPI_Aint behind,
                     enum number kind) {
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 4;
    l->at = realloc(l->at, (size_t)l->room * sizeof *l->at);
    if (!l->at)
      __retro_mpi_fail("malloc", "no memory is left for a datatype");
  }
  struct place p = {base + behind, l->bytes + behind, kind};
  l->at[l->n++] = p;
}

static void flatten(MPI_Datatype t, MPI_Aint base, struct list *out);

static void repeat(MPI_Datatype t, MPI_Aint base, MPI_Aint step, int n,
                   struct list *out) {
  for (int i = 0; i < n; ++i)
    flatten(t, base + i * step, out);
}

/// Adds the items of a subarray one by one. The last dimension is the
/// innermost.
static void flattenSubarray(MPI_Datatype t, MPI_Aint base, MPI_Aint step,
                            const int *ints, struct list *out) {
  int dims = ints[0];
  const int *sizes = ints + 1, *sub = sizes + dims, *first = sub + dims;
  bool fortran = ints[3 * dims + 1] == MPI_ORDER_FORTRAN;
  MPI_Aint total = 1;
  for (int d = 0; d < dims; ++d)
    total *= sub[d];
  for (MPI_Aint k = 0; k < total; ++k) {
    MPI_Aint rest = k, place = 0, stride = 1;
    for (int i = dims - 1; i >= 0; --i) {
      int d = fortran ? dims - 1 - i : i;
      place += (first[d] + rest % sub[d]) * stride;
      rest /= sub[d];
      stride *= sizes[d];
    }
    flatten(t, base + place * step, out);
  }
}

static void flattenBlocks(int combiner, const int *ints, const MPI_Aint *at,
                          MPI_Datatype t, MPI_Aint step, MPI_Aint base,
                          struct list *out) {
  int n = ints[0];
  for (int i = 0; i < n; ++i)
    switch (combiner) {
    case MPI_COMBINER_VECTOR:
      repeat(t, base + (MPI_Aint)i * ints[2] * step, step, ints[1], out);
      break;
    case MPI_COMBINER_HVECTOR:
      repeat(t, base + i * at[0], step, ints[1], out);
      break;
    case MPI_COMBINER_INDEXED:
      repeat(t, base + (MPI_Aint)ints[1 + n + i] * step, step, ints[1 + i],
             out);
      break;
    case MPI_COMBINER_HINDEXED:
      repeat(t, base + at[i], step, ints[1 + i], out);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      repeat(t, base + (MPI_Aint)ints[2 + i] * step, step, ints[1], out);
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      repeat(t, base + at[i], step, ints[1], out);
      break;
    }
}

static void flattenCombined(int combiner, const int *ints, const MPI_Aint *at,
                            MPI_Datatype *types, MPI_Aint base,
                            struct list *out) {
  MPI_Aint low, step;
  MPI_Type_get_extent(types[0], &low, &step);
  switch (combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
    return flatten(types[0], base, out);
  case MPI_COMBINER_CONTIGUOUS:
    return repeat(types[0], base, step, ints[0], out);
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
    return flattenBlocks(combiner, ints, at, types[0], step, base, out);
  case MPI_COMBINER_SUBARRAY:
    return flattenSubarray(types[0], base, step, ints, out);
  case MPI_COMBINER_STRUCT:
    for (int i = 0; i < ints[0]; ++i) {
      MPI_Type_get_extent(types[i], &low, &step);
      repeat(types[i], base + at[i], step, ints[1 + i], out);
    }
    return;
  default:
    __retro_mpi_fail("MPI datatype",
                     "the derivative of messages of a type made by this "
                     "constructor is not known; use contiguous, vector, "
                     "indexed, struct or subarray types");
  }
}

static void flatten(MPI_Datatype t, MPI_Aint base, struct list *out) {
  int ints, addresses, types, combiner;
  MPI_Type_get_envelope(t, &ints, &addresses, &types, &combiner);
  struct named n = lookUp(t);
  if (combiner == MPI_COMBINER_NAMED || n.numbers != 0) {
    int size;
    MPI_Type_size(t, &size);
    for (int i = 0; i < n.numbers; ++i)
      addPlace(out, base, i * (MPI_Aint)sizeOf(n.kind), n.kind);
    if (n.numbers == -2)
      addPlace(out, base, 0, DOUBLE);
    out->opaque |= n.numbers == -1;
    out->packed |= n.numbers == -2;
    out->bytes += size;
    return;
  }
  int *i = __retro_mpi_allocate((size_t)ints * sizeof *i);
  MPI_Aint *a = __retro_mpi_allocate((size_t)addresses * sizeof *a);
  MPI_Datatype *d = __retro_mpi_allocate((size_t)types * sizeof *d);
  MPI_Type_get_contents(t, ints, addresses, types, i, a, d);
  flattenCombined(combiner, i, a, d, base, out);
  for (int k = 0; k < types; ++k) {
    int unused;
    MPI_Type_get_envelope(d[k], &unused, &unused, &unused, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
      MPI_Type_free(&d[k]);
  }
  free(i);
  free(a);
  free(d);
}

static struct layout *makeLayout(MPI_Datatype t) {
  struct layout *l = __retro_mpi_allocate(sizeof *l);
  struct list all = {0};
  MPI_Aint low;
  flatten(t, 0, &all);
  MPI_Type_get_extent(t, &low, &l->extent);
  l->references = 1;
  l->places = all.at;
  l->numbers = all.n;
  l->bytes = all.bytes;
  l->packed = all.packed && all.n == 1 && all.bytes == 1;
  l->opaque = all.opaque || (all.packed && !l->packed);
  l->dense = true;
  for (int i = 0; i < all.n; ++i)
    if (all.at[i].kind > l->kind)
      l->kind = all.at[i].kind;
  MPI_Aint size = (MPI_Aint)sizeOf(l->kind);
  for (int i = 0; i < all.n; ++i)
    l->dense &= all.at[i].kind == l->kind && all.at[i].offset == i * size;
  l->dense &= l->extent == all.n * size;
  return l;
}

/// Layouts stay with their datatypes, and live as long as anything uses them.
static int forgetLayout(MPI_Datatype t, int key, void *value, void *unused) {
  (void)t, (void)key, (void)unused;
  __retro_mpi_release(value);
  return MPI_SUCCESS;
}

struct layout *__retro_mpi_layout(MPI_Datatype type) {
  static int key = MPI_KEYVAL_INVALID;
  static struct layout *last;
  static MPI_Datatype lastType;
  if (last && lastType == type)
    return __retro_mpi_share(last);
  if (key == MPI_KEYVAL_INVALID)
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forgetLayout, &key, NULL);
  struct layout *l;
  int found, unused, combiner;
  MPI_Type_get_attr(type, key, &l, &found);
  if (!found) {
    l = makeLayout(type);
    MPI_Type_set_attr(type, key, l);
  }
  // A named datatype is always the same.
  MPI_Type_get_envelope(type, &unused, &unused, &unused, &combiner);
  if (combiner == MPI_COMBINER_NAMED) {
    lastType = type;
    last = l;
  }
  return __retro_mpi_share(l);
}

struct layout *__retro_mpi_share(struct layout *l) {
  ++l->references;
  return l;
}

void __retro_mpi_release(struct layout *l) {
  if (!l || --l->references)
    return;
  free(l->places);
  free(l);
}

MPI_Datatype __retro_mpi_number(const struct layout *l) {
  return l->kind == FLOAT    ? MPI_FLOAT
         : l->kind == DOUBLE ? MPI_DOUBLE
                             : MPI_LONG_DOUBLE;
}

size_t __retro_mpi_size(const struct layout *l) { return sizeOf(l->kind); }

MPI_Aint __retro_mpi_numbers_in(const struct layout *l, MPI_Aint bytes) {
  if (!l->bytes)
    return 0;
  MPI_Aint n = bytes / l->bytes * l->numbers, rest = bytes % l->bytes;
  for (int i = 0; i < l->numbers; ++i)
    n += l->places[i].before < rest;
  return n;
}

long double __retro_mpi_get(enum number k, const void *p) {
  float f;
  double d;
  long double e;
  switch (k) {
  case FLOAT:
    memcpy(&f, p, sizeof f);
    return f;
  case DOUBLE:
    memcpy(&d, p, sizeof d);
    return d;
  default:
    memcpy(&e, p, sizeof e);
    return e;
  }
}

void __retro_mpi_put(enum number k, void *p, long double v) {
  float f = (float)v;
  double d = (double)v;
  if (k == FLOAT)
    memcpy(p, &f, sizeof f);
  else if (k == DOUBLE)
    memcpy(p, &d, sizeof d);
  else
    memcpy(p, &v, sizeof v);
}

/// What is done with the numbers, one by one: in memory, and packed.
enum move { PACK, PACK_AND_CLEAR, ADD, REPLACE };

static void moveOne(enum move m, enum number in, char *memory, enum number out,
                    char *packed) {
  if (m == PACK || m == PACK_AND_CLEAR)
    __retro_mpi_put(out, packed, __retro_mpi_get(in, memory));
  if (m == PACK_AND_CLEAR)
    __retro_mpi_put(in, memory, 0);
  if (m == ADD)
    __retro_mpi_put(in, memory,
                    __retro_mpi_get(in, memory) + __retro_mpi_get(out, packed));
  if (m == REPLACE)
    __retro_mpi_put(in, memory, __retro_mpi_get(out, packed));
}

static void moveAll(enum move m, const struct layout *l, char *memory,
                    MPI_Aint numbers, char *packed) {
  size_t size = sizeOf(l->kind);
  char *item = memory;
  for (MPI_Aint i = 0; i < numbers;) {
    for (int k = 0; k < l->numbers && i < numbers; ++k, ++i)
      moveOne(m, l->places[k].kind, item + l->places[k].offset, l->kind,
              packed + (size_t)i * size);
    item += l->extent;
  }
}

void __retro_mpi_pack(const struct layout *l, void *memory, MPI_Aint numbers,
                      bool clear, void *packed) {
  size_t bytes = (size_t)numbers * sizeOf(l->kind);
  if (l->packed) {
    __retro_mpi_take_values(memory, numbers, clear, packed);
  } else if (!memory) {
    memset(packed, 0, bytes);
  } else if (l->dense) {
    memcpy(packed, memory, bytes);
    if (clear)
      memset(memory, 0, bytes);
  } else {
    moveAll(clear ? PACK_AND_CLEAR : PACK, l, memory, numbers, packed);
  }
}

void __retro_mpi_unpack(const struct layout *l, void *memory, MPI_Aint numbers,
                        const void *packed) {
  if (l->packed)
    __retro_mpi_give_values(memory, numbers, false, packed);
  else if (memory && l->dense)
    memcpy(memory, packed, (size_t)numbers * sizeOf(l->kind));
  else if (memory)
    moveAll(REPLACE, l, memory, numbers, (char *)packed);
}

void __retro_mpi_add(const struct layout *l, void *memory, MPI_Aint numbers,
                     const void *packed) {
  if (l->packed)
    return __retro_mpi_give_values(memory, numbers, true, packed);
  if (!memory)
    return;
  if (l->dense && l->kind == DOUBLE) {
    double *to = memory;
    const double *from = packed;
    for (MPI_Aint i = 0; i < numbers; ++i)
      to[i] += from[i];
  } else if (l->dense && l->kind == FLOAT) {
    float *to = memory;
    const float *from = packed;
    for (MPI_Aint i = 0; i < numbers; ++i)
      to[i] += from[i];
  } else {
    moveAll(ADD, l, memory, numbers, (char *)packed);
  }
}
