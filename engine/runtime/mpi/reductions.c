// Reductions. The adjoint of a sum's operand is that of the result. For a
// product it is multiplied by the other operands, which is the result divided
// by the own one; where one is 0, products without the zeros are exchanged as
// well. For an extremum it goes to the process that holds it; if several do, to
// the one with the lowest rank (MINLOC, MAXLOC: with the lowest index, then
// rank). So a minimum or a maximum is reduced together with the ranks.
#include "collective.h"

#include <stdlib.h>
#include <string.h>

bool __retro_mpi_is_reduction(const struct collective *c) {
  return c->pattern >= REDUCE;
}

bool __retro_mpi_is_sum(const struct collective *c) { return c->op == MPI_SUM; }

static bool isExtremum(const struct collective *c) {
  return c->op == MPI_MIN || c->op == MPI_MAX || c->op == MPI_MINLOC ||
         c->op == MPI_MAXLOC;
}

static bool hasIndex(const struct collective *c) {
  return c->op == MPI_MINLOC || c->op == MPI_MAXLOC;
}

//===----------------------------------------------------------------------===//
// Operations on dual numbers
//===----------------------------------------------------------------------===//

/// Does a, with its index and rank, come before b?
static bool wins(const struct dual *a, const struct dual *b, bool less) {
  if (a->value != b->value)
    return less ? a->value < b->value : a->value > b->value;
  return a->index != b->index ? a->index < b->index : a->rank < b->rank;
}

/// Leaves in b what wins of each two.
#define WINNERS(Name, Less)                                                    \
  static void Name(void *a, void *b, int *n, MPI_Datatype *t) {                \
    (void)t;                                                                   \
    struct dual *x = a, *y = b;                                                \
    for (int i = 0; i < *n; ++i)                                               \
      if (wins(&x[i], &y[i], Less))                                            \
        y[i] = x[i];                                                           \
  }
WINNERS(lesser, true)
WINNERS(greater, false)

static void product(void *a, void *b, int *n, MPI_Datatype *t) {
  (void)t;
  struct dual *x = a, *y = b;
  for (int i = 0; i < *n; ++i) {
    y[i].tangent = x[i].tangent * y[i].value + x[i].value * y[i].tangent;
    y[i].value *= x[i].value;
    y[i].index += x[i].index; // how many are 0
  }
}

static MPI_Op dualOp(const struct collective *c) {
  static MPI_Op less, more, times;
  static bool made;
  if (!made) {
    MPI_Op_create(lesser, 1, &less);
    MPI_Op_create(greater, 1, &more);
    MPI_Op_create(product, 1, &times);
    made = true;
  }
  return c->op == MPI_PROD                         ? times
         : c->op == MPI_MIN || c->op == MPI_MINLOC ? less
                                                   : more;
}

