// Products of vectors and matrices: DOT_PRODUCT and MATMUL, of two descriptors,
// in each combination of types that flang's code calls. The loops are plain, so
// that the engine derives them like those of the program; a result that is to
// be allocated is allocated here.
#include "fortran.h"

#define PRODUCTS(T, CONJUGATE)                                                 \
  View a = view(x), b = view(y);                                               \
  T r = 0;                                                                     \
  for (int64_t i = 0; i < rows(&a); ++i)                                       \
    r += CONJUGATE(*(const T *)element(&a, i)) * *(const T *)element(&b, i);
#define PLAIN(X) X

float retro_fortran_DotProductReal4(const Box *x, const Box *y,
                                    const char *file, int line) {
  PRODUCTS(float, PLAIN)
  return r;
}

double retro_fortran_DotProductReal8(const Box *x, const Box *y,
                                     const char *file, int line) {
  PRODUCTS(double, PLAIN)
  return r;
}

void retro_fortran_DotProductComplex4(Cfloat *result, const Box *x,
                                      const Box *y, const char *file,
                                      int line) {
  PRODUCTS(Cfloat, ~)
  *result = r;
}

void retro_fortran_DotProductComplex8(Cdouble *result, const Box *x,
                                      const Box *y, const char *file,
                                      int line) {
  PRODUCTS(Cdouble, ~)
  *result = r;
}

/// A matrix as it is multiplied. A vector is a matrix with one row or one
/// column.
typedef struct {
  const char *base;
  int64_t rows, columns, rowStride, columnStride;
} Matrix;

INLINE Matrix matrix(const View *b, bool left, bool transposed) {
  Matrix m = {b->base, 1, 1, 0, 0};
  if (b->rank == 2) {
    m.rows = b->dim[0].extent, m.rowStride = b->dim[0].stride;
    m.columns = b->dim[1].extent, m.columnStride = b->dim[1].stride;
  } else if (left) {
    m.columns = b->dim[0].extent, m.columnStride = b->dim[0].stride;
  } else {
    m.rows = b->dim[0].extent, m.rowStride = b->dim[0].stride;
  }
  if (transposed) {
    Matrix t = {m.base, m.columns, m.rows, m.columnStride, m.rowStride};
    return t;
  }
  return m;
}

/// Makes a contiguous copy. What is read below is never overwritten then, so
/// the reverse pass need not keep every factor of every product.
#define GATHER(T, M, FROM)                                                     \
  T *M = malloc(sizeof(T) * (size_t)(FROM.rows * FROM.columns) + 1);           \
  for (int64_t j = 0; j < FROM.columns; ++j)                                   \
    for (int64_t i = 0; i < FROM.rows; ++i)                                    \
      M[j * FROM.rows + i] = *(const T *)(FROM.base + i * FROM.rowStride +     \
                                          j * FROM.columnStride);

/// to(i, j) = sum of a(i, k) b(k, j).
#define MULTIPLY(R, X, Y)                                                      \
  GATHER(X, x, a)                                                              \
  GATHER(Y, y, b)                                                              \
  for (int64_t j = 0; j < b.columns; ++j) {                                    \
    R *to = malloc(sizeof(R) * (size_t)a.rows + 1);                            \
    for (int64_t i = 0; i < a.rows; ++i)                                       \
      to[i] = 0;                                                               \
    for (int64_t k = 0; k < a.columns; ++k)                                    \
      for (int64_t i = 0; i < a.rows; ++i)                                     \
        to[i] += x[k * a.rows + i] * y[j * b.rows + k];                        \
    for (int64_t i = 0; i < a.rows; ++i)                                       \
      *(R *)(base + i * rowStride + j * columnStride) = to[i];                 \
    free(to);                                                                  \
  }                                                                            \
  free(x);                                                                     \
  free(y);

/// Sets the result's shape: the dimensions of the operands without those that
/// are summed over.
INLINE View shape(Box *result, const View *x, const View *y, Matrix a, Matrix b,
                  size_t size, int8_t type) {
  View r = begin(x, x->rank + y->rank - 2);
  r.size = size;
  r.type = type;
  if (r.rank == 2) {
    setExtent(&r, 0, a.rows);
    setExtent(&r, 1, b.columns);
  } else {
    setExtent(&r, 0, x->rank == 2 ? a.rows : b.columns);
  }
  finish(result, &r);
  return r;
}

#define PRODUCT(NAME, R, TYPE, X, Y, TRANSPOSED, NEW)                          \
  void retro_fortran_##NAME(Box *result, const Box *left, const Box *right,    \
                            const char *file, int line) {                      \
    View l = view(left), r = view(right);                                      \
    Matrix a = matrix(&l, true, TRANSPOSED);                                   \
    Matrix b = matrix(&r, false, false);                                       \
    View all =                                                                 \
        NEW ? shape(result, &l, &r, a, b, sizeof(R), TYPE) : view(result);     \
    Matrix m = matrix(&all, l.rank == 1, false);                               \
    char *base = all.base;                                                     \
    int64_t rowStride = m.rowStride, columnStride = m.columnStride;            \
    MULTIPLY(R, X, Y)                                                          \
  }
#define PAIR(NAMES, R, TYPE, X, Y)                                             \
  PRODUCT(Matmul##NAMES, R, TYPE, X, Y, false, true)                           \
  PRODUCT(MatmulDirect##NAMES, R, TYPE, X, Y, false, false)                    \
  PRODUCT(MatmulTranspose##NAMES, R, TYPE, X, Y, true, true)                   \
  PRODUCT(MatmulTransposeDirect##NAMES, R, TYPE, X, Y, true, false)
PAIR(Real4Real4, float, Float, float, float)
PAIR(Real8Real8, double, Double, double, double)
PAIR(Real4Real8, double, Double, float, double)
PAIR(Real8Real4, double, Double, double, float)
PAIR(Complex4Complex4, Cfloat, Complex4, Cfloat, Cfloat)
PAIR(Complex8Complex8, Cdouble, Complex8, Cdouble, Cdouble)
PAIR(Real8Complex8, Cdouble, Complex8, double, Cdouble)
PAIR(Complex8Real8, Cdouble, Complex8, Cdouble, double)
