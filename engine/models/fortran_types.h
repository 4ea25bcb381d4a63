// Derived types: the compiler's tables of components, and what is done with the
// components of a value. The tables are constants of the program, so that loops
// over them unroll and each component shows its type.
#ifndef RETRO_MODELS_FORTRAN_TYPES_H
#define RETRO_MODELS_FORTRAN_TYPES_H

#include "fortran.h"

typedef struct {
  char *base;
  size_t size;
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute, extra;
} Head;

typedef struct DerivedType DerivedType;
typedef struct {
  Head head;
  Dim dim[1];
  const DerivedType *type;
  int64_t length;
} List;
typedef struct {
  Head head;
  const DerivedType *type;
  int64_t length;
} One;

struct DerivedType {
  List bindings;
  Head name;
  int64_t size;
  One uninstantiated;
  struct {
    Head head;
    Dim dim[1];
  } kinds, lengths;
  List components, procedures, special;
  uint32_t specialBits;
  uint8_t hasParent, noInitialization, noDestruction, noFinalization;
  uint8_t noDefinedAssignment;
};

/// A procedure that the program defines for all values of a type.
typedef struct {
  uint8_t which, descriptors; ///< bit 0: the argument is a descriptor
  uint8_t typeBound, contiguous;
  void (*procedure)(char *);
} Special;

enum { ScalarAssignment = 1, ElementalAssignment, ElementalFinal = 7 };
enum { AssumedRankFinal = 8, ScalarFinal = 9 };

typedef struct {
  uint8_t genre;
  int64_t value;
} Value;

typedef struct {
  Head name;
  uint8_t genre, category, kind, rank;
  int64_t offset;
  Value length;
  struct {
    Head head;
    const DerivedType *type;
    int64_t length;
  } derived; ///< head.base is the component's type
  List lengths;
  struct {
    Head head;
    Dim dim[2];
    const DerivedType *type;
    int64_t length;
  } bounds; ///< Value[rank][2]
  const char *initialization;
} Component;
/// A pointer to a procedure, which is a list of its own in a type.
typedef struct {
  Head name;
  int64_t offset;
  const void *initialization;
} ProcedureComponent;
_Static_assert(sizeof(ProcedureComponent) == 40, "as flang lays it out");
_Static_assert(sizeof(Component) == 256, "as flang lays it out");
_Static_assert(offsetof(DerivedType, components) == 232, "as flang does");

enum { DataGenre = 1, PointerGenre, AllocatableGenre };
enum { IntegerCategory, RealCategory = 2, ComplexCategory, CharacterCategory };
enum { LogicalCategory = 5, DerivedCategory };

INLINE const DerivedType *typeOfComponent(const Component *c) {
  return c->category == DerivedCategory
             ? (const DerivedType *)c->derived.head.base
             : 0;
}

INLINE int64_t numComponents(const DerivedType *t) {
  return t->components.dim[0].extent;
}

INLINE const Component *component(const DerivedType *t, int64_t i) {
  return (const Component *)t->components.head.base + i;
}

INLINE int64_t numProcedures(const DerivedType *t) {
  return t->procedures.dim[0].extent;
}

INLINE const ProcedureComponent *procedure(const DerivedType *t, int64_t i) {
  return (const ProcedureComponent *)t->procedures.head.base + i;
}

/// The number of elements of a component of constant shape.
INLINE int64_t fixedElements(const Component *c) {
  const Value *bounds = (const Value *)c->bounds.head.base;
  int64_t n = 1;
  UNROLL for (int j = 0; j < c->rank; ++j) n *=
      bounds[2 * j + 1].value - bounds[2 * j].value + 1;
  return n;
}

/// The type of a component's elements, as a descriptor would name it.
INLINE int8_t elementType(const Component *c) {
  switch (c->category) {
  case RealCategory:
    return c->kind == 4 ? Float : c->kind == 8 ? Double : -1;
  case ComplexCategory:
    return c->kind == 4 ? Complex4 : c->kind == 8 ? Complex8 : -1;
  case IntegerCategory:
  case LogicalCategory:
    return c->kind == 4 ? Integer4 : c->kind == 8 ? Integer8 : -1;
  case DerivedCategory:
    return Derived;
  default:
    return -1;
  }
}

