// LINK: openblas
// HEADER: cblas.h
// SOURCES: handles/host_libraries.cpp
// Routines of cuBLAS and rocBLAS: handles, factors by address, results where an
// operand points, choices by either library's numbers; against differences of
// the routine itself and forward mode against reverse mode. Their adjoints make
// no more calls than a person would write.
#include "both_types.h"

extern "C" int calls_of_library, products_of_library;

namespace {

struct {
  int ta, tb, uplo, diag, side; ///< truth values
  int incx, incy;
  bool overwrite; ///< what the routine read is gone afterwards
} cfg;

enum { Words = 130, X0 = 94, Y0 = 112 }; // vectors with gaps

} // namespace

// Each library with the numbers that it gives to choices.
struct Cublas {
  static int trans(int v) { return v; }
  static int lower(int v) { return !v; }
  static int unit(int v) { return v; }
  static int right(int v) { return v; }
};
struct Rocblas {
  static int trans(int v) { return v ? 112 : 111; }
  static int lower(int v) { return v ? 122 : 121; }
  static int unit(int v) { return v ? 132 : 131; }
  static int right(int v) { return v ? 142 : 141; }
};

// Declared as the libraries' headers do.
#define DECLARE(P, S, T)                                                       \
  extern "C" {                                                                 \
  int P##axpy##S(void *, int, const T *, const T *, int, T *, int);            \
  int P##scal##S(void *, int, const T *, T *, int);                            \
  int P##copy##S(void *, int, const T *, int, T *, int);                       \
  int P##swap##S(void *, int, T *, int, T *, int);                             \
  int P##dot##S(void *, int, const T *, int, const T *, int, T *);             \
  int P##nrm2##S(void *, int, const T *, int, T *);                            \
  int P##asum##S(void *, int, const T *, int, T *);                            \
  int P##gemv##S(void *, int, int, int, const T *, const T *, int, const T *,  \
                 int, const T *, T *, int);                                    \
  int P##ger##S(void *, int, int, const T *, const T *, int, const T *, int,   \
                T *, int);                                                     \
  int P##symv##S(void *, int, int, const T *, const T *, int, const T *, int,  \
                 const T *, T *, int);                                         \
  int P##syr##S(void *, int, int, const T *, const T *, int, T *, int);        \
  int P##syr2##S(void *, int, int, const T *, const T *, int, const T *, int,  \
                 T *, int);                                                    \
  int P##trmv##S(void *, int, int, int, int, const T *, int, T *, int);        \
  int P##trsv##S(void *, int, int, int, int, const T *, int, T *, int);        \
  int P##gemm##S(void *, int, int, int, int, int, const T *, const T *, int,   \
                 const T *, int, const T *, T *, int);                         \
  int P##symm##S(void *, int, int, int, int, const T *, const T *, int,        \
                 const T *, int, const T *, T *, int);                         \
  int P##syrk##S(void *, int, int, int, int, const T *, const T *, int,        \
                 const T *, T *, int);                                         \
  int P##syr2k##S(void *, int, int, int, int, const T *, const T *, int,       \
                  const T *, int, const T *, T *, int);                        \
  int P##trmm##S(void *, int, int, int, int, int, int, const T *, const T *,   \
                 int, const T *, int, T *, int);                               \
  int P##trsm##S(void *, int, int, int, int, int, int, const T *, const T *,   \
                 int, T *, int);                                               \
  }
DECLARE(cublasD, _v2, double)
DECLARE(cublasS, _v2, float)
DECLARE(rocblas_d, , double)
DECLARE(rocblas_s, , float)

