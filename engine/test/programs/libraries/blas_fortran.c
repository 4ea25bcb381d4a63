// LINK: lapack openblas
// The same routines by their Fortran symbols: everything by address, and the
// lengths of character operands behind the others, or not.
#include "../check.h"

double ddot_(const int *n, const double *x, const int *incx, const double *y,
             const int *incy);
float sdot_(const int *n, const float *x, const int *incx, const float *y,
            const int *incy);
double dnrm2_(const int *n, const double *x, const int *incx);
void daxpy_(const int *n, const double *a, const double *x, const int *incx,
            double *y, const int *incy);
void dscal_(const int *n, const double *a, double *x, const int *incx);
void dgemv_(const char *t, const int *m, const int *n, const double *a,
            const double *A, const int *lda, const double *x, const int *incx,
            const double *b, double *y, const int *incy);
void dgemm_(const char *ta, const char *tb, const int *m, const int *n,
            const int *k, const double *a, const double *A, const int *lda,
            const double *B, const int *ldb, const double *b, double *C,
            const int *ldc, size_t, size_t);
void dtrsm_(const char *side, const char *uplo, const char *t, const char *diag,
            const int *m, const int *n, const double *a, const double *A,
            const int *lda, double *B, const int *ldb, size_t, size_t, size_t,
            size_t);
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda,
             int *info, size_t);
void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *ipiv,
             int *info);
void dgetrs_(const char *t, const int *n, const int *k, const double *A,
             const int *lda, const int *ipiv, double *B, const int *ldb,
             int *info, size_t);
void dgesv_(const int *n, const int *k, double *A, const int *lda, int *ipiv,
            double *B, const int *ldb, int *info);

enum { W = 50 };

static double level1(const double *p, int n) {
  double w[W];
  int len = 6, one = 1, two = 2, back = -1;
  memcpy(w, p, sizeof w);
  daxpy_(&len, &w[49], w, &two, w + 20, &one);
  len = 4; // changes after the call count for nothing
  double r = ddot_(&len, w, &back, w + 20, &two);
  dscal_(&len, &r, w + 3, &one);
  len = 9;
  return r * dnrm2_(&len, w, &one) + w[4] * w[21] + n;
}

static double level1_single(const double *p, int n) {
  float v[W];
  int len = 5, one = 1;
  for (int i = 0; i < n; ++i)
    v[i] = (float)p[i];
  return sdot_(&len, v, &one, v + 3, &one);
}

static double matrices(const double *p, int n) {
  double w[W], C[9], y[3] = {1, 2, 3}, zero = 0, s = 0;
  int three = 3, two = 2, five = 5, one = 1;
  memcpy(w, p, sizeof w);
  // C = p A' B, y = 2 C y + p y, then L^-1 by the upper triangle of C
  dgemm_("T", "n", &three, &three, &two, &w[48], w, &five, w + 15, &five, &zero,
         C, &three, 1, 1);
  dgemv_("N", &three, &three, &w[49], C, &three, w + 30, &one, &w[47], y, &one);
  for (int i = 0; i < 3; ++i)
    C[4 * i] += 2;
  dtrsm_("R", "U", "c", "N", &two, &three, &w[46], C, &three, w + 32, &five, 1,
         1, 1, 1);
  for (int i = 0; i < 9; ++i)
    s += C[i] * (i + 1);
  for (int i = 0; i < 20; ++i)
    s += w[30 + i] * w[30 + i] * (i % 3);
  return s + y[0] * y[1] + y[2] + n;
}

/// log det by Cholesky, and a linear system, factored once or all at once.
static double systems(const double *p, int n) {
  double S[16], A[16], b[8], c[8], s = 0;
  int four = 4, two = 2, info = 0, pivots[4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      S[i * 4 + j] = p[i + j] * p[i] * p[j] + (i == j) * 4;
      A[i * 4 + j] = p[i * 4 + j] + (i == 3 - j) * 3;
    }
  for (int i = 0; i < 8; ++i)
    b[i] = c[i] = p[20 + i];
  dpotrf_("L", &four, S, &four, &info, 1);
  for (int i = 0; i < 4; ++i)
    s += log(S[5 * i]);
  double D[16];
  memcpy(D, A, sizeof D);
  dgetrf_(&four, &four, A, &four, pivots, &info);
  dgetrs_("T", &four, &two, A, &four, pivots, b, &four, &info, 1);
  dgesv_(&four, &two, D, &four, pivots, c, &four, &info);
  for (int i = 0; i < 8; ++i)
    s += b[i] * (i + 1) + c[i] * c[i];
  return s + n + info;
}

#define CHECK(f, tolerance)                                                    \
  do {                                                                         \
    double d[W] = {0};                                                         \
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, d, enzyme_const, W);      \
    for (int i = 0; i < W; ++i) {                                              \
      double u[W] = {0};                                                       \
      u[i] = 1;                                                                \
      NEAR(d[i], slope(f, x, u, W), tolerance);                                \
    }                                                                          \
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, W),       \
         dot(d, v, W), 1e-6);                                                  \
  } while (0)

int main(void) {
  double x[W], v[W];
  for (int i = 0; i < W; ++i) {
    x[i] = sin(i + 1);
    v[i] = cos(3 * i);
  }
  CHECK(level1, 1e-7);
  CHECK(level1_single, 1e-3);
  CHECK(matrices, 1e-7);
  CHECK(systems, 1e-6);
  return finish();
}