INLINE size_t elementSize(const Component *c) {
  switch (c->category) {
  case ComplexCategory:
    return 2 * (size_t)c->kind;
  case CharacterCategory:
    return c->kind * (size_t)c->length.value;
  case DerivedCategory:
    return typeOfComponent(c) ? (size_t)typeOfComponent(c)->size : 0;
  default:
    return c->kind;
  }
}

/// Copies a descriptor of rank dimensions, word by word.
INLINE void copyBox(Box *to, const Box *from, int rank, bool derived) {
  to->base = from->base;
  to->size = from->size;
  to->version = from->version;
  to->rank = from->rank;
  to->type = from->type;
  to->attribute = from->attribute;
  to->extra = from->extra;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < rank) to->dim[j] =
      from->dim[j];
  if (derived) {
    UNROLL for (int j = 0; j <= MaxRank; ++j) if (j == rank) {
      to->dim[j].lower = from->dim[j].lower; // the type, and
      to->dim[j].extent = from->dim[j].extent;
    }
  }
}

INLINE void setType(Box *b, int rank, const DerivedType *t) {
  b->extra |= 1;
  UNROLL for (int j = 0; j <= MaxRank; ++j) if (j == rank) {
    *(const DerivedType **)&b->dim[j] = t;
  }
}

/// The number of elements of an allocated component.
INLINE int64_t elementsOf(const Box *b, int rank) {
  int64_t n = 1;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < rank) n *= b->dim[j].extent;
  return n;
}

// What is done with the components of a value. These stay calls until the type
// is known. The functions ...Within go on in types within types, since a
// function that calls itself is never inlined.
#define STEPWISE static __attribute__((noinline)) void
STEPWISE copyWithin(char *to, const char *from, const DerivedType *t,
                    bool found);
STEPWISE freeWithin(char *at, const DerivedType *t);
STEPWISE initializeWithin(char *at, const DerivedType *t);

/// Ends the program where a value has a type that is not of this module.
_Noreturn INLINE void stopAtForeignType(void) {
  retro_fortran_stop("the dynamic type of a polymorphic variable is not one "
                     "that the file declares or uses");
}

/// What has no model is refused when the program is compiled, unless the type
/// was only found among the tables: the value may never have it.
INLINE void refuseAssignment(const char *from, bool found) {
  if (found)
    retro_fortran_stop("the type of a polymorphic variable has components with "
                       "an assignment of their own");
  retro_fortran_defined_assignment_of_a_component(from);
}
INLINE void refuseFinalization(const char *at, bool found) {
  if (found)
    retro_fortran_stop("the type of a polymorphic variable has final "
                       "procedures of arrays");
  retro_fortran_finalization_of_an_array(at);
}

// What is done with a value whose type the running program knows: what is done
// for the one that it is of the types of the module. These stay functions, and
// each table is a constant in them.
#define FOR_ITS_TYPE(T, CALL, OTHERWISE)                                       \
  UNROLL for (int i = 0; i < retro_num_tables(); ++i) {                        \
    const DerivedType *known = retro_own_table(i);                             \
    if (T == known) {                                                          \
      CALL;                                                                    \
      return;                                                                  \
    }                                                                          \
  }                                                                            \
  OTHERWISE

STEPWISE copyComponents(char *to, const char *from, const DerivedType *t,
                        bool found);
STEPWISE freeComponents(char *at, const DerivedType *t);
STEPWISE initializeComponents(char *at, const DerivedType *t);
STEPWISE finalize(char *at, const DerivedType *t, int rank, bool found);

STEPWISE copyByTable(char *to, const char *from, const DerivedType *t) {
  FOR_ITS_TYPE(t, copyComponents(to, from, known, true), stopAtForeignType();)
}

STEPWISE freeByTable(char *at, const DerivedType *t){
    FOR_ITS_TYPE(t, freeComponents(at, known),
                 {
                   if (!t->noDestruction)
                     stopAtForeignType();
                 })}

STEPWISE initializeByTable(char *at, const DerivedType *t){
    FOR_ITS_TYPE(t, initializeComponents(at, known),
                 {
                   if (!t->noInitialization)
                     stopAtForeignType();
                 })}

