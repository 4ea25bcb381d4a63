// The functions of the Fortran runtime in C, for the engine to differentiate
// (models.h). The layouts are those of flang 22: descriptors as in
// ISO_Fortran_binding.h, and the tables that describe derived types.
//
// Where the engine sees what a descriptor holds, all of this folds to loops
// over numbers of one type.
#ifndef RETRO_MODELS_FORTRAN_H
#define RETRO_MODELS_FORTRAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

#define INLINE static inline __attribute__((always_inline))

/// Ends the program with a message.
_Noreturn void _FortranAReportFatalUserError(const char *, const char *, int);
_Noreturn INLINE void retro_fortran_stop(const char *what) {
  _FortranAReportFatalUserError(what, "retrograde", 0);
}

/// Stands for what has no model. The engine reports such a call if active
/// memory is passed and nobody knows the derivative.
void retro_fortran_rearranged_derived_type(const void *);
void retro_fortran_converting_assignment(const void *);
void retro_fortran_reduction_of_this_type(const void *);
void retro_fortran_defined_assignment_of_a_component(const void *);
void retro_fortran_finalization_of_an_array(const void *);

typedef struct {
  int64_t lower, extent, stride; ///< stride in bytes
} Dim;

typedef struct {
  char *base;
  size_t size; ///< of an element
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute;
  uint8_t extra; ///< bit 0: a derived type follows the dimensions
  Dim dim[];
} Box;

enum { Pointer = 1, Allocatable = 2 };                          // attribute
enum { Float = 27, Double = 28, Complex4 = 34, Complex8 = 35 }; // type
enum { Integer4 = 9, Integer8 = 10, Derived = 42 };
enum { Version = 20240719, MaxRank = 15 };

typedef float _Complex Cfloat;
typedef double _Complex Cdouble;

/// Is the value known where the engine looks at the call?
#define KNOWN(X) __builtin_constant_p(X)
/// Is it known which table this is? The engine answers.
__attribute__((const)) bool retro_known_table(const void *);

/// The tables of derived types that the module has. The engine answers, too. A
/// function that looks for a value's own table among them asks by the last.
__attribute__((const)) int retro_num_tables(void);
__attribute__((const)) const struct DerivedType *retro_table(int);
__attribute__((const)) const struct DerivedType *retro_own_table(int);

#define UNROLL _Pragma("clang loop unroll(full)")

struct DerivedType;

/// What a descriptor says, in local variables. Descriptors are read and written
/// at constant offsets only, so that local descriptors become variables, too,
/// and show what they hold.
typedef struct {
  char *base;
  size_t size;
  int rank;
  int8_t type;
  uint8_t attribute;
  const struct DerivedType *derived; ///< where it is known which type it is
  const struct DerivedType *unknown; ///< where it is not, or null
  Dim dim[MaxRank];
} View;

/// The type that follows the dimensions, if there is one.
INLINE const struct DerivedType *typeBehind(const Box *b, int rank) {
  UNROLL for (int j = 0; j <= MaxRank; ++j) if (j == rank) return *(
      const struct DerivedType *const *)&b->dim[j];
  return 0;
}

/// Copies what a View has of a Box or of another View before the dimensions,
/// variable by variable: the engine does not see through a copy of bytes.
#define COPY_HEADER(v, b)                                                      \
  ((v).base = (b)->base, (v).size = (b)->size, (v).rank = (b)->rank,           \
   (v).type = (b)->type, (v).attribute = (b)->attribute)

INLINE View view(const Box *b) {
  View v;
  COPY_HEADER(v, b);
  v.derived = v.unknown = 0;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < v.rank) v.dim[j] = b->dim[j];
  if (b->extra & 1) {
    const struct DerivedType *t = typeBehind(b, v.rank);
    bool known = KNOWN(b->extra) && retro_known_table(t);
    v.derived = known ? t : 0;
    v.unknown = known ? 0 : t;
  }
  return v;
}

/// A copy, variable by variable.
INLINE View same(const View *b) {
  View v;
  COPY_HEADER(v, b);
  v.derived = b->derived;
  v.unknown = b->unknown;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < v.rank) v.dim[j] = b->dim[j];
  return v;
}

/// The same; what is not known of this array may be known of another array of
/// the same type and, unless that is a scalar, the same rank.
INLINE View viewLike(const Box *b, const Box *other) {
  if (KNOWN(b->rank) && KNOWN(b->extra) && KNOWN(b->type))
    return view(b);
  View v;
  v.base = b->base;
  v.rank = other->rank ? other->rank : b->rank;
  v.type = other->type;
  v.size = other->size;
  v.attribute = b->attribute;
  View o = view(other);
  v.derived = o.derived, v.unknown = o.unknown;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < v.rank) v.dim[j] = b->dim[j];
  return v;
}

