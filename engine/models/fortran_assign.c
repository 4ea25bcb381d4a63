// Assignment of arrays and derived values, allocation, and finalization: what
// flang's code calls for statements that move whole variables. They get
// descriptors, and leave arrays that are copied, allocated or freed with all
// their components. Without these bodies no derivative would be known of such
// a statement, since the runtime's own code is not seen.
#include "fortran_types.h"

INLINE bool sameShape(const View *a, const View *b) {
  for (int j = 0; j < a->rank; ++j)
    if (a->dim[j].extent != b->dim[j].extent)
      return false;
  return true;
}

/// The first byte of an array, whichever way its strides go.
INLINE char *firstByte(const View *b) {
  char *p = b->base;
  for (int j = 0; j < b->rank; ++j)
    if (b->dim[j].stride < 0)
      p += (b->dim[j].extent - 1) * b->dim[j].stride;
  return p;
}
INLINE char *lastByte(const View *b) {
  char *p = b->base + b->size;
  for (int j = 0; j < b->rank; ++j)
    if (b->dim[j].stride > 0)
      p += (b->dim[j].extent - 1) * b->dim[j].stride;
  return p;
}

/// May a write of an element of a change one of b that is still to be read?
INLINE bool disturbs(const View *a, const View *b) {
  bool same = a->base == b->base;
  for (int j = 0; j < a->rank; ++j)
    same = same && a->dim[j].stride == b->dim[j].stride;
  return !same && firstByte(a) < lastByte(b) && firstByte(b) < lastByte(a);
}

INLINE void copyValue(char *to, const char *from, const View *like,
                      bool fresh) {
  if (like->unknown) {
    if (!fresh) {
      finalizeByTable(to, like->unknown, like->rank);
      freeByTable(to, like->unknown);
    }
    copyByTable(to, from, like->unknown);
    return;
  }
  if (!like->derived) {
    copy(to, from, like->type, like->size);
    return;
  }
  if (!fresh) {
    finalize(to, like->derived, like->rank, false);
    freeComponents(to, like->derived);
  }
  copyComponents(to, from, like->derived, false);
}

/// Is it not known here if memory holds numbers or values of a derived type?
/// Where flang says that it is not polymorphic, more than numbers is refused:
/// to look for a type would make all types of the module its own.
INLINE bool mayBeNumbers(const Box *b) { return !KNOWN(b->extra); }

INLINE void require(bool flat) {
  if (!flat)
    retro_fortran_stop("the type of a variable, which has allocatable "
                       "components, initial values or procedures of its own "
                       "for that, is not known at compile time");
}

INLINE void copyAll(const View *to, const View *from, bool fresh) {
  for (int64_t c = 0; c < columns(to); ++c) {
    char *out = column(to, c);
    const char *in = from->rank ? column(from, c) : from->base;
    for (int64_t i = 0; i < rows(to); ++i)
      copyValue(out + i * step(to), in + i * step(from), to, fresh);
  }
}

/// A contiguous array of copies.
INLINE View duplicate(const View *from) {
  View v = same(from);
  setStrides(&v);
  v.base = allocate(v.size, elements(&v));
  copyAll(&v, from, true);
  return v;
}

/// Frees what components refer to.
INLINE void destroyValues(const View *b) {
  if (b->unknown && !b->unknown->noDestruction)
    for (int64_t k = 0; k < elements(b); ++k)
      freeByTable(element(b, k), b->unknown);
  if (b->derived && !b->derived->noDestruction)
    for (int64_t k = 0; k < elements(b); ++k)
      freeComponents(element(b, k), b->derived);
}

/// Runs final procedures first.
INLINE void freeValues(const View *b) {
  if (b->unknown && hasFinals() && !b->unknown->noFinalization)
    for (int64_t k = 0; k < elements(b); ++k)
      finalizeByTable(element(b, k), b->unknown, b->rank);
  if (b->derived && !b->derived->noFinalization)
    for (int64_t k = 0; k < elements(b); ++k)
      finalize(element(b, k), b->derived, b->rank, false);
  destroyValues(b);
}

INLINE bool isText(int8_t type) {
  return type == 40 || type == 43 || type == 44;
}

/// Assigns text to text of another length: what is too much is left out, and
/// blanks fill the rest. Bytes are moved one by one, which shows that they are
/// no numbers.
INLINE void assignText(const View *to, size_t room, const View *from,
                       size_t given, int8_t type) {
  const size_t n = given < room ? given : room;
  for (int64_t k = 0; k < elements(to); ++k) {
    char *out = element(to, k);
    const char *in = from->rank ? element(from, k) : from->base;
    const size_t unit = type == 40 ? 1 : type == 43 ? 2 : 4;
    for (size_t i = 0; i < room;
         ++i) // of a wide blank, the first byte is not 0
      out[i] = i < n ? in[i] : i % unit == 0 ? ' ' : 0;
  }
}

