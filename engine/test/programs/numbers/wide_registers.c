// Operations of registers of 512 bits and of first lanes, and those whose lanes
// the program chooses.
#include "../check.h"

#ifdef __SSE2__
#include <immintrin.h>

/// First lanes: the others pass through.
#pragma clang attribute push(__attribute__((target("sse4.1"))),                \
                             apply_to = function)
static double lowest(const double *x, int n) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2), c = _mm_loadu_pd(x + 4);
  __m128d low = _mm_min_sd(_mm_mul_pd(a, c), b), high = _mm_max_sd(b, a);
  __m128d mask = _mm_cmpgt_sd(_mm_set_sd(x[0]), b);
  __m128d sum = _mm_sqrt_sd(low, high);
  __m128d r = _mm_round_sd(a, _mm_mul_pd(b, c), _MM_FROUND_FLOOR);
  __m128d d = _mm_dp_pd(a, b, 0x31), e = _mm_dp_pd(b, c, 0x22);
  __m128 f = _mm_cvtsd_ss(_mm_set1_ps(2), c);
  double t[12], chosen = _mm_comigt_sd(a, c) ? x[6] : x[7];
  _mm_storeu_pd(t, _mm_blendv_pd(b, a, mask));
  _mm_storeu_pd(t + 2, sum);
  _mm_storeu_pd(t + 4, _mm_mul_pd(r, c));
  _mm_storeu_pd(t + 6, _mm_add_pd(d, e));
  _mm_storeu_pd(t + 8, _mm_cvtps_pd(_mm_mul_ss(f, f)));
  t[10] = chosen * chosen, t[11] = n;
  double s = 0;
  for (int i = 0; i < 12; ++i)
    s += (i + 1) * t[i];
  return s;
}
static double fast(const double *x, int n) {
  __m128 a = _mm_set_ss((float)x[0]), b = _mm_set_ss((float)x[1]);
  a = _mm_mul_ss(_mm_rcp_ss(a), _mm_rsqrt_ss(b));
  return _mm_cvtss_f32(_mm_min_ss(a, _mm_max_ss(a, b))) * n;
}
#pragma clang attribute pop

/// Lanes chosen by indices that are not known, products with sums and
/// differences in turn, numbers of 16 bits.
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))),         \
                             apply_to = function)
static double turned(const double *x, int n) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256i within = _mm256_setr_epi64x(n & 2, 2, 0, ~n & 2);
  __m256d p = _mm256_permutevar_pd(a, within);
  __m256d q = _mm256_fmaddsub_pd(a, b, p), r = _mm256_fmsubadd_pd(b, p, a);
  __m256 f = _mm256_castps128_ps256(_mm256_cvtpd_ps(q));
  f = _mm256_insertf128_ps(f, _mm256_cvtpd_ps(r), 1);
  __m256i across = _mm256_setr_epi32(n, 1, n - 4, 0, 2, 7, n - 2, 5);
  __m256 g = _mm256_permutevar8x32_ps(f, across);
  __m256 d = _mm256_dp_ps(f, g, 0xd9);
  float t[8], u[8];
  _mm256_storeu_ps(t, _mm256_mul_ps(g, g));
  _mm256_storeu_ps(u, d);
  double s = 0;
  for (int i = 0; i < 8; ++i)
    s += (i + 1) * t[i] + (i + 2) * u[i];
  return s;
}
static double halves(const double *x, int n) {
  float f[8], g[8];
  for (int i = 0; i < 8; ++i)
    f[i] = (float)x[i] * (float)x[i];
  __m256 h = _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_loadu_ps(f), 0));
  __m128 k = _mm_cvtph_ps(_mm_cvtps_ph(_mm_loadu_ps(f + 2), 0));
  _mm256_storeu_ps(g, _mm256_insertf128_ps(h, k, 1));
  double s = 0;
  for (int i = 0; i < 8; ++i)
    s += (i + 1) * g[i];
  return s * n;
}
#pragma clang attribute pop

#pragma clang attribute push(                                                  \
    __attribute__((target("avx512f,avx512vl,avx512dq"))), apply_to = function)
static double wide(const double *x, int n) {
  enum { round = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
  __m512d a = _mm512_loadu_pd(x);
  __m256i at = _mm256_setr_epi32(n, 0, 3, n - 3, 2, 1, 5, 6);
  __m512i far = _mm512_setr_epi64(3, n, 0, n - 5, 7, 6, 1, 2);
  __mmask8 some = (__mmask8)(0x5a ^ n);
  __m512d b = _mm512_mask_i32gather_pd(a, some, at, x, 8);
  __m512d c = _mm512_i64gather_pd(far, x, 8);
  __m512d p = _mm512_permutexvar_pd(far, a);
  __m512d q = _mm512_permutex2var_pd(b, far, c);
  __m512d r = _mm512_fmaddsub_pd(a, p, q);
  r = _mm512_add_round_pd(_mm512_mul_round_pd(r, b, round),
                          _mm512_fmadd_round_pd(c, p, q, round), round);
  double t[8] = {1, 1, 1, 1, 1, 1, 1, 1}, u[8] = {0};
  _mm512_mask_i32scatter_pd(t, some, at, r, 8);
  _mm512_mask_storeu_pd(u, (__mmask8)~some, _mm512_max_pd(q, p));
  __m256 f = _mm512_cvtpd_ps(_mm512_mask_add_pd(a, some, b, c));
  double s = _mm512_reduce_add_pd(_mm512_cvtps_pd(f));
  for (int i = 0; i < 8; ++i)
    s += (i + 1) * t[i] * x[i] + u[i] * u[i];
  return s;
}
#pragma clang attribute pop

static void check(double (*f)(const double *, int), double tolerance,
                  double of_tangent) {
  double x[8] = {0.8, 1.22, 2.3, 0.35, 1.7, 0.45, 0.6, 1.4};
  const double v[8] = {0.3, 0.2, -0.4, 0.7, 0.1, -0.2, 0.5, 0.9};
  double g[8] = {0};
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, 7);
  for (int i = 0; i < 8; ++i) {
    const double h = tolerance > 1e-6 ? 3e-2 : 1e-5, old = x[i];
    x[i] = old + h;
    const double up = f(x, 7);
    x[i] = old - h;
    NEAR(g[i], (up - f(x, 7)) / (2 * h), tolerance);
    x[i] = old;
  }
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, 7),
       dot(g, v, 8), of_tangent);
}

int main(void) {
  if (__builtin_cpu_supports("sse4.1")) {
    check(lowest, 1e-4, 1e-6);
    check(fast, 2e-2, 1e-5);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) {
    check(turned, 1e-2, 1e-5);
    check(halves, 5e-2, 2e-3); // of 11 bits;
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    check(wide, 1e-3, 1e-5);
  return finish();
}
#else
int main(void) { return 0; }
#endif