/// Writes shape and address back to the descriptor.
INLINE void update(Box *b, const View *v) {
  b->base = v->base;
  UNROLL for (int j = 0; j < MaxRank; ++j) if (j < v->rank) b->dim[j] =
      v->dim[j];
}

INLINE int64_t elements(const View *b) {
  int64_t n = 1;
  for (int j = 0; j < b->rank; ++j)
    n *= b->dim[j].extent;
  return n;
}

/// The number of elements in all dimensions but the first.
INLINE int64_t columns(const View *b) {
  int64_t n = 1;
  for (int j = 1; j < b->rank; ++j)
    n *= b->dim[j].extent;
  return n;
}

INLINE int64_t rows(const View *b) { return b->rank ? b->dim[0].extent : 1; }

INLINE int64_t step(const View *b) { return b->rank ? b->dim[0].stride : 0; }

/// The beginning of column number c, in array element order.
INLINE char *column(const View *b, int64_t c) {
  int64_t offset = 0;
  for (int j = 1; j < b->rank; ++j) {
    if (j + 1 == b->rank) {
      offset += c * b->dim[j].stride;
    } else {
      offset += c % b->dim[j].extent * b->dim[j].stride;
      c /= b->dim[j].extent;
    }
  }
  return b->base + offset;
}

/// Element number k, in array element order. A scalar has one element.
INLINE char *element(const View *b, int64_t k) {
  if (b->rank == 0)
    return b->base;
  if (b->rank == 1)
    return b->base + k * b->dim[0].stride;
  return column(b, k / b->dim[0].extent) + k % b->dim[0].extent * step(b);
}

INLINE int64_t integer(const char *p, size_t size) {
  switch (size) {
  case 1:
    return *(const int8_t *)p;
  case 2:
    return *(const int16_t *)p;
  case 8:
    return *(const int64_t *)p;
  default:
    return *(const int32_t *)p;
  }
}

/// Is the logical, of any kind, true?
INLINE bool truth(const char *p, size_t size) { return integer(p, size) != 0; }

/// A view of a mask that may be absent, and then selects everything.
INLINE View viewMask(const Box *b) {
  View none = {0};
  return b ? view(b) : none;
}

/// Does a mask select element k? A scalar holds for all elements.
INLINE bool selected(const View *mask, int64_t k) {
  return !mask->base || truth(element(mask, k), mask->size);
}

/// Copies one number or other value. Its type shows if it is known.
INLINE void copy(char *to, const char *from, int8_t type, size_t size) {
  if (!KNOWN(type)) {
    memcpy(to, from, size);
    return;
  }
  switch (type) {
  case Float:
    *(float *)to = *(const float *)from;
    return;
  case Double:
    *(double *)to = *(const double *)from;
    return;
  case Complex4:
    ((float *)to)[0] = ((const float *)from)[0];
    ((float *)to)[1] = ((const float *)from)[1];
    return;
  case Complex8:
    ((double *)to)[0] = ((const double *)from)[0];
    ((double *)to)[1] = ((const double *)from)[1];
    return;
  case Integer4:
    *(int32_t *)to = *(const int32_t *)from;
    return;
  case Integer8:
    *(int64_t *)to = *(const int64_t *)from;
    return;
  default:
    memcpy(to, from, size);
  }
}

/// Allocates an array of n elements, and one byte at least.
INLINE char *allocate(size_t size, int64_t n) {
  size_t bytes = n > 0 ? size * (size_t)n : 0;
  return malloc(bytes ? bytes : 1);
}

/// Sets the strides of a contiguous array with the extents that are set.
INLINE void setStrides(View *b) {
  int64_t stride = (int64_t)b->size;
  for (int j = 0; j < b->rank; ++j) {
    b->dim[j].stride = stride;
    stride *= b->dim[j].extent;
  }
}

INLINE void setExtent(View *b, int j, int64_t extent) {
  b->dim[j].lower = 1;
  b->dim[j].extent = extent > 0 ? extent : 0;
}

/// Begins a new array like source, with another rank, and extents yet to be
/// set.
INLINE View begin(const View *source, int rank) {
  View v = {0};
  if (source->derived)
    retro_fortran_rearranged_derived_type(source->base);
  if (source->unknown)
    retro_fortran_stop("rearranging an array of a type that is not known at "
                       "compile time");
  v.size = source->size;
  v.rank = rank;
  v.type = source->type;
  return v;
}

/// Allocates the array, and describes it in result.
INLINE void finish(Box *result, View *v) {
  setStrides(v);
  v->base = allocate(v->size, elements(v));
  result->size = v->size;
  result->version = Version;
  result->rank = (uint8_t)v->rank;
  result->type = v->type;
  result->attribute = Allocatable;
  result->extra = 0;
  update(result, v);
}

#endif