STEPWISE finalizeByTable(char *at, const DerivedType *t, int rank){
    FOR_ITS_TYPE(t, finalize(at, known, rank, true),
                 {
                   if (!t->noFinalization)
                     stopAtForeignType();
                 })}

/// May a component of this declared type have another one when the program
/// runs? The tables do not say whether it is polymorphic.
INLINE bool isExtended(const DerivedType *d) {
  bool any = !d; // class(*)
  UNROLL for (int i = 0; i < retro_num_tables(); ++i) {
    const DerivedType *t = retro_table(i);
    any |= t->hasParent && typeOfComponent(component(t, 0)) == d;
  }
  return any;
}

/// Has any type of the module final procedures of its own?
INLINE bool hasFinals(void) {
  bool any = false;
  UNROLL for (int i = 0; i < retro_num_tables(); ++i) {
    any |= retro_table(i)->specialBits >> ElementalFinal != 0;
  }
  return any;
}

/// The type that an allocatable component has when the program runs, or null
/// if it is the declared one.
INLINE const DerivedType *otherType(const Box *b, int rank,
                                    const DerivedType *d) {
  const DerivedType *t = b->extra & 1 ? typeBehind(b, rank) : d;
  if (t == d)
    return 0;
  if (!isExtended(d))
    stopAtForeignType();
  return t;
}

STEPWISE copyComponents(char *to, const char *from, const DerivedType *t,
                        bool found) {
  UNROLL for (int64_t i = 0; i < numComponents(t); ++i) {
    const Component *c = component(t, i);
    const DerivedType *d = typeOfComponent(c);
    if (d &&
        d->specialBits & (1 << ScalarAssignment | 1 << ElementalAssignment))
      refuseAssignment(from, found);
    char *at = to + c->offset;
    const char *its = from + c->offset;
    int64_t size = (int64_t)elementSize(c), n;
    if (c->genre == DataGenre) {
      n = fixedElements(c);
    } else {
      Box *b = (Box *)at;
      copyBox(b, (const Box *)its, c->rank, c->category == DerivedCategory);
      if (c->genre != AllocatableGenre || !b->base)
        continue;
      n = elementsOf(b, c->rank);
      its = b->base;
      if (c->category == CharacterCategory)
        size = (int64_t)b->size; // its length may be deferred
      const DerivedType *other = 0;
      if (c->category == DerivedCategory)
        other = otherType(b, c->rank, d);
      if (other) {
        const int64_t step = other->size;
        b->base = allocate((size_t)step, n);
        for (int64_t k = 0; k < n; ++k)
          copyByTable(b->base + k * step, its + k * step, other);
        continue;
      }
      at = b->base = allocate((size_t)size, n);
    }
    if (d) {
      for (int64_t k = 0; k < n; ++k)
        copyWithin(at + k * size, its + k * size, d, found);
    } else if (c->category == CharacterCategory) {
      for (int64_t k = 0; k < n * size; ++k)
        at[k] = its[k]; // which shows that it is no number
    } else {
      for (int64_t k = 0; k < n; ++k)
        copy(at + k * size, its + k * size, elementType(c), (size_t)size);
    }
  }
  UNROLL for (int64_t i = 0; i < numProcedures(t); ++i) {
    int64_t at = procedure(t, i)->offset;
    *(void **)(to + at) = *(void *const *)(from + at);
  }
}

STEPWISE copyWithin(char *to, const char *from, const DerivedType *t,
                    bool found) {
  copyComponents(to, from, t, found);
}

STEPWISE finalizeWithin(char *at, const DerivedType *t, bool found);