/// Is what a descriptor's header says known here?
INLINE bool isHeaderKnown(const Box *b) {
  return KNOWN(b->rank) && KNOWN(b->extra) && KNOWN(b->type);
}

/// The source of an assignment to a variable that is not polymorphic. Of what a
/// function returned, nothing may be known here but that it has the type of the
/// variable and, unless it is a scalar, its rank.
INLINE View viewSource(const Box *source, const Box *target) {
  if (isHeaderKnown(source) || !isHeaderKnown(target))
    return view(source);
  View v = view(target);
  if (source->type != v.type)
    retro_fortran_stop("an assignment that converts what a function returned");
  v.base = source->base;
  if (isText(v.type))
    v.size = source->size;
  v.rank = source->rank ? v.rank : 0;
  v.attribute = source->attribute;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < v.rank) v.dim[j] =
      source->dim[j];
  return v;
}

INLINE void assign(Box *target, const Box *source) {
  View from = viewSource(source, target), to = viewLike(target, source);
  if (KNOWN(to.type) && KNOWN(from.type) && to.type != from.type)
    retro_fortran_converting_assignment(from.base);
  // Text is assigned with its length.
  bool longer = isText(from.type) && target->size != source->size;
  if (to.attribute == Allocatable &&
      (!to.base || longer || (from.rank && !sameShape(&to, &from)))) {
    View new = duplicate(&from);
    if (to.base) {
      freeValues(&to);
      free(to.base);
    }
    update(target, &new);
    if (isText(from.type))
      target->size = from.size;
    return;
  }
  if (longer && disturbs(&to, &from)) {
    View between = duplicate(&from);
    assignText(&to, target->size, &between, source->size, from.type);
    free(between.base);
    return;
  }
  if (longer) {
    assignText(&to, target->size, &from, source->size, from.type);
    return;
  }
  if (from.rank && disturbs(&to, &from)) {
    View between = duplicate(&from);
    copyAll(&to, &between, false);
    free(between.base);
    return;
  }
  copyAll(&to, &from, false);
}

void retro_fortran_Assign(Box *to, const Box *from, const char *file,
                          int line) {
  assign(to, from);
}

/// Gives an allocatable variable, which may be polymorphic, the type of a value
/// with the value. It is copied before the variable is freed, of which it may
/// be a part.
INLINE void assignWithType(Box *to, const Box *source) {
  View from = view(source);
  const DerivedType *type = typeBehind(source, from.rank);
  if (!type)
    retro_fortran_stop("assignment of numbers to a polymorphic variable");
  if (!from.derived)
    from.unknown = type;
  View new = duplicate(&from);
  if (to->base) {
    View old = view(to);
    freeValues(&old);
    free(old.base);
  }
  to->size = from.size;
  to->type = Derived;
  to->rank = (uint8_t)from.rank;
  update(to, &new);
  setType(to, from.rank, type);
}

void retro_fortran_AssignPolymorphic(Box *to, const Box *source,
                                     const char *file, int line) {
  if (to->attribute != Allocatable || !(source->extra & 1))
    retro_fortran_stop("assignment to a polymorphic variable that is not "
                       "allocatable, or not of a derived type");
  assignWithType(to, source);
}

/// The component of a value that is constructed: if it is allocatable, it is
/// allocated.
void retro_fortran_AssignTemporary(Box *to, const Box *from, const char *file,
                                   int line) {
  View f = view(from), t = viewLike(to, from);
  if (to->attribute != Allocatable)
    copyAll(&t, &f, true);
  else if (from->extra & 1)
    assignWithType(to, from);
  else
    assign(to, from);
}

void retro_fortran_CopyInAssign(Box *temporary, const Box *variable,
                                const char *file, int line) {
  View v = view(variable), new = duplicate(&v);
  copyBox(temporary, variable, v.rank, v.derived);
  temporary->attribute = Allocatable;
  update(temporary, &new);
}

void retro_fortran_CopyOutAssign(Box *variable, Box *temporary,
                                 const char *file, int line) {
  View t = view(temporary);
  if (variable) {
    View v = view(variable);
    copyAll(&v, &t, false);
  }
  freeValues(&t);
  free(t.base);
  temporary->base = 0;
}

bool retro_fortran_IsContiguous(const Box *box) {
  View b = view(box);
  int64_t stride = (int64_t)b.size;
  for (int j = 0; j < b.rank; ++j) {
    if (b.dim[j].extent != 1 && b.dim[j].stride != stride)
      return elements(&b) == 0;
    stride *= b.dim[j].extent;
  }
  return true;
}