static MPI_Datatype dualType(void) {
  static MPI_Datatype type = MPI_DATATYPE_NULL;
  if (type == MPI_DATATYPE_NULL) {
    MPI_Type_contiguous(sizeof(struct dual), MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  return type;
}

//===----------------------------------------------------------------------===//
// The numbers of a side. With an index, one number an item is reduced.
//===----------------------------------------------------------------------===//

static int perItem(const struct collective *c, const struct layout *l) {
  return hasIndex(c) ? 1 : l->numbers;
}

static int countOf(const struct collective *c, const struct side *s) {
  return hasIndex(c) ? s->total / s->layout->numbers : s->total;
}

/// The address of number i, from the beginning of the side's memory.
static char *numberAt(const struct collective *c, const struct side *s,
                      void *memory, int i) {
  int per = perItem(c, s->layout);
  return (char *)memory + i / per * s->layout->extent +
         s->layout->places[i % per].offset;
}

/// The index of a pair, which is a number, or an integer behind the number.
static int *indexAt(const struct collective *c, const struct side *s, int i) {
  return (int *)(numberAt(c, s, s->primal, i) +
                 (s->layout->kind == FLOAT    ? sizeof(float)
                  : s->layout->kind == DOUBLE ? sizeof(double)
                                              : sizeof(long double)));
}

static int getIndex(const struct collective *c, const struct side *s, int i) {
  if (s->layout->numbers == 2)
    return (int)__retro_mpi_get(s->layout->kind, indexAt(c, s, i));
  return *indexAt(c, s, i);
}

static void putIndex(const struct collective *c, const struct side *s, int i,
                     int index) {
  if (s->layout->numbers == 2)
    __retro_mpi_put(s->layout->kind, indexAt(c, s, i), index);
  else
    *indexAt(c, s, i) = index;
}

static struct dual *load(const struct collective *c, const struct side *s,
                         bool tangents) {
  int n = countOf(c, s);
  struct dual *d = __retro_mpi_allocate((size_t)n * sizeof *d);
  for (int i = 0; i < n; ++i) {
    enum number k = s->layout->places[i % perItem(c, s->layout)].kind;
    d[i].value = __retro_mpi_get(k, numberAt(c, s, s->primal, i));
    if (tangents && s->memory)
      d[i].tangent = __retro_mpi_get(k, numberAt(c, s, s->memory, i));
    d[i].index = hasIndex(c) ? getIndex(c, s, i) : 0;
    d[i].rank = c->rank;
  }
  return d;
}

/// Adds to the adjoint of number i, or takes it out.
static void addTo(const struct collective *c, const struct side *s, int i,
                  long double g) {
  if (!s->memory)
    return;
  enum number k = s->layout->places[i % perItem(c, s->layout)].kind;
  char *p = numberAt(c, s, s->memory, i);
  __retro_mpi_put(k, p, __retro_mpi_get(k, p) + g);
}

static long double takeFrom(const struct collective *c, const struct side *s,
                            int i) {
  if (!s->memory)
    return 0;
  enum number k = s->layout->places[i % perItem(c, s->layout)].kind;
  char *p = numberAt(c, s, s->memory, i);
  long double g = __retro_mpi_get(k, p);
  __retro_mpi_put(k, p, 0);
  return g;
}

//===----------------------------------------------------------------------===//
// The forward pass
//===----------------------------------------------------------------------===//

#define CALL(Mpi, IMpi, ...)                                                   \
  (request ? MPI_##IMpi(__VA_ARGS__, request) : MPI_##Mpi(__VA_ARGS__))

/// Where the numbers of each process's block begin in `in`, and how many they
/// are.
static void blocksOf(const struct collective *c, int *counts, int *at) {
  int per = hasIndex(c) ? c->in.layout->numbers : 1;
  for (int i = 0; i < c->in.blocks; ++i) {
    counts[i] = c->in.counts[i] / per;
    at[i] = c->in.at[i] / per;
  }
}

static int reduceDual(struct record *r, MPI_Request *request) {
  struct collective *c = r->collective;
  int n = countOf(c, &c->in);
  MPI_Datatype t = dualType();
  MPI_Op op = dualOp(c);
  c->all = __retro_mpi_allocate((size_t)n * sizeof *c->all);
  switch (c->pattern) {
  case REDUCE:
    return CALL(Reduce, Ireduce, c->mine, c->all, n, t, op, c->root, r->comm);
  case ALLREDUCE:
    return CALL(Allreduce, Iallreduce, c->mine, c->all, n, t, op, r->comm);
  case REDUCE_SCATTER: {
    int *counts = c->in.counts, *own = NULL;
    if (hasIndex(c)) { // kept as long as the operation
      own = c->in.at;
      for (int i = 0; i < c->in.blocks; ++i)
        own[i] = counts[i] / c->in.layout->numbers;
      counts = own;
    }
    return CALL(Reduce_scatter, Ireduce_scatter, c->mine, c->all, counts, t, op,
                r->comm);
  }
  case SCAN:
    return CALL(Scan, Iscan, c->mine, c->all, n, t, op, r->comm);
  default:
    return CALL(Exscan, Iexscan, c->mine, c->all, n, t, op, r->comm);
  }
}

static bool hasResult(const struct collective *c) {
  return c->out.layout && !(c->pattern == EXSCAN && c->rank == 0);
}

/// Stores what was reduced.
static void storeResults(struct collective *c, bool values, bool tangents) {
  if (!hasResult(c))
    return;
  int n = countOf(c, &c->out);
  for (int i = 0; i < n; ++i) {
    enum number k = c->out.layout->places[i % perItem(c, c->out.layout)].kind;
    if (values)
      __retro_mpi_put(k, numberAt(c, &c->out, c->out.primal, i),
                      c->all[i].value);
    if (values && hasIndex(c))
      putIndex(c, &c->out, i, c->all[i].index);
    if (tangents && c->out.memory)
      __retro_mpi_put(k, numberAt(c, &c->out, c->out.memory, i),
                      c->all[i].tangent);
  }
}

/// Does a reduction of dual numbers take the place of the primal's?
static bool inItsPlace(const struct record *r) {
  const struct collective *c = r->collective;
  return r->class != NOTHING && isExtremum(c) &&
         (r->tangent || c->pattern <= REDUCE_SCATTER);
}

void __retro_mpi_start_dual(struct record *r) {
  struct collective *c = r->collective;
  if (!inItsPlace(r))
    reduceDual(r, c->blocking ? NULL : &r->request);
}

void __retro_mpi_end_dual(struct record *r) {
  struct collective *c = r->collective;
  MPI_Wait(&r->request, MPI_STATUS_IGNORE);
  storeResults(c, false, true);
}

/// Keeps what is needed of the numbers before they are reduced.
static void prepare(struct record *r, MPI_Op op, bool tangent) {
  struct collective *c = r->collective;
  c->op = op;
  __retro_mpi_ready(r, tangent);
  if (r->class == NOTHING || op == MPI_SUM)
    return;
  if (!isExtremum(c) && op != MPI_PROD)
    __retro_mpi_fail(r->name,
                     "the derivative of a reduction with this operation "
                     "is not known: use MPI_SUM, MPI_PROD, MPI_MIN, "
                     "MPI_MAX, MPI_MINLOC or MPI_MAXLOC");
  if (hasIndex(c) ? c->in.layout->numbers > 2 : c->in.layout->numbers != 1)
    __retro_mpi_fail(r->name, "the derivative of this reduction of complex "
                              "numbers is not known: only of their sum");
  c->mine = load(c, &c->in, tangent);
}

/// Starts or does the dual reduction, which makes the primal's own unnecessary.
static int replaced(struct record *r, MPI_Request *handle) {
  int error = reduceDual(r, handle);
  if (!handle)
    storeResults(r->collective, true, false);
  return error;
}

//===----------------------------------------------------------------------===//
// The reverse pass
//===----------------------------------------------------------------------===//

/// Starts the adjoint of a sum, and of other reductions whose result all
/// processes know.
static void startSum(struct record *r, MPI_Request *request) {
  struct collective *c = r->collective;
  struct side *in = &c->in, *out = &c->out;
  MPI_Datatype t = __retro_mpi_number(in->layout);
  size_t bytes = (size_t)in->total * __retro_mpi_size(in->layout);
  if (out->layout)
    __retro_mpi_pack_side(out, true);
  bool everything = c->pattern == SCAN || c->pattern == EXSCAN;
  in->packed =
      __retro_mpi_allocate(everything ? bytes * (size_t)c->size : bytes);
  switch (c->pattern) {
  case REDUCE:
    if (c->rank == c->root)
      memcpy(in->packed, out->packed, bytes);
    CALL(Bcast, Ibcast, in->packed, in->total, t, c->root, r->comm);
    break;
  case ALLREDUCE:
    CALL(Allreduce, Iallreduce, out->packed, in->packed, in->total, t, MPI_SUM,
         r->comm);
    break;
  case REDUCE_SCATTER:
    CALL(Allgatherv, Iallgatherv, out->packed, out->total, t, in->packed,
         in->counts, in->at, t, r->comm);
    break;
  default:
    CALL(Allgather, Iallgather, out->packed, out->total, t, in->packed,
         in->total, t, r->comm);
    break;
  }
}

/// Sends adjoints together with the results and whose these are; for scans,
/// together with the numbers themselves.
static void startWithValues(struct record *r, MPI_Request *request) {
  struct collective *c = r->collective;
  int n = countOf(c, &c->in), m = c->out.layout ? countOf(c, &c->out) : 0;
  bool everything = c->pattern == SCAN || c->pattern == EXSCAN;
  struct dual *own = everything ? c->mine : c->all;
  MPI_Datatype t = dualType();
  for (int i = 0; i < m; ++i)
    own[i].tangent = takeFrom(c, &c->out, i);
  if (c->pattern == REDUCE) {
    CALL(Bcast, Ibcast, c->all, n, t, c->root, r->comm);
    return;
  }
  size_t all = (size_t)n * (everything ? (size_t)c->size : 1);
  struct dual *others = __retro_mpi_allocate(all * sizeof *others);
  c->in.packed = (char *)others;
  if (everything) {
    CALL(Allgather, Iallgather, own, n, t, others, n, t, r->comm);
  } else {
    int *counts = __retro_mpi_allocate(2 * sizeof(int) * (size_t)c->size);
    free(c->in.offsets); // its place
    c->in.offsets = (MPI_Aint *)(void *)counts;
    blocksOf(c, counts, counts + c->size);
    CALL(Allgatherv, Iallgatherv, own, m, t, others, counts, counts + c->size,
         t, r->comm);
  }
}

void __retro_mpi_start_reduction(struct record *r) {
  struct collective *c = r->collective;
  MPI_Request *request = r->window ? &r->request : NULL;
  if (c->op == MPI_SUM || c->pattern == ALLREDUCE)
    startSum(r, request);
  else
    startWithValues(r, request);
}

/// Where a product is 0, finds for each process the product of the others.
static void zeroProducts(struct record *r, const struct dual *results,
                         const long double *g) {
  struct collective *c = r->collective;
  int n = countOf(c, &c->in), zeros = 0;
  for (int i = 0; i < n; ++i)
    zeros += results[i].value == 0 && g[i] != 0;
  if (!zeros) // as all of them find
    return;
  if (r->window)
    __retro_mpi_fail(r->name, "a factor is 0, and other operations are under "
                              "way: use the blocking form");
  struct dual *own = __retro_mpi_allocate(2 * (size_t)n * sizeof *own);
  struct dual *all = own + n;
  for (int i = 0; i < n; ++i) {
    own[i].value = c->mine[i].value == 0 ? 1 : c->mine[i].value;
    own[i].index = c->mine[i].value == 0;
  }
  MPI_Allreduce(own, all, n, dualType(), dualOp(c), r->comm);
  for (int i = 0; i < n; ++i)
    if (results[i].value == 0 && c->mine[i].value == 0 && all[i].index == 1)
      addTo(c, &c->in, i, g[i] * all[i].value);
  free(own);
}

/// Distributes the adjoints g of results to the operands.
static void distribute(struct record *r, const struct dual *results,
                       const long double *g) {
  struct collective *c = r->collective;
  int n = countOf(c, &c->in);
  for (int i = 0; i < n; ++i)
    if (c->op != MPI_PROD)
      addTo(c, &c->in, i, results[i].rank == c->rank ? g[i] : 0);
    else if (c->mine[i].value != 0)
      addTo(c, &c->in, i,
            g[i] != 0 ? g[i] * (results[i].value / c->mine[i].value) : 0);
  if (c->op == MPI_PROD)
    zeroProducts(r, results, g);
}

/// The derivative of a scan's result up to process q with respect to the number
/// of this process.
static long double scanPartial(const struct collective *c,
                               const struct dual *all, int n, int i, int q) {
  if (c->op == MPI_PROD) {
    long double p = 1;
    for (int k = 0; k <= q; ++k)
      p *= k == c->rank ? 1 : all[(size_t)k * (size_t)n + (size_t)i].value;
    return p;
  }
  bool less = c->op == MPI_MIN || c->op == MPI_MINLOC;
  const struct dual *best = &all[i];
  for (int k = 1; k <= q; ++k) {
    const struct dual *x = &all[(size_t)k * (size_t)n + (size_t)i];
    if (wins(x, best, less))
      best = x;
  }
  return best->rank == c->rank;
}

static void endScan(struct record *r) {
  struct collective *c = r->collective;
  const struct dual *all = (const struct dual *)(void *)c->in.packed;
  int n = countOf(c, &c->in), exclusive = c->pattern == EXSCAN;
  for (int i = 0; i < n; ++i)
    for (int q = c->rank + exclusive; q < c->size; ++q) {
      long double g = all[(size_t)q * (size_t)n + (size_t)i].tangent;
      if (g != 0)
        addTo(c, &c->in, i, g * scanPartial(c, all, n, i, q - exclusive));
    }
}

static void endSum(struct record *r) {
  struct collective *c = r->collective;
  struct side *in = &c->in;
  size_t bytes = (size_t)in->total * __retro_mpi_size(in->layout);
  if (c->pattern != SCAN && c->pattern != EXSCAN) {
    __retro_mpi_add(in->layout, in->memory, in->total, in->packed);
    return;
  }
  for (int q = c->rank + (c->pattern == EXSCAN); q < c->size; ++q)
    __retro_mpi_add(in->layout, in->memory, in->total,
                    in->packed + (size_t)q * bytes);
}

void __retro_mpi_end_reduction(struct record *r) {
  struct collective *c = r->collective;
  MPI_Wait(&r->request, MPI_STATUS_IGNORE);
  if (c->op == MPI_SUM)
    return endSum(r);
  if (c->pattern == SCAN || c->pattern == EXSCAN)
    return endScan(r);
  int n = countOf(c, &c->in);
  long double *g = __retro_mpi_allocate((size_t)n * sizeof *g);
  const struct dual *results = c->all;
  if (c->pattern == REDUCE_SCATTER)
    results = (const struct dual *)(void *)c->in.packed;
  int per = hasIndex(c) ? c->in.layout->numbers : 1;
  for (int i = 0; i < n; ++i)
    g[i] =
        c->pattern == ALLREDUCE
            ? __retro_mpi_get(c->in.layout->kind,
                              c->in.packed + (size_t)(i * per) *
                                                 __retro_mpi_size(c->in.layout))
            : results[i].tangent;
  distribute(r, results, g);
  free(g);
}

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

static struct record *reduction(const char *name, enum pattern p, bool blocking,
                                const void *in, void *out, int count,
                                const int *counts, MPI_Datatype type, MPI_Op op,
                                int root, MPI_Comm comm, void *inShadow,
                                void *outShadow, bool tangent) {
  struct record *r = __retro_mpi_collective(name, p, root, comm, blocking);
  struct collective *c = r->collective;
  bool blocks = p == REDUCE_SCATTER, place = in == MPI_IN_PLACE;
  if (p != REDUCE || c->rank == root)
    __retro_mpi_side(r, &c->out, out, outShadow, 1,
                     counts ? counts[c->rank] : count, NULL, NULL, type);
  __retro_mpi_side(r, &c->in, place ? out : in, place ? outShadow : inShadow,
                   blocks ? c->size : 1, count, counts, NULL, type);
  for (int i = 1; i < c->in.blocks && counts; ++i)
    c->in.offsets[i] =
        c->in.offsets[i - 1] + counts[i - 1] * c->in.layout->extent;
  prepare(r, op, tangent);
  return r;
}

/// Keeps the result of a product, in all processes that have it.
static void keepResults(struct record *r) {
  struct collective *c = r->collective;
  if (r->class == NOTHING || r->tangent || c->op != MPI_PROD ||
      c->pattern > REDUCE_SCATTER)
    return;
  if (c->out.layout)
    c->all = load(c, &c->out, false);
  else
    c->all = __retro_mpi_allocate((size_t)countOf(c, &c->in) * sizeof *c->all);
}

static int reduced(struct record *r, int error, void **tape) {
  keepResults(r);
  return __retro_mpi_done(r, error, tape);
}

#define EXPAND(...) __VA_ARGS__
/// Defines a call and its non-blocking form, with the parameters between the
/// buffers and the communicator.
#define REDUCTION(Lower, Upper, ILower, IUpper, Pattern, Parameters, Count,    \
                  Counts, Root, Arguments)                                     \
  int __retro_mpi_##Lower(const void *in, void *out, EXPAND Parameters,        \
                          MPI_Comm comm, void *inShadow, void *outShadow,      \
                          void **tape) {                                       \
    struct record *r =                                                         \
        reduction("MPI_" #Upper, Pattern, true, in, out, Count, Counts, type,  \
                  op, Root, comm, inShadow, outShadow, !tape);                 \
    int error = inItsPlace(r) ? replaced(r, NULL)                              \
                              : MPI_##Upper(in, out, EXPAND Arguments, comm);  \
    return reduced(r, error, tape);                                            \
  }                                                                            \
  int __retro_mpi_##ILower(const void *in, void *out, EXPAND Parameters,       \
                           MPI_Comm comm, MPI_Request *request,                \
                           void *inShadow, void *outShadow, void **tape) {     \
    struct record *r =                                                         \
        reduction("MPI_" #IUpper, Pattern, false, in, out, Count, Counts,      \
                  type, op, Root, comm, inShadow, outShadow, !tape);           \
    int error = inItsPlace(r)                                                  \
                    ? replaced(r, request)                                     \
                    : MPI_##IUpper(in, out, EXPAND Arguments, comm, request);  \
    return __retro_mpi_launched(r, error, *request, tape);                     \
  }