/// Runs the final procedures of a value: its own, then those of its components,
/// of which the parent is one.
STEPWISE finalize(char *at, const DerivedType *t, int rank, bool found) {
  if (t->noFinalization || !hasFinals())
    return;
  UNROLL for (int64_t i = 0; i < t->special.dim[0].extent; ++i) {
    const Special *s = (const Special *)t->special.head.base + i;
    bool own = s->which == ElementalFinal || s->which == ScalarFinal + rank;
    if (s->which == AssumedRankFinal ||
        (own && (s->descriptors & 1 || (rank && s->which != ElementalFinal))))
      refuseFinalization(at, found);
    else if (own)
      s->procedure(at);
  }
  UNROLL for (int64_t i = 0; i < numComponents(t); ++i) {
    const Component *c = component(t, i);
    const DerivedType *d = typeOfComponent(c);
    if (!d || c->genre == PointerGenre ||
        (d->noFinalization && (c->genre == DataGenre || !isExtended(d))))
      continue;
    char *its = at + c->offset;
    int64_t n = c->genre == DataGenre ? fixedElements(c) : 0;
    if (c->genre == AllocatableGenre) {
      const Box *b = (const Box *)its;
      its = b->base;
      n = its ? elementsOf(b, c->rank) : 0;
      const DerivedType *other = its ? otherType(b, c->rank, d) : 0;
      if (other) {
        if (c->rank && other->specialBits)
          refuseFinalization(its, found);
        for (int64_t k = 0; k < n; ++k)
          finalizeByTable(its + k * other->size, other, 0);
        continue;
      }
    }
    if (c->rank && d->specialBits)
      refuseFinalization(its, found);
    for (int64_t k = 0; k < n; ++k)
      finalizeWithin(its + k * d->size, d, found);
  }
}

STEPWISE finalizeWithin(char *at, const DerivedType *t, bool found) {
  finalize(at, t, 0, found);
}

STEPWISE freeComponents(char *at, const DerivedType *t) {
  if (t->noDestruction)
    return;
  UNROLL for (int64_t i = 0; i < numComponents(t); ++i) {
    const Component *c = component(t, i);
    const DerivedType *d = typeOfComponent(c);
    if (c->genre == AllocatableGenre) {
      Box *b = (Box *)(at + c->offset);
      if (!b->base)
        continue;
      const DerivedType *other = 0;
      if (c->category == DerivedCategory)
        other = otherType(b, c->rank, d);
      if (other)
        for (int64_t k = 0, n = elementsOf(b, c->rank); k < n; ++k)
          freeByTable(b->base + k * other->size, other);
      else if (d && !d->noDestruction)
        for (int64_t k = 0, n = elementsOf(b, c->rank); k < n; ++k)
          freeWithin(b->base + k * d->size, d);
      free(b->base);
      b->base = 0;
    } else if (c->genre == DataGenre && d && !d->noDestruction) {
      for (int64_t k = 0, n = fixedElements(c); k < n; ++k)
        freeWithin(at + c->offset + k * d->size, d);
    }
  }
}

STEPWISE freeWithin(char *at, const DerivedType *t) { freeComponents(at, t); }

STEPWISE initializeComponents(char *at, const DerivedType *t) {
  if (t->noInitialization)
    return;
  UNROLL for (int64_t i = 0; i < numComponents(t); ++i) {
    const Component *c = component(t, i);
    const DerivedType *d = typeOfComponent(c);
    int64_t size = (int64_t)elementSize(c);
    if (c->genre == DataGenre) {
      int64_t n = fixedElements(c);
      for (int64_t k = 0; k < n; ++k) {
        char *e = at + c->offset + k * size;
        if (c->initialization && d)
          copyWithin(e, c->initialization + k * size, d, true);
        else if (c->initialization && c->category == CharacterCategory)
          for (int64_t j = 0; j < size; ++j)
            e[j] = c->initialization[k * size + j];
        else if (c->initialization)
          copy(e, c->initialization + k * size, elementType(c), (size_t)size);
        else if (d)
          initializeWithin(e, d);
      }
      continue;
    }
    Box *b = (Box *)(at + c->offset);
    b->base = 0;
    b->size = (size_t)size;
    b->version = Version;
    b->rank = c->rank;
    b->type = elementType(c);
    b->attribute = c->genre == AllocatableGenre ? Allocatable : Pointer;
    b->extra = 0;
    if (d)
      setType(b, c->rank, d);
  }
  UNROLL for (int64_t i = 0; i < numProcedures(t); ++i) {
    const ProcedureComponent *p = procedure(t, i);
    *(const void **)(at + p->offset) = p->initialization;
  }
}

STEPWISE initializeWithin(char *at, const DerivedType *t) {
  initializeComponents(at, t);
}

#endif
