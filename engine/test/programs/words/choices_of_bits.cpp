// The largest and the smallest of integers that are the bits of numbers: they
// choose one of them, at whatever level they are intrinsics.
#include "four_numbers.h"
#include <algorithm>
#include <bit>
#include <cstdint>
static int64_t bits(double x) { return std::bit_cast<int64_t>(x); }
static double number(int64_t b) { return std::bit_cast<double>(b); }
static int32_t fbits(float x) { return std::bit_cast<int32_t>(x); }
static float fnumber(int32_t b) { return std::bit_cast<float>(b); }
typedef int64_t L2 __attribute__((vector_size(16)));
typedef int32_t I4 __attribute__((vector_size(16)));
typedef float F4 __attribute__((vector_size(16)));
#define CASE(N) NOINLINE static double f##N(double *x)
CASE(3) {
  return number(__builtin_bswap64(__builtin_bswap64(bits(x[0])))) * x[1];
}
CASE(10) {
  int64_t m = bits(x[0]);
  for (int i = 1; i < 4; i++)
    m = std::max(m, bits(x[i] * x[i]));
  return number(m) * number(m);
}
CASE(11) {
  L2 a = {bits(x[0]), bits(x[2])}, b = {bits(x[3]), bits(x[3] * 0.5)};
  L2 m = __builtin_elementwise_max(a, b);
  return number(m[0]) * number(m[1]);
}
CASE(13) {
  int64_t k[4];
  for (int i = 0; i < 4; i++)
    k[i] = bits(x[i] * x[i]);
  std::sort(k, k + 4);
  return number(k[0]) + 2 * number(k[1]) * number(k[3]);
}
CASE(14) {
  int64_t k[4];
  for (int i = 0; i < 4; i++)
    k[i] = bits(x[i] * x[i]);
  return number(*std::max_element(k, k + 4)) *
         number(*std::min_element(k, k + 4));
}
CASE(15) {
  int64_t b = bits(x[0]);
  return number(std::max(b, (int64_t)0)) * x[2];
}
CASE(16) {
  int64_t b = bits(x[0]);
  return number(std::clamp(b, bits(0.1), bits(x[3]))) * x[2];
}
CASE(18) {
  int n = (int)(x[3] * 3);
  n = std::min(n, 3);
  return x[n] * x[n];
}
CASE(21) { return number(std::rotr((uint64_t)bits(x[0]), 64)) * x[1]; }
CASE(22) {
  union {
    double d;
    int64_t i;
  } u;
  u.d = x[0];
  u.i = std::max(u.i, bits(x[2]));
  return u.d * u.d;
}
static int64_t g;
CASE(23) {
  g = std::max(bits(x[0]), bits(x[2]));
  return number(g) * x[1];
}
NOINLINE static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
CASE(24) { return number(larger(bits(x[0]), bits(x[3]))) * x[1]; }
// of single precision, in lanes and folded
CASE(12) {
  I4 a = {fbits(x[0]), fbits(x[2]), fbits(x[3]), fbits(x[0] * x[3])};
  return fnumber(__builtin_reduce_max(a)) * fnumber(__builtin_reduce_min(a));
}
template <double (*F)(double *)>
static void check(int n, double h = 1e-5, double tolerance = 1e-6) {
  check_four<F>(n, {0.8, 1.1, 0.9, 1.3}, h, tolerance);
}
int main() {
  check<f3>(3);
  check<f10>(10);
  check<f11>(11);
  check<f13>(13);
  check<f14>(14);
  check<f15>(15);
  check<f16>(16);
  check<f18>(18);
  check<f21>(21);
  check<f22>(22);
  check<f23>(23);
  check<f24>(24);
  check<f12>(12, 1e-2, 1e-4);
  return finish();
}