REDUCTION(reduce, Reduce, ireduce, Ireduce, REDUCE,
          (int n, MPI_Datatype type, MPI_Op op, int root), n, NULL, root,
          (n, type, op, root))
REDUCTION(allreduce, Allreduce, iallreduce, Iallreduce, ALLREDUCE,
          (int n, MPI_Datatype type, MPI_Op op), n, NULL, 0, (n, type, op))
REDUCTION(reduce_scatter, Reduce_scatter, ireduce_scatter, Ireduce_scatter,
          REDUCE_SCATTER, (const int *ns, MPI_Datatype type, MPI_Op op), 0, ns,
          0, (ns, type, op))
REDUCTION(reduce_scatter_block, Reduce_scatter_block, ireduce_scatter_block,
          Ireduce_scatter_block, REDUCE_SCATTER,
          (int n, MPI_Datatype type, MPI_Op op), n, NULL, 0, (n, type, op))
REDUCTION(scan, Scan, iscan, Iscan, SCAN, (int n, MPI_Datatype type, MPI_Op op),
          n, NULL, 0, (n, type, op))
REDUCTION(exscan, Exscan, iexscan, Iexscan, EXSCAN,
          (int n, MPI_Datatype type, MPI_Op op), n, NULL, 0, (n, type, op))

void __retro_mpi_complete_reduction(struct record *r) {
  if (inItsPlace(r))
    storeResults(r->collective, true, false);
  keepResults(r);
}
