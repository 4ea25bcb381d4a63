// Masks of the signs of numbers, however they are given: constant in some
// lanes, loaded from a table, chosen, put together of integers, or bits of
// vectors of numbers whose lanes are of another width. What they are combined
// with is negated, or loses its sign, or gets one.
#include "../check.h"
#include <bit>
#include <cstdint>
#define VECTOR(Name, T, Bytes)                                                 \
  typedef T Name __attribute__((vector_size(Bytes)))
VECTOR(L2, int64_t, 16);
VECTOR(I4, int32_t, 16);
VECTOR(I8, int32_t, 32);
VECTOR(D2, double, 16);
VECTOR(F4, float, 16);
VECTOR(F8, float, 32);
#define CASE(N) NOINLINE static double f##N(double *x, int n)
static const int64_t top = INT64_MIN;
static const int32_t top32 = INT32_MIN;
static double sum(D2 v) { return v[0] * 2 + v[1] * v[1]; }
static double sum(F4 v) { return v[0] * 2 + v[1] * v[1] + v[2] * 3 * v[3]; }
static D2 two(double *x) { return D2{x[0] * x[1], x[2]}; }
static F4 four(double *x) {
  return F4{(float)(x[0] * x[1]), (float)x[1], (float)x[2],
            (float)(x[3] * x[2])};
}
// one lane, and halves of numbers
CASE(1) { return sum((D2)((L2)two(x) ^ L2{0, top})); }
CASE(2) { return sum((D2)((I4)two(x) ^ I4{0, top32, 0, 0})); }
// a vector of longs, seen as floats
CASE(3) { return sum((F4)((L2)four(x) ^ L2{top, (int64_t)0x80000000})); }
// the bits of -0.0
CASE(4) {
  D2 m = {-0.0, n > 1 ? -0.0 : 0.0};
  return sum((D2)((L2)two(x) ^ (L2)m));
}
CASE(5) {
  F4 m = {-0.0f, 0.0f, n > 2 ? -0.0f : 0.0f, 0.0f};
  return sum((F4)((L2)four(x) ^ (L2)m));
}
// from tables
alignas(16) static const int64_t table[8] = {0, top, top, 0, 0, 0, top, top};
CASE(6) {
  L2 m;
  memcpy(&m, table + 2 * (n & 3), sizeof m);
  return sum((D2)((L2)two(x) ^ m));
}
CASE(7) {
  uint64_t b = std::bit_cast<uint64_t>(x[0] * x[1]);
  return std::bit_cast<double>(b ^ (uint64_t)table[n & 7]) * x[2];
}
static const uint32_t narrow[4] = {0, 0x80000000u, 0, 0x80000000u};
CASE(8) {
  uint32_t b = std::bit_cast<uint32_t>((float)(x[0] * x[1]));
  return std::bit_cast<float>(b ^ narrow[n & 3]) * x[2];
}
// of what the program computes
CASE(9) {
  uint64_t b = std::bit_cast<uint64_t>(x[0] * x[3]);
  return std::bit_cast<double>(b ^ ((uint64_t)(n & 1) << 63)) * x[1];
}
CASE(10) {
  double s = 0;
  L2 m = {0, top};
  for (int i = 0; i < n; i++) {
    s += sum((D2)((L2)two(x) ^ m)) * (i + 1);
    m = L2{m[1], m[0]};
  }
  return s;
}
CASE(11) { // as i is even or odd
  double s = 0;
  for (int i = 0; i < n; i++) {
    uint32_t b = std::bit_cast<uint32_t>((float)(x[i & 3] * x[1]));
    s += std::bit_cast<float>(b ^ ((uint32_t)i << 31));
  }
  return s;
}
CASE(12) { // the sign of another number, which has no derivative
  I4 m = (I4)four(x) & I4{top32, top32, top32, top32};
  F4 y = {(float)x[3], (float)x[2], (float)(x[1] * x[0]), (float)x[0]};
  return sum((F4)((I4)y ^ (m ^ I4{0, top32, 0, 0})));
}
// or, and
CASE(13) { return sum((D2)((L2)two(x) | L2{(int64_t)(n & 1) << 63, top})); }
CASE(14) {
  L2 m = {~((int64_t)n << 63), -1};
  return sum((D2)((L2)(-two(x)) & m));
}
CASE(15) { return sum((F4)((I4)(-four(x)) & I4{INT32_MAX, -1, 0, INT32_MAX})); }
// words that were moved in lanes of wider integers
CASE(16) {
  __int128 w = ((__int128)std::bit_cast<uint64_t>(x[1] * x[0]) << 64) |
               std::bit_cast<uint64_t>(x[2] * x[2]);
  L2 v = {(int64_t)(w >> 64), (int64_t)w};
  return sum((D2)(v ^ L2{top, top}));
}
CASE(17) {
  F8 v = {};
  for (int i = 0; i < 8; i++)
    v[i] = (float)(x[i & 3] * (i + 1));
  I8 m = {0, top32, 0, top32, 0, 0, n > 1 ? top32 : 0, 0};
  v = (F8)((I8)v ^ m);
  double s = 0;
  for (int i = 0; i < 8; i++)
    s += v[i] * v[i] * v[7 - i];
  return s;
}
// stored as words
CASE(18) {
  uint64_t w[4];
  for (int i = 0; i < 4; i++) {
    memcpy(&w[i], &x[i], 8);
    w[i] ^= (uint64_t)(i & n) << 63;
  }
  double y[4];
  memcpy(y, w, sizeof y);
  return y[0] * y[1] + y[2] * y[3] * y[3];
}
// complex numbers, as libraries for vector registers conjugate them
CASE(19) {
  D2 a = two(x), b = (D2)((L2)a ^ L2{0, top});
  return a[0] * b[0] - a[1] * b[1] + b[0] * x[3];
}
template <double (*F)(double *, int)>
static void check(int line, double h = 1e-5, double tolerance = 1e-6) {
  double x[4] = {0.8, 1.1, 0.9, 1.3};
  for (int n = 1; n < 6; n += 2) {
    double d[4] = {0};
    __enzyme_autodiff((void *)F, enzyme_dup, x, d, enzyme_const, n);
    for (int i = 0; i < 4; ++i) {
      double y[4], t[4] = {0};
      t[i] = 1;
      memcpy(y, x, sizeof x);
      y[i] = x[i] + h;
      double want = F(y, n);
      y[i] = x[i] - h;
      want = (want - F(y, n)) / (2 * h);
      near_at(line, "reverse", d[i], want, tolerance);
      double tangent =
          __enzyme_fwddiff((void *)F, enzyme_dup, x, t, enzyme_const, n);
      near_at(line, "forward", tangent, want, tolerance);
    }
  }
}
#define DOUBLE(N) check<f##N>(N)
#define FLOAT(N) check<f##N>(N, 1e-2, 1e-3)
int main() {
  DOUBLE(1);
  DOUBLE(2);
  FLOAT(3);
  DOUBLE(4);
  FLOAT(5);
  DOUBLE(6);
  DOUBLE(7);
  FLOAT(8);
  DOUBLE(9);
  DOUBLE(10);
  FLOAT(11);
  FLOAT(12);
  DOUBLE(13);
  DOUBLE(14);
  FLOAT(15);
  DOUBLE(16);
  FLOAT(17);
  DOUBLE(18);
  DOUBLE(19);
  return finish();
}
