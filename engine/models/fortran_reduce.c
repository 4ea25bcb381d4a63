// Sums, products, extrema and norms of an array, of all of it or along one
// dimension, with or without a mask: one loop in array element order, which the
// engine derives. What they return is what flang's runtime returns, also for
// arrays without elements and for numbers that are none.
#include "fortran.h"

double sqrt(double);
float sqrtf(float);

#define ADD(R, X) R += X
#define MULTIPLY(R, X) R *= X
#define LARGER(R, X)                                                           \
  if (X > R || R != R)                                                         \
  R = X
#define SMALLER(R, X)                                                          \
  if (X < R || R != R)                                                         \
  R = X

/// Combines all elements that the mask selects, in order.
#define REDUCE(T, START, OPERATION)                                            \
  View x = view(array), m = viewMask(mask);                                    \
  T r = START;                                                                 \
  int64_t n = rows(&x), s = step(&x), k = 0;                                   \
  for (int64_t c = 0; c < columns(&x); ++c) {                                  \
    const char *p = column(&x, c);                                             \
    for (int64_t i = 0; i < n; ++i, ++k)                                       \
      if (selected(&m, k)) {                                                   \
        T value = *(const T *)(p + i * s);                                     \
        OPERATION(r, value);                                                   \
      }                                                                        \
  }

#define WHOLE(NAME, T, START, OPERATION)                                       \
  T retro_fortran_##NAME(const Box *array, const char *file, int line,         \
                         int dim, const Box *mask) {                           \
    REDUCE(T, START, OPERATION)                                                \
    return r;                                                                  \
  }
WHOLE(SumReal4, float, 0, ADD)
WHOLE(SumReal8, double, 0, ADD)
WHOLE(ProductReal4, float, 1, MULTIPLY)
WHOLE(ProductReal8, double, 1, MULTIPLY)
WHOLE(MaxvalReal4, float, -__FLT_MAX__, LARGER)
WHOLE(MaxvalReal8, double, -__DBL_MAX__, LARGER)
WHOLE(MinvalReal4, float, __FLT_MAX__, SMALLER)
WHOLE(MinvalReal8, double, __DBL_MAX__, SMALLER)

// Complex results are stored to memory, not returned.
#define STORED(NAME, T, START, OPERATION)                                      \
  void retro_fortran_##NAME(T *result, const Box *array, const char *file,     \
                            int line, int dim, const Box *mask) {              \
    REDUCE(T, START, OPERATION)                                                \
    *result = r;                                                               \
  }
STORED(SumComplex4, Cfloat, 0, ADD)
STORED(SumComplex8, Cdouble, 0, ADD)
STORED(ProductComplex4, Cfloat, 1, MULTIPLY)
STORED(ProductComplex8, Cdouble, 1, MULTIPLY)

#define NORM(NAME, T, ROOT)                                                    \
  T retro_fortran_##NAME(const Box *array, const char *file, int line,         \
                         int dim) {                                            \
    const Box *mask = 0;                                                       \
    REDUCE(T, 0, ADD_SQUARE)                                                   \
    return ROOT(r);                                                            \
  }
#define ADD_SQUARE(R, X) R += X * X
NORM(Norm2_4, float, sqrtf)
NORM(Norm2_8, double, sqrt)

/// A reduction along a dimension (counted from 1): how many elements become
/// one, and how far they are apart.
typedef struct {
  int64_t count, inner;
} Along;

INLINE View along(Box *result, const View *x, int dim, Along *a) {
  View r = begin(x, x->rank - 1);
  a->inner = 1, a->count = 0;
  for (int j = 0, k = 0; j < x->rank; ++j) {
    if (j + 1 < dim)
      a->inner *= x->dim[j].extent;
    if (j + 1 == dim)
      a->count = x->dim[j].extent;
    else
      setExtent(&r, k++, x->dim[j].extent);
  }
  finish(result, &r);
  return r;
}

#define ALONG(T, START, OPERATION, LAST)                                       \
  for (int64_t k = 0; k < elements(&all); ++k) {                               \
    int64_t first = k % a.inner + k / a.inner * a.inner * a.count;             \
    T r = START;                                                               \
    for (int64_t i = 0; i < a.count; ++i)                                      \
      if (selected(&m, first + i * a.inner)) {                                 \
        T value = *(const T *)element(&x, first + i * a.inner);                \
        OPERATION(r, value);                                                   \
      }                                                                        \
    LAST;                                                                      \
    *(T *)(all.base + k * (int64_t)sizeof(T)) = r;                             \
  }

#define DIMENSION(NAME, INTEGER4, INTEGER8, START4, START8, CASES, OPERATION)  \
  void retro_fortran_##NAME(Box *result, const Box *array, int dim,            \
                            const char *file, int line, const Box *mask) {     \
    View x = view(array), m = viewMask(mask);                                  \
    Along a;                                                                   \
    View all = along(result, &x, dim, &a);                                     \
    switch (x.type) {                                                          \
    case Float:                                                                \
      ALONG(float, START4, OPERATION, )                                        \
      return;                                                                  \
    case Double:                                                               \
      ALONG(double, START8, OPERATION, )                                       \
      return;                                                                  \
    case Integer4:                                                             \
      ALONG(int32_t, INTEGER4, OPERATION, )                                    \
      return;                                                                  \
    case Integer8:                                                             \
      ALONG(int64_t, INTEGER8, OPERATION, )                                    \
      return;                                                                  \
      CASES                                                                    \
    default:                                                                   \
      retro_fortran_reduction_of_this_type(x.base);                            \
    }                                                                          \
  }
#define COMPLEX(START, OPERATION)                                              \
  case Complex4:                                                               \
    ALONG(Cfloat, START, OPERATION, )                                          \
    return;                                                                    \
  case Complex8:                                                               \
    ALONG(Cdouble, START, OPERATION, )                                         \
    return;
DIMENSION(SumDim, 0, 0, 0, 0, COMPLEX(0, ADD), ADD)
DIMENSION(ProductDim, 1, 1, 1, 1, COMPLEX(1, MULTIPLY), MULTIPLY)
DIMENSION(MaxvalDim, INT32_MIN, INT64_MIN, -__FLT_MAX__, -__DBL_MAX__, , LARGER)
DIMENSION(MinvalDim, INT32_MAX, INT64_MAX, __FLT_MAX__, __DBL_MAX__, , SMALLER)

void retro_fortran_Norm2Dim(Box *result, const Box *array, int dim,
                            const char *file, int line) {
  View x = view(array), m = viewMask(0);
  Along a;
  View all = along(result, &x, dim, &a);
  if (x.type == Float) {
    ALONG(float, 0, ADD_SQUARE, r = sqrtf(r))
  } else if (x.type == Double) {
    ALONG(double, 0, ADD_SQUARE, r = sqrt(r))
  } else {
    retro_fortran_reduction_of_this_type(x.base);
  }
}
