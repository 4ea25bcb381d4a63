// Numbers of 80 bits lie 16 bytes apart: copies and moves of many, of few and
// of structs that hold them.
#include "../check.h"
#include <complex>
#include <vector>

static double grown(const double *x, int n) {
  std::vector<long double> v;
  for (int i = 0; i < n; i++)
    v.push_back(x[i]);
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += v[i] * v[i] * (i + 1);
  return s;
}

static double shifted(const double *x, int n) {
  auto *a = static_cast<long double *>(malloc((n + 2) * sizeof(long double)));
  for (int i = 0; i < n; i++)
    a[i] = x[i];
  memmove(a + 2, a, n * sizeof *a);
  memcpy(a, a + n, sizeof *a);
  long double s = a[0] * a[0];
  for (int i = 2; i < n + 2; i++)
    s += a[i] * a[i] * (i - 1);
  free(a);
  return s - x[n - 2] * x[n - 2];
}

struct Pair {
  float Small;
  long double Wide;
};
static double paired(const double *x, int n) {
  auto *v = static_cast<Pair *>(malloc(n * sizeof(Pair)));
  auto *w = static_cast<Pair *>(malloc(n * sizeof(Pair)));
  for (int i = 0; i < n; i++)
    v[i].Wide = v[i].Small = (float)x[i];
  memcpy(w, v, n * sizeof *w);
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += w[i].Wide * w[i].Small * (i + 1);
  free(v);
  free(w);
  return s;
}

static double complexes(const double *x, int n) {
  std::vector<std::complex<long double>> v;
  for (int i = 0; i < n; i++)
    v.emplace_back(x[i], 2 * x[i]);
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += (v[i].real() * v[i].imag()) * (i + 1) / 2;
  return s;
}

template <typename F> static void check(F f, int n) {
  double x[7] = {0.5, 1, 2, 3, 4, 5, 6}, t[7] = {1, -1, 2, 0.5, 3, 1, 2};
  double d[7] = {}, along = 0;
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, d, enzyme_const, n);
  for (int i = 0; i < n; i++) {
    NEAR(d[i], 2 * x[i] * (i + 1), 1e-12);
    along += d[i] * t[i];
  }
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, n), along,
       1e-12);
}

int main() {
  for (int n = 2; n < 8; n++) {
    check(grown, n);
    check(shifted, n);
    check(paired, n);
    check(complexes, n);
  }
  return finish();
}
