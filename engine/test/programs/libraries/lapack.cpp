// LINK: lapacke openblas
// HEADER: lapacke.h
// Factorizations and solutions of LAPACK, by its C interface: against
// differences of the routine itself and forward mode against reverse mode.
#include "../check.h"
#include <initializer_list>
#include <lapacke.h>

namespace {

struct {
  int layout;
  char uplo, trans;
  int m, n;
  bool overwrite; // what the routine read is gone afterwards
} cfg;

enum { Ld = 6, A0 = 0, B0 = 30, Words = 60, Rhs = 2 };

void symmetric(const double *p, double *w) {
  // Positive definite whichever triangle is looked at.
  for (int i = 0; i < Words; ++i)
    w[i] = p[i];
  for (int i = 0; i < 4; ++i)
    w[A0 + i * Ld + i] += 3;
}

struct Potrf {
  static int run(double *w, int *) {
    return LAPACKE_dpotrf(cfg.layout, cfg.uplo, 4, w + A0, Ld);
  }
};
struct Getrf {
  static int run(double *w, int *pivots) {
    return LAPACKE_dgetrf(cfg.layout, cfg.m, cfg.n, w + A0, Ld, pivots);
  }
};
struct Potrs {
  static int run(double *w, int *) {
    return LAPACKE_dpotrs(cfg.layout, cfg.uplo, 4, Rhs, w + A0, Ld, w + B0, Ld);
  }
};
/// With pivots of its own making: the factors are any numbers.
struct Getrs {
  static int run(double *w, int *pivots) {
    const int fixed[4] = {3, 2, 4, 4};
    for (int i = 0; i < 4; ++i)
      pivots[i] = fixed[i];
    return LAPACKE_dgetrs(cfg.layout, cfg.trans, 4, Rhs, w + A0, Ld, pivots,
                          w + B0, Ld);
  }
};
struct Gesv {
  static int run(double *w, int *pivots) {
    return LAPACKE_dgesv(cfg.layout, 4, Rhs, w + A0, Ld, pivots, w + B0, Ld);
  }
};
struct Posv {
  static int run(double *w, int *) {
    return LAPACKE_dposv(cfg.layout, cfg.uplo, 4, Rhs, w + A0, Ld, w + B0, Ld);
  }
};
/// Factors once, solves twice, transposed the second time.
struct Solver {
  static int run(double *w, int *pivots) {
    int info = LAPACKE_dgetrf(cfg.layout, 4, 4, w + A0, Ld, pivots);
    for (char trans : {'N', 'T'})
      info += LAPACKE_dgetrs(cfg.layout, trans, 4, Rhs, w + A0, Ld, pivots,
                             w + B0, Ld);
    return info;
  }
};

template <class R> double f(const double *p, int n) {
  double w[Words], s = 0;
  int pivots[6] = {};
  symmetric(p, w);
  int info = R::run(w, pivots);
  for (int i = 0; i < n; ++i) {
    s += (0.5 + (i * 7) % 5) * w[i] + 0.1 * w[i] * w[i];
    if (cfg.overwrite)
      w[i] = s;
  }
  if (cfg.overwrite)
    for (int &k : pivots)
      k = 1;
  return s + w[1] * w[n - 1] + info + pivots[0];
}

template <class R> void once() {
  double p[Words], d[Words] = {}, v[Words];
  for (int i = 0; i < Words; ++i) {
    p[i] = 0.6 * sin(2 * i + 1);
    v[i] = cos(3 * i);
  }
  p[A0] = -2.9; // not the pivot
  double (*F)(const double *, int) = f<R>;
  bool symmetric = cfg.uplo == 'L' || cfg.uplo == 'U';
  if (symmetric)
    p[A0] = 0.2;
  __enzyme_autodiff_void((void *)F, enzyme_dup, p, d, enzyme_const, Words);
  GRADIENT(F, p, d, Words);
  NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, p, v, enzyme_const, Words),
       dot(d, v, Words), 1e-9);
}

template <class R> void symmetricChoices() {
  for (int layout : {LAPACK_ROW_MAJOR, LAPACK_COL_MAJOR})
    for (char uplo : {'U', 'L'})
      for (bool gone : {false, true}) {
        cfg = {layout, uplo, 'N', 4, 4, gone};
        once<R>();
      }
}
template <class R> void generalChoices() {
  for (int layout : {LAPACK_ROW_MAJOR, LAPACK_COL_MAJOR})
    for (char trans : {'N', 'T'})
      for (bool gone : {false, true}) {
        cfg = {layout, 0, trans, 4, 4, gone};
        once<R>();
      }
}

} // namespace

int main() {
  symmetricChoices<Potrf>();
  symmetricChoices<Potrs>();
  symmetricChoices<Posv>();
  generalChoices<Getrs>();
  generalChoices<Gesv>();
  generalChoices<Solver>();
  const int shapes[][2] = {{4, 4}, {4, 3}, {3, 4}, {4, 1}, {1, 4}, {2, 4}};
  for (int layout : {LAPACK_ROW_MAJOR, LAPACK_COL_MAJOR})
    for (auto &shape : shapes)
      for (bool gone : {false, true}) {
        cfg = {layout, 0, 0, shape[0], shape[1], gone};
        once<Getrf>();
      }
  return finish();
}