void retro_fortran_ShallowCopy(Box *result, const Box *source, const char *file,
                               int line) {
  View x = view(source), r = begin(&x, x.rank);
  for (int j = 0; j < x.rank; ++j)
    setExtent(&r, j, x.dim[j].extent);
  finish(result, &r);
  copyAll(&r, &x, true);
}

void retro_fortran_ShallowCopyDirect(const Box *result, const Box *source,
                                     const char *file, int line) {
  View x = view(source), r = viewLike(result, source);
  copyAll(&r, &x, true);
}

//===----------------------------------------------------------------------===//
// Allocatables and pointers
//===----------------------------------------------------------------------===//

INLINE bool isAllocated(const Box *b) {
  return b->attribute == Allocatable && b->base;
}

void retro_fortran_SetBounds(Box *b, int j, int64_t lower, int64_t upper) {
  if (isAllocated(b))
    return; // the allocation that follows fails
  UNROLL for (int k = 0; k < MaxRank; ++k) if (k == j) {
    b->dim[k].lower = lower;
    b->dim[k].extent = upper >= lower ? upper - lower + 1 : 0;
  }
}

/// The status codes of the runtime for errors.
enum { BaseNull = 11, BaseNotNull = 12 };
INLINE int failed(int status, bool hasStat, const char *why) {
  if (!hasStat)
    retro_fortran_stop(why);
  return status;
}

INLINE int allocateBox(Box *b) {
  View v = view(b);
  setStrides(&v);
  v.base = allocate(v.size, elements(&v));
  update(b, &v);
  if (v.unknown && !v.unknown->noInitialization)
    for (int64_t k = 0; k < elements(&v); ++k)
      initializeByTable(v.base + k * (int64_t)v.size, v.unknown);
  if (v.derived && !v.derived->noInitialization)
    for (int64_t k = 0; k < elements(&v); ++k)
      initializeComponents(v.base + k * (int64_t)v.size, v.derived);
  return 0;
}

int retro_fortran_AllocatableAllocate(Box *b, int64_t *stream, bool hasStat,
                                      const Box *message, const char *file,
                                      int line, void *copier) {
  if (isAllocated(b))
    return failed(BaseNotNull, hasStat, "ALLOCATE of an allocated variable");
  return allocateBox(b);
}

int retro_fortran_PointerAllocate(Box *b, bool hasStat, const Box *message,
                                  const char *file, int line, void *copier) {
  return allocateBox(b);
}

int retro_fortran_AllocateSource(Box *b, const Box *source, bool hasStat,
                                 const Box *message, const char *file,
                                 int line) {
  if (isAllocated(b))
    return failed(BaseNotNull, hasStat, "ALLOCATE of an allocated variable");
  View from = viewSource(source, b);
  View v = viewLike(b, source);
  setStrides(&v);
  v.base = allocate(v.size, elements(&v));
  update(b, &v);
  copyAll(&v, &from, true);
  return 0;
}

INLINE int deallocate(Box *b, const View *v, bool hasStat) {
  if (!b->base)
    return failed(BaseNull, hasStat, "DEALLOCATE of a null variable");
  freeValues(v);
  free(b->base);
  b->base = 0;
  return 0;
}

int retro_fortran_Deallocate(Box *b, bool hasStat, const Box *message,
                             const char *file, int line) {
  View v = view(b);
  if (mayBeNumbers(b) && v.unknown) {
    require(!hasFinals() ||
            v.unknown->noFinalization); // what it refers to stays
    v.unknown = 0;
  }
  return deallocate(b, &v, hasStat);
}

/// Gives b, which is not allocated, the type and the shape of mold.
void retro_fortran_ApplyMold(Box *b, const Box *mold, int rank) {
  if (isAllocated(b))
    return;
  b->base = 0;
  b->size = mold->size;
  b->type = mold->type;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < rank) b->dim[j] =
      mold->dim[j];
  if (mold->extra & 1)
    setType(b, rank, typeBehind(mold, mold->rank));
}

/// Does the same by the description of a derived type, unless b is allocated.
void retro_fortran_InitDerived(Box *b, const DerivedType *t, int rank,
                               int corank) {
  if (b->base)
    return;
  b->size = (size_t)t->size;
  b->version = Version;
  b->rank = (uint8_t)rank;
  b->type = Derived;
  setType(b, rank, t);
}

void retro_fortran_NullifyDerived(Box *b, const DerivedType *t, int rank,
                                  int corank) {
  b->base = 0;
  b->attribute = Pointer;
  retro_fortran_InitDerived(b, t, rank, corank);
}

int retro_fortran_DeallocatePolymorphic(Box *b, const DerivedType *t,
                                        bool hasStat, const Box *message,
                                        const char *file, int line) {
  View v = view(b);
  const int code = deallocate(b, &v, hasStat);
  if (!code && t) {
    b->size = (size_t)t->size;
    setType(b, b->rank, t);
  }
  return code;
}

