// Some lanes of a register: loads and stores by a mask, by constant ones and by
// what the program computes, indexed loads, and operations that differ by lane.
#include "../check.h"

#ifdef __SSE2__
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)

static __m256i first(int n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n),
                            _mm256_setr_epi64x(0, 1, 2, 3));
}
static double total(__m256d v) {
  double t[4];
  _mm256_storeu_pd(t, v);
  return t[0] + 2 * t[1] + 3 * t[2] + 4 * t[3];
}
/// A loop whose last step has fewer lanes.
static double rest(const double *x, int n) {
  __m256d s = _mm256_setzero_pd();
  for (int i = 0; i < n; i += 4) {
    __m256d v = _mm256_maskload_pd(x + i, first(n - i));
    s = _mm256_add_pd(s, _mm256_mul_pd(v, _mm256_mul_pd(v, v)));
  }
  return total(s);
}
/// Lanes that the numbers themselves choose are stored over others.
static double stored(const double *x, int n) {
  double t[4] = {1, 2, 3, 4};
  __m256d v = _mm256_loadu_pd(x), one = _mm256_set1_pd(1);
  __m256i large = _mm256_castpd_si256(_mm256_cmp_pd(v, one, _CMP_GT_OQ));
  for (int i = 0; i < 4; ++i)
    t[i] *= x[4 + i];
  _mm256_maskstore_pd(t, large, _mm256_mul_pd(v, v));
  return t[0] * t[1] + t[2] * t[3] + n * t[0];
}
/// Indexed loads, of which a mask leaves some alone.
static double indexed(const double *x, int n) {
  __m128i at = _mm_setr_epi32(n - 1, 0, 3, n - 1);
  __m256d v = _mm256_loadu_pd(x + 1);
  __m256d mask = _mm256_cmp_pd(v, _mm256_set1_pd(1), _CMP_LT_OQ);
  __m256d some = _mm256_mask_i32gather_pd(_mm256_mul_pd(v, v), x, at, mask, 8);
  __m256d all = _mm256_i64gather_pd(x, _mm256_setr_epi64x(5, 2, 2, n - 2), 8);
  return total(_mm256_mul_pd(some, _mm256_addsub_pd(all, v)));
}
/// The same in single precision, in registers of two widths.
static double singles(const double *x, int n) {
  float f[8], out[8] = {0};
  for (int i = 0; i < 4; i += 2)
    _mm_storel_pi((__m64 *)(f + i), _mm_cvtpd_ps(_mm_loadu_pd(x + i)));
  _mm_storeu_ps(f + 4, _mm256_cvtpd_ps(_mm256_loadu_pd(x + 4)));
  __m256i at = _mm256_setr_epi32(7, 0, 0, 1, 6, n - 5, 2, 4);
  __m256 g = _mm256_i32gather_ps(f, at, 4);
  __m128 m = _mm_maskload_ps(f + 2, _mm_setr_epi32(-1, 0, -1, -1));
  _mm256_maskstore_ps(out, _mm256_setr_epi32(-1, -1, 0, -1, -1, -1, -1, 0),
                      _mm256_addsub_ps(_mm256_mul_ps(g, g), g));
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += out[i] * (i + 1);
  _mm_storeu_ps(out, _mm_mul_ps(m, m));
  return sum + out[0] + 2 * out[1] + 3 * out[2] + 4 * out[3];
}
/// Numbers that are moved as integers.
static double moved(const double *x, int n) {
  double t[4] = {2, 2, 2, 2};
  __m256i v = _mm256_maskload_epi64((const long long *)x, first(n - 5));
  _mm256_maskstore_epi64((long long *)t, _mm256_setr_epi64x(-1, 0, -1, -1), v);
  return t[0] * t[0] + t[1] * x[7] + t[2] * x[0] + t[3];
}
#pragma clang attribute pop

#if __has_builtin(__builtin_masked_gather)
#define ANY_TARGET
typedef double D4 __attribute__((ext_vector_type(4)));
typedef int I4 __attribute__((ext_vector_type(4)));
typedef _Bool B4 __attribute__((ext_vector_type(4)));
/// The same, as the compiler has them for any processor: consecutive numbers
/// that go to the chosen lanes, or come from them, too.
static double any_target(const double *x, int n) {
  D4 v = {x[0], x[1], x[2], x[3]}, old = {1, x[4], 3, x[5]};
  B4 chosen = __builtin_convertvector(v > 1.0, B4);
  B4 last = {n > 7, 1, n > 6, 0};
  I4 at = {3, 0, n - 2, 5};
  double t[8] = {1, x[6], 2, 3, 4, 5, x[7], 7}, u[4] = {x[1], 2, 3, 4};
  D4 a = __builtin_masked_load(last, (double *)x + 3, old);
  D4 b = __builtin_masked_gather(chosen, at, (double *)x, old);
  D4 c = __builtin_masked_expand_load(last, (double *)x, v);
  __builtin_masked_store(last, a * b, t + 2);
  __builtin_masked_compress_store(chosen, c * v, u);
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += t[i] * t[i] * (i + 1);
  return sum + u[0] * u[1] + 2 * u[2] * u[3];
}
#endif

static void check(double (*f)(const double *, int), double tolerance) {
  double x[8] = {0.8, 1.22, 2.3, 0.35, 1.7, 0.45, 0.6, 1.4};
  double v[8] = {0.3, 0.2, -0.4, 0.7, 0.1, -0.2, 0.5, 0.9};
  for (int n = 7; n <= 8; ++n) {
    double g[8] = {0};
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, n);
    for (int i = 0; i < 8; ++i) {
      const double h = tolerance > 1e-6 ? 1e-2 : 1e-5, old = x[i];
      x[i] = old + h;
      const double up = f(x, n);
      x[i] = old - h;
      NEAR(g[i], (up - f(x, n)) / (2 * h), tolerance);
      x[i] = old;
    }
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, n),
         dot(g, v, 8), 1e-6);
  }
}

int main(void) {
  if (__builtin_cpu_supports("avx2")) {
    check(rest, 1e-8);
    check(stored, 1e-8);
    check(indexed, 1e-8);
    check(singles, 1e-3);
    check(moved, 1e-8);
  }
#ifdef ANY_TARGET
  check(any_target, 1e-7);
#endif
  return finish();
}
#else
int main(void) { return 0; }
#endif
