// LINK: openblas
// HEADER: cblas.h
// Routines of BLAS, by the C interface: every choice of layout, triangle,
// transposition and side, in float and double, with active factors, against
// differences of the routine itself and forward mode against reverse mode.
#include "both_types.h"
#include <cblas.h>
#include <initializer_list>

namespace {

struct {
  CBLAS_LAYOUT layout;
  CBLAS_TRANSPOSE ta, tb;
  CBLAS_UPLO uplo;
  CBLAS_DIAG diag;
  CBLAS_SIDE side;
  int incx, incy;
  bool overwrite; // what the routine read is gone afterwards
} cfg;

enum { Words = 120, X0 = 94, Y0 = 107 }; // vectors with gaps

// One routine under its names for both types.
#define ROUTINE(name)                                                          \
  template <class... P> void name(double, P... p) { cblas_d##name(p...); }     \
  template <class... P> void name(float, P... p) { cblas_s##name(p...); }
#define FUNCTION(name)                                                         \
  template <class... P> double name(double, P... p) {                          \
    return cblas_d##name(p...);                                                \
  }                                                                            \
  template <class... P> float name(float, P... p) {                            \
    return cblas_s##name(p...);                                                \
  }
ROUTINE(axpy)
ROUTINE(scal)
ROUTINE(copy)
ROUTINE(swap)
ROUTINE(gemv)
ROUTINE(ger)
ROUTINE(symv)
ROUTINE(syr)
ROUTINE(syr2)
ROUTINE(trmv)
ROUTINE(trsv)
ROUTINE(gemm)
ROUTINE(symm)
ROUTINE(syrk)
ROUTINE(syr2k)
ROUTINE(trmm)
ROUTINE(trsm)
FUNCTION(dot)
FUNCTION(nrm2)
FUNCTION(asum)

// w[0] and w[1] are the factors, w[2] takes what a function returns.
#define STEP(Name, Call)                                                       \
  struct Name {                                                                \
    template <class T> static void run(T *w) {                                 \
      T t = 0, a = w[0], b = w[1], *A = w + A0, *B = w + B0, *C = w + C0,      \
        *x = w + X0, *y = w + Y0;                                              \
      (void)t, (void)a, (void)b, (void)A, (void)B, (void)C, (void)x, (void)y;  \
      Call;                                                                    \
    }                                                                          \
  };
STEP(Axpy, axpy(t, N, a, x, cfg.incx, y, cfg.incy))
STEP(Dot, w[2] = dot(t, N, x, cfg.incx, y, cfg.incy))
STEP(Nrm2, w[2] = nrm2(t, N, x, abs(cfg.incx)))
STEP(Asum, w[2] = asum(t, N, x, abs(cfg.incx)))
STEP(Scal, scal(t, N, a, x, abs(cfg.incx)))
STEP(Copy, copy(t, N, x, cfg.incx, y, cfg.incy))
STEP(Swap, swap(t, N, x, cfg.incx, y, cfg.incy))
STEP(Gemv,
     gemv(t, cfg.layout, cfg.ta, M, N, a, A, Ld, x, cfg.incx, b, y, cfg.incy))
STEP(Ger, ger(t, cfg.layout, M, N, a, x, cfg.incx, y, cfg.incy, A, Ld))
STEP(Symv,
     symv(t, cfg.layout, cfg.uplo, N, a, A, Ld, x, cfg.incx, b, y, cfg.incy))
STEP(Syr, syr(t, cfg.layout, cfg.uplo, N, a, x, cfg.incx, A, Ld))
STEP(Syr2, syr2(t, cfg.layout, cfg.uplo, N, a, x, cfg.incx, y, cfg.incy, A, Ld))
STEP(Trmv,
     trmv(t, cfg.layout, cfg.uplo, cfg.ta, cfg.diag, N, A, Ld, x, cfg.incx))
STEP(Trsv,
     trsv(t, cfg.layout, cfg.uplo, cfg.ta, cfg.diag, N, A, Ld, x, cfg.incx))
STEP(Gemm,
     gemm(t, cfg.layout, cfg.ta, cfg.tb, M, N, K, a, A, Ld, B, Ld, b, C, Ld))
STEP(Symm,
     symm(t, cfg.layout, cfg.side, cfg.uplo, M, N, a, A, Ld, B, Ld, b, C, Ld))
STEP(Syrk, syrk(t, cfg.layout, cfg.uplo, cfg.ta, N, K, a, A, Ld, b, C, Ld))
STEP(Syr2k,
     syr2k(t, cfg.layout, cfg.uplo, cfg.ta, N, K, a, A, Ld, B, Ld, b, C, Ld))
STEP(Trmm, trmm(t, cfg.layout, cfg.side, cfg.uplo, cfg.ta, cfg.diag, M, N, a, A,
                Ld, B, Ld))
STEP(Trsm, trsm(t, cfg.layout, cfg.side, cfg.uplo, cfg.ta, cfg.diag, M, N, a, A,
                Ld, B, Ld))

template <class R, class T> T f(const T *p, int n) {
  T w[Words], s = 0;
  memcpy(w, p, sizeof(T) * size_t(n));
  R::run(w);
  for (int i = 0; i < n; ++i) {
    s += T(0.5 + (i * 7) % 5) * w[i] + T(0.1) * w[i] * w[i];
    if (cfg.overwrite)
      w[i] = s;
  }
  return s + w[0] * w[n - 1];
}

template <class R> void once() {
  check_both<f<R, double>, f<R, float>, Words>();
}

template <class R> void steps() {
  const int pairs[][2] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}};
  for (auto &inc : pairs)
    for (bool gone : {false, true}) {
      cfg.incx = inc[0];
      cfg.incy = inc[1];
      cfg.overwrite = gone;
      once<R>();
    }
}

template <class R> void choices(bool transpositions, bool sides) {
  for (CBLAS_LAYOUT layout : {CblasRowMajor, CblasColMajor})
    for (int flags = 0; flags < 32; ++flags)
      for (bool gone : {false, true}) {
        if ((!transpositions && (flags & 3)) || (!sides && (flags & 16)))
          continue;
        cfg.layout = layout;
        cfg.ta = flags & 1 ? CblasTrans : CblasNoTrans;
        cfg.tb = flags & 2 ? CblasConjTrans : CblasNoTrans;
        cfg.uplo = flags & 4 ? CblasLower : CblasUpper;
        cfg.diag = flags & 8 ? CblasUnit : CblasNonUnit;
        cfg.side = flags & 16 ? CblasRight : CblasLeft;
        cfg.incx = flags & 2 ? -2 : 1;
        cfg.incy = flags & 4 ? 3 : -1;
        cfg.overwrite = gone;
        once<R>();
      }
}

} // namespace

int main() {
  steps<Axpy>();
  steps<Dot>();
  steps<Nrm2>();
  steps<Asum>();
  steps<Scal>();
  steps<Copy>();
  steps<Swap>();
  choices<Gemv>(true, false);
  choices<Ger>(false, false);
  choices<Symv>(true, false);
  choices<Syr>(true, false);
  choices<Syr2>(true, false);
  choices<Trmv>(true, false);
  choices<Trsv>(true, false);
  choices<Gemm>(true, false);
  choices<Symm>(false, true);
  choices<Syrk>(true, false);
  choices<Syr2k>(true, false);
  choices<Trmm>(true, true);
  choices<Trsm>(true, true);
  return finish();
}
