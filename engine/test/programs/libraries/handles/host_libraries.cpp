// Host definitions of cuBLAS's and rocBLAS's functions, for blas_handles.cpp:
// they count their calls. Matrices are stored by columns.
#include <cblas.h>
#include <string.h>

extern "C" {
int calls_of_library;
int products_of_library;
}

namespace {

struct Cublas {
  static CBLAS_TRANSPOSE t(int v) { return v ? CblasTrans : CblasNoTrans; }
  static CBLAS_UPLO u(int v) { return v ? CblasUpper : CblasLower; }
  static CBLAS_DIAG d(int v) { return v ? CblasUnit : CblasNonUnit; }
  static CBLAS_SIDE s(int v) { return v ? CblasRight : CblasLeft; }
};
struct Rocblas {
  static CBLAS_TRANSPOSE t(int v) { return (CBLAS_TRANSPOSE)v; }
  static CBLAS_UPLO u(int v) { return (CBLAS_UPLO)v; }
  static CBLAS_DIAG d(int v) { return (CBLAS_DIAG)v; }
  static CBLAS_SIDE s(int v) { return (CBLAS_SIDE)v; }
};

// A call without a handle fails.
#define COUNTED                                                                \
  ++calls_of_library;                                                          \
  if (!h)                                                                      \
    return 1;

} // namespace

#define LIBRARY(Prefix, Suffix, P, T, L)                                       \
  extern "C" int Prefix##axpy##Suffix(void *h, int n, const T *a, const T *x,  \
                                      int ix, T *y, int iy) {                  \
    COUNTED cblas_##L##axpy(n, *a, x, ix, y, iy);                              \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##scal##Suffix(void *h, int n, const T *a, T *x,        \
                                      int ix) {                                \
    COUNTED cblas_##L##scal(n, *a, x, ix);                                     \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##copy##Suffix(void *h, int n, const T *x, int ix,      \
                                      T *y, int iy) {                          \
    COUNTED cblas_##L##copy(n, x, ix, y, iy);                                  \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##swap##Suffix(void *h, int n, T *x, int ix, T *y,      \
                                      int iy) {                                \
    COUNTED cblas_##L##swap(n, x, ix, y, iy);                                  \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##dot##Suffix(void *h, int n, const T *x, int ix,       \
                                     const T *y, int iy, T *r) {               \
    COUNTED *r = cblas_##L##dot(n, x, ix, y, iy);                              \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##nrm2##Suffix(void *h, int n, const T *x, int ix,      \
                                      T *r) {                                  \
    COUNTED *r = cblas_##L##nrm2(n, x, ix);                                    \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##asum##Suffix(void *h, int n, const T *x, int ix,      \
                                      T *r) {                                  \
    COUNTED *r = cblas_##L##asum(n, x, ix);                                    \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##gemv##Suffix(                                         \
      void *h, int t, int m, int n, const T *a, const T *A, int la,            \
      const T *x, int ix, const T *b, T *y, int iy) {                          \
    COUNTED cblas_##L##gemv(CblasColMajor, P::t(t), m, n, *a, A, la, x, ix,    \
                            *b, y, iy);                                        \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##ger##Suffix(void *h, int m, int n, const T *a,        \
                                     const T *x, int ix, const T *y, int iy,   \
                                     T *A, int la) {                           \
    COUNTED cblas_##L##ger(CblasColMajor, m, n, *a, x, ix, y, iy, A, la);      \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##symv##Suffix(void *h, int u, int n, const T *a,       \
                                      const T *A, int la, const T *x, int ix,  \
                                      const T *b, T *y, int iy) {              \
    COUNTED cblas_##L##symv(CblasColMajor, P::u(u), n, *a, A, la, x, ix, *b,   \
                            y, iy);                                            \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##syr##Suffix(void *h, int u, int n, const T *a,        \
                                     const T *x, int ix, T *A, int la) {       \
    COUNTED cblas_##L##syr(CblasColMajor, P::u(u), n, *a, x, ix, A, la);       \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##syr2##Suffix(void *h, int u, int n, const T *a,       \
                                      const T *x, int ix, const T *y, int iy,  \
                                      T *A, int la) {                          \
    COUNTED cblas_##L##syr2(CblasColMajor, P::u(u), n, *a, x, ix, y, iy, A,    \
                            la);                                               \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##trmv##Suffix(void *h, int u, int t, int d, int n,     \
                                      const T *A, int la, T *x, int ix) {      \
    COUNTED cblas_##L##trmv(CblasColMajor, P::u(u), P::t(t), P::d(d), n, A,    \
                            la, x, ix);                                        \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##trsv##Suffix(void *h, int u, int t, int d, int n,     \
                                      const T *A, int la, T *x, int ix) {      \
    COUNTED cblas_##L##trsv(CblasColMajor, P::u(u), P::t(t), P::d(d), n, A,    \
                            la, x, ix);                                        \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##gemm##Suffix(                                         \
      void *h, int ta, int tb, int m, int n, int k, const T *a, const T *A,    \
      int la, const T *B, int lb, const T *b, T *C, int lc) {                  \
    COUNTED++ products_of_library;                                             \
    cblas_##L##gemm(CblasColMajor, P::t(ta), P::t(tb), m, n, k, *a, A, la, B,  \
                    lb, *b, C, lc);                                            \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##symm##Suffix(                                         \
      void *h, int s, int u, int m, int n, const T *a, const T *A, int la,     \
      const T *B, int lb, const T *b, T *C, int lc) {                          \
    COUNTED cblas_##L##symm(CblasColMajor, P::s(s), P::u(u), m, n, *a, A, la,  \
                            B, lb, *b, C, lc);                                 \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##syrk##Suffix(void *h, int u, int t, int n, int k,     \
                                      const T *a, const T *A, int la,          \
                                      const T *b, T *C, int lc) {              \
    COUNTED cblas_##L##syrk(CblasColMajor, P::u(u), P::t(t), n, k, *a, A, la,  \
                            *b, C, lc);                                        \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##syr2k##Suffix(                                        \
      void *h, int u, int t, int n, int k, const T *a, const T *A, int la,     \
      const T *B, int lb, const T *b, T *C, int lc) {                          \
    COUNTED cblas_##L##syr2k(CblasColMajor, P::u(u), P::t(t), n, k, *a, A, la, \
                             B, lb, *b, C, lc);                                \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##trmm##Suffix(                                         \
      void *h, int s, int u, int t, int d, int m, int n, const T *a,           \
      const T *A, int la, const T *B, int lb, T *C, int lc) {                  \
    COUNTED for (int j = 0; j < n; ++j)                                        \
        memmove(C + j * lc, B + j * lb, sizeof(T) * (size_t)m);                \
    cblas_##L##trmm(CblasColMajor, P::s(s), P::u(u), P::t(t), P::d(d), m, n,   \
                    *a, A, la, C, lc);                                         \
    return 0;                                                                  \
  }                                                                            \
  extern "C" int Prefix##trsm##Suffix(void *h, int s, int u, int t, int d,     \
                                      int m, int n, const T *a, const T *A,    \
                                      int la, T *B, int lb) {                  \
    COUNTED cblas_##L##trsm(CblasColMajor, P::s(s), P::u(u), P::t(t), P::d(d), \
                            m, n, *a, A, la, B, lb);                           \
    return 0;                                                                  \
  }

LIBRARY(cublasD, _v2, Cublas, double, d)
LIBRARY(cublasS, _v2, Cublas, float, s)
LIBRARY(rocblas_d, , Rocblas, double, d)
LIBRARY(rocblas_s, , Rocblas, float, s)