namespace {

// w[0] and w[1] are the factors, w[2] takes what a routine computes.
#define STEP(Name, routine, ...)                                               \
  struct Name {                                                                \
    template <class L, class F, class T> static int go(F routine, T *w) {      \
      static int handle;                                                       \
      void *h = &handle;                                                       \
      T *a = w, *b = w + 1, *r = w + 2, *A = w + A0, *B = w + B0, *C = w + C0, \
        *x = w + X0, *y = w + Y0;                                              \
      const int ta = L::trans(cfg.ta), tb = L::trans(cfg.tb),                  \
                u = L::lower(cfg.uplo), d = L::unit(cfg.diag),                 \
                s = L::right(cfg.side), ix = cfg.incx, iy = cfg.incy;          \
      (void)a, (void)b, (void)r, (void)A, (void)B, (void)C, (void)x, (void)y;  \
      (void)ta, (void)tb, (void)u, (void)d, (void)s, (void)ix, (void)iy;       \
      return routine(h, __VA_ARGS__);                                          \
    }                                                                          \
    static int run(Cublas, double *w) {                                        \
      return go<Cublas>(cublasD##routine##_v2, w);                             \
    }                                                                          \
    static int run(Cublas, float *w) {                                         \
      return go<Cublas>(cublasS##routine##_v2, w);                             \
    }                                                                          \
    static int run(Rocblas, double *w) {                                       \
      return go<Rocblas>(rocblas_d##routine, w);                               \
    }                                                                          \
    static int run(Rocblas, float *w) {                                        \
      return go<Rocblas>(rocblas_s##routine, w);                               \
    }                                                                          \
  };
STEP(Axpy, axpy, N, a, x, ix, y, iy)
STEP(Scal, scal, N, a, x, abs(ix))
STEP(Copy, copy, N, x, ix, y, iy)
STEP(Swap, swap, N, x, ix, y, iy)
STEP(Dot, dot, N, x, ix, y, iy, r)
STEP(Nrm2, nrm2, N, x, abs(ix), r)
STEP(Asum, asum, N, x, abs(ix), r)
STEP(Gemv, gemv, ta, M, N, a, A, Ld, x, ix, b, y, iy)
STEP(Ger, ger, M, N, a, x, ix, y, iy, A, Ld)
STEP(Symv, symv, u, N, a, A, Ld, x, ix, b, y, iy)
STEP(Syr, syr, u, N, a, x, ix, A, Ld)
STEP(Syr2, syr2, u, N, a, x, ix, y, iy, A, Ld)
STEP(Trmv, trmv, u, ta, d, N, A, Ld, x, ix)
STEP(Trsv, trsv, u, ta, d, N, A, Ld, x, ix)
STEP(Gemm, gemm, ta, tb, M, N, K, a, A, Ld, B, Ld, b, C, Ld)
STEP(Symm, symm, s, u, M, N, a, A, Ld, B, Ld, b, C, Ld)
STEP(Syrk, syrk, u, ta, N, K, a, A, Ld, b, C, Ld)
STEP(Syr2k, syr2k, u, ta, N, K, a, A, Ld, B, Ld, b, C, Ld)
STEP(Trmm, trmm, s, u, ta, d, M, N, a, A, Ld, B, Ld, C, Ld)
STEP(TrmmInPlace, trmm, s, u, ta, d, M, N, a, A, Ld, B, Ld, B, Ld)
STEP(Trsm, trsm, s, u, ta, d, M, N, a, A, Ld, B, Ld)

template <class R, class L, class T> T f(const T *p, int n) {
  T w[Words], s = 0;
  memcpy(w, p, sizeof(T) * size_t(n));
  if (R::run(L(), w) != 0)
    return -1;
  for (int i = 0; i < n; ++i) {
    s += T(0.5 + (i * 7) % 5) * w[i] + T(0.1) * w[i] * w[i];
    if (cfg.overwrite)
      w[i] = s;
  }
  return s + w[0] * w[n - 1];
}

template <class R, class L> void once() {
  check_both<f<R, L>, f<R, L>, Words>();
}

/// Every choice of those that the routine has.
template <class R> void choices(int mask) {
  const int pairs[][2] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}};
  for (int flags = 0; flags < 32; ++flags) {
    if (flags & ~mask)
      continue;
    const int *inc = pairs[(flags ^ flags >> 2) & 3];
    cfg = {flags & 1,      flags >> 1 & 1, flags >> 2 & 1, flags >> 3 & 1,
           flags >> 4 & 1, inc[0],         inc[1],         false};
    once<R, Cublas>();
    cfg.overwrite = true;
    once<R, Rocblas>();
  }
}

double product(void *h, const double *A, const double *B) {
  double C[16], one = 1, zero = 0, s = 0;
  cublasDgemm_v2(h, 0, 0, 4, 4, 4, &one, A, 4, B, 4, &zero, C, 4);
  for (int i = 0; i < 16; ++i)
    s += C[i] * C[i];
  return s;
}
double length(void *h, const double *x) {
  double r;
  rocblas_ddot(h, 16, x, 1, x, 1, &r);
  return r;
}

/// The gradient of a product with respect to one operand is one product; that
/// of a sum of squares, which itself nobody wants, one addition.
void counts() {
  double A[16], B[16], dA[16] = {}, want[16] = {}, C[16] = {};
  for (int i = 0; i < 16; ++i) {
    A[i] = sin(i + 1);
    B[i] = cos(2 * i);
  }
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      for (int k = 0; k < 4; ++k)
        C[row + 4 * column] += A[row + 4 * k] * B[k + 4 * column];
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4; ++k)
      for (int column = 0; column < 4; ++column)
        want[row + 4 * k] += 2 * C[row + 4 * column] * B[k + 4 * column];
  calls_of_library = products_of_library = 0;
  __enzyme_autodiff_void((void *)product, enzyme_const, &cfg, enzyme_dup, A, dA,
                         enzyme_const, B);
  NEAR(products_of_library, 2, 0);
  NEAR(calls_of_library, 2, 0);
  for (int i = 0; i < 16; ++i)
    NEAR(dA[i], want[i], 1e-12);
  double d[16] = {};
  calls_of_library = 0;
  __enzyme_autodiff_void((void *)length, enzyme_const, &cfg, enzyme_dup, A, d);
  NEAR(calls_of_library, 1, 0);
  for (int i = 0; i < 16; ++i)
    NEAR(d[i], 2 * A[i], 1e-12);
}

} // namespace

int main() {
  enum { Ta = 1, Tb = 2, Uplo = 4, Diag = 8, Side = 16 };
  choices<Axpy>(3);
  choices<Scal>(3);
  choices<Copy>(3);
  choices<Swap>(3);
  choices<Dot>(3);
  choices<Nrm2>(3);
  choices<Asum>(3);
  choices<Gemv>(Ta | Uplo);
  choices<Ger>(3);
  choices<Symv>(Uplo);
  choices<Syr>(Uplo);
  choices<Syr2>(Uplo);
  choices<Trmv>(Ta | Uplo | Diag);
  choices<Trsv>(Ta | Uplo | Diag);
  choices<Gemm>(Ta | Tb);
  choices<Symm>(Uplo | Side);
  choices<Syrk>(Ta | Uplo);
  choices<Syr2k>(Ta | Uplo);
  choices<Trmm>(Ta | Uplo | Diag | Side);
  choices<TrmmInPlace>(Ta | Uplo | Side);
  choices<Trsm>(Ta | Uplo | Diag | Side);
  counts();
  return finish();
}