/// Do two descriptors say that their values have one type?
INLINE bool haveSameType(const Box *a, const Box *b) {
  return a->type == b->type && (a->extra & 1) == (b->extra & 1) &&
         (!(b->extra & 1) || typeBehind(a, b->rank) == typeBehind(b, b->rank));
}

/// The table t is that of the declared type of polymorphic variables, whose
/// values may have two types: the type moves with the value. Those of class(*)
/// have no declared type, and neither have variables that are not polymorphic.
int retro_fortran_MoveAlloc(Box *to, Box *from, const DerivedType *t,
                            bool hasStat, const Box *message, const char *file,
                            int line) {
  const bool isMoved = t || (from->base && !haveSameType(to, from));
  View f = view(from), v = isMoved ? view(to) : viewLike(to, from);
  if (v.base) {
    freeValues(&v);
    free(v.base);
  }
  update(to, &f);
  if (isText(f.type))
    to->size = f.size; // the length of characters moves, too
  if (isMoved && f.base) {
    to->size = f.size;
    to->type = f.type;
    if (from->extra & 1)
      setType(to, from->rank, typeBehind(from, from->rank));
    if (t)
      setType(from, from->rank, t);
  }
  from->base = 0;
  return 0;
}

void retro_fortran_Initialize(const Box *box, const char *file, int line) {
  View b = view(box);
  if (b.unknown && !b.unknown->noInitialization)
    for (int64_t k = 0; k < elements(&b); ++k)
      initializeByTable(element(&b, k), b.unknown);
  if (b.derived)
    for (int64_t k = 0; k < elements(&b); ++k)
      initializeComponents(element(&b, k), b.derived);
}

void retro_fortran_Destroy(const Box *box) {
  View b = view(box);
  freeValues(&b);
}

void retro_fortran_DestroyWithoutFinalization(const Box *box) {
  View b = view(box);
  destroyValues(&b);
}

void retro_fortran_PointerAssociate(Box *to, const Box *target) {
  View t = view(target);
  for (int j = 0; j < t.rank; ++j)
    t.dim[j].lower = 1;
  to->size = t.size;
  update(to, &t);
}

bool retro_fortran_PointerIsAssociatedWith(const Box *pointer,
                                           const Box *target) {
  if (!pointer->base || !target)
    return pointer->base;
  View p = view(pointer), t = view(target);
  if (p.base != t.base)
    return false;
  for (int j = 0; j < p.rank; ++j)
    if (p.dim[j].extent != t.dim[j].extent ||
        (p.dim[j].extent > 1 && p.dim[j].stride != t.dim[j].stride))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Array constructors
//===----------------------------------------------------------------------===//

typedef struct {
  Box *to;
  int64_t next, room; ///< elements
  bool grows;
} Constructor;

void retro_fortran_InitArrayConstructorVector(Constructor *v, Box *to,
                                              bool lengths, const char *file,
                                              int line) {
  v->to = to;
  v->next = 0;
  v->grows = !to->base;
  v->room = to->base ? to->dim[0].extent : 0;
  if (v->grows) {
    to->dim[0].lower = 1;
    to->dim[0].extent = 0;
    to->dim[0].stride = (int64_t)to->size;
    to->base = allocate(to->size, 0);
  }
}

/// Room for more elements like this one. Those that are there move.
INLINE void makeRoom(Constructor *v, int64_t more, const View *like) {
  const size_t size = like->size;
  Box *to = v->to;
  int64_t next = v->next, room = v->room;
  if (next + more > room) {
    room = 2 * room > next + more ? 2 * room : next + more;
    char *new = allocate(size, room), *old = to->base;
    for (int64_t k = 0; k < next; ++k) {
      copyValue(new + k * (int64_t)size, old + k * (int64_t)size, like, true);
      if (like->derived)
        freeComponents(old + k * (int64_t)size, like->derived);
    }
    free(old);
    to->base = new;
    v->room = room;
  }
  if (v->grows)
    to->dim[0].extent = next + more;
  v->next = next + more;
}

void retro_fortran_PushArrayConstructorValue(Constructor *v, const Box *value) {
  View from = view(value);
  int64_t n = elements(&from), next = v->next;
  makeRoom(v, n, &from);
  char *base = v->to->base;
  int64_t stride = v->to->dim[0].stride;
  for (int64_t k = 0; k < n; ++k)
    copyValue(base + (next + k) * stride, element(&from, k), &from, true);
}

void retro_fortran_PushArrayConstructorSimpleScalar(Constructor *v,
                                                    const char *from) {
  int64_t next = v->next;
  const View like = {.size = v->to->size, .type = v->to->type};
  makeRoom(v, 1, &like);
  copy(v->to->base + next * v->to->dim[0].stride, from, v->to->type,
       v->to->size);
}
