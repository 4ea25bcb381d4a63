// Operations of vector registers, as hand-written code has them.
#include "../check.h"

#ifdef __SSE2__
#include <immintrin.h>

static double lanes(const double *x, int n) {
  __m128d s = _mm_setzero_pd();
  for (int i = 0; i + 1 < n; i += 2) {
    __m128d v = _mm_loadu_pd(x + i), one = _mm_set1_pd(1);
    __m128d low = _mm_min_pd(v, one), high = _mm_max_pd(v, _mm_mul_pd(v, v));
    s = _mm_add_pd(s, _mm_mul_pd(_mm_mul_pd(low, low), _mm_sqrt_pd(high)));
  }
  double out[2];
  _mm_storeu_pd(out, s);
  return out[0] * out[1];
}
static double singles(const double *x, int n) {
  float out[4];
  __m128 v = _mm_setr_ps((float)x[0], (float)x[1], (float)x[2], (float)x[3]);
  _mm_storeu_ps(out,
                _mm_max_ps(_mm_mul_ps(v, v), _mm_min_ps(v, _mm_rcp_ps(v))));
  return out[0] + 2 * out[1] + 3 * out[2] + 4 * out[3] + n;
}
#pragma clang attribute push(__attribute__((target("avx,sse4.1"))),            \
                             apply_to = function)
static double wide(const double *x, int n) {
  __m256d s = _mm256_setzero_pd();
  for (int i = 0; i + 3 < n; i += 4) {
    __m256d v = _mm256_loadu_pd(x + i), r = _mm256_round_pd(v, 9);
    __m256d f = _mm256_sub_pd(v, r), m = _mm256_cmp_pd(f, r, 17);
    __m256d h = _mm256_hadd_pd(v, _mm256_max_pd(f, _mm256_mul_pd(f, v)));
    s = _mm256_add_pd(s, _mm256_blendv_pd(h, _mm256_mul_pd(h, v), m));
  }
  double out[4];
  _mm256_storeu_pd(out, _mm256_hsub_pd(s, _mm256_mul_pd(s, s)));
  return out[0] + 2 * out[1] + 3 * out[2] + 4 * out[3];
}
#pragma clang attribute pop

static void check(double (*f)(const double *, int), const double *x, double *g,
                  double tangent, const double *v) {
  GRADIENT(f, x, g, 8);
  NEAR(tangent, dot(g, v, 8), 1e-12);
}

int main(void) {
  double x[8] = {0.8, 1.22, 2.3, 0.35, 1.7, 0.45, 0.6, 1.4};
  double v[8] = {0.3, 0.2, -0.4, 0.7, 0.1, -0.2, 0.5, 0.9};
  double a[8] = {0}, b[8] = {0}, c[8] = {0};
  __enzyme_autodiff_void((void *)lanes, enzyme_dup, x, a, enzyme_const, 8);
  check(lanes, x, a,
        __enzyme_fwddiff((void *)lanes, enzyme_dup, x, v, enzyme_const, 8), v);
  __enzyme_autodiff_void((void *)singles, enzyme_dup, x, b, enzyme_const, 8);
  for (int i = 0; i < 4; ++i) {
    double square = x[i] * x[i], low = fmin(x[i], 1 / x[i]);
    double slope = square > low ? 2 * x[i] : x[i] < 1 ? 1 : -1 / square;
    NEAR(b[i], (i + 1) * slope, 1e-2);
  }
  if (__builtin_cpu_supports("avx")) {
    __enzyme_autodiff_void((void *)wide, enzyme_dup, x, c, enzyme_const, 8);
    check(wide, x, c,
          __enzyme_fwddiff((void *)wide, enzyme_dup, x, v, enzyme_const, 8), v);
  }
  return finish();
}
#else
int main(void) { return 0; }
#endif
