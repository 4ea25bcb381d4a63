// Bytes moved rather than numbers: memcpy, memmove with overlap, memset, copies
// through integers, and swaps of pointers.
#include "../check.h"

#include <stddef.h>

/// Shifts a window along and mixes; memmove overlaps.
static double shift(const double *x, int n) {
  double u[16];
  memset(u, 0, sizeof u);
  memcpy(u + 2, x, sizeof(double) * (size_t)n);
  double sum = 0;
  for (int s = 0; s < 4; ++s) {
    memmove(u + 1, u, sizeof(double) * 13);
    for (int i = 1; i < 15; ++i)
      u[i] = 0.8 * u[i] + 0.1 * u[i] * u[i + 1];
    memmove(u, u + 2, sizeof(double) * 9);
    sum += u[1] * u[2] + u[4];
  }
  memset(u, 0, 5 * sizeof(double)); // what is forgotten has no derivative
  for (int i = 0; i < 16; ++i)
    sum += u[i] * u[i];
  return sum;
}

/// Sorts in descending order by moving the bits as integers.
static double sorted(const double *x, int n) {
  uint64_t bits[16];
  memcpy(bits, x, sizeof(double) * (size_t)n);
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0; --j) {
      double a, b;
      memcpy(&a, &bits[j - 1], sizeof a);
      memcpy(&b, &bits[j], sizeof b);
      if (a >= b)
        break;
      uint64_t swap = bits[j];
      bits[j] = bits[j - 1];
      bits[j - 1] = swap;
    }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double a;
    memcpy(&a, &bits[i], sizeof a);
    sum += a * a * (i + 1);
  }
  return sum;
}

/// Two buffers that change places.
static double ping_pong(const double *x, int n) {
  double first[16], second[16], *from = first, *to = second;
  memcpy(first, x, sizeof(double) * (size_t)n);
  for (int s = 0; s < 5; ++s) {
    for (int i = 0; i < n; ++i)
      to[i] = from[(i + 1) % n] * cos(from[i]);
    double *swap = from;
    from = to;
    to = swap;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += from[i] * to[i];
  return sum;
}

/// A struct copied in two parts. Its arrays are indexed by eight bytes and by
/// four: where a double begins, only the other doubles tell.
typedef struct {
  double x, y, z;
  int n;
  double w[2];
  float f[3];
} record;
static double in_parts(const double *x, int n) {
  record a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  for (int i = 0; i < 2; ++i)
    a.w[i] = x[i % n];
  a.z = x[0];
  a.n = 7;
  a.f[2] = 3;
  memcpy(&b.z, &a.z, offsetof(record, f) - offsetof(record, z));
  memcpy(&b.f, &a.f, sizeof a.f);
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += b.w[i] * b.f[i + 1] * b.z;
  return sum + b.n;
}

int main(void) {
  const double x[] = {0.4, 0.9, 1.2, -0.7, 1.1, 0.3, -0.2, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  for (int n = 1; n <= 8; ++n) {
    double g[4][8] = {{0}};
    BOTH_MODES(shift, x, g[0], v, n);
    __enzyme_autodiff((void *)sorted, x, g[1], n);
    BOTH_MODES(ping_pong, x, g[2], v, n);
    BOTH_MODES(in_parts, x, g[3], v, n);
    for (int i = 0; i < n; ++i) {
      int rank = 1;
      for (int j = 0; j < n; ++j)
        rank += x[j] > x[i];
      NEAR(g[1][i], 2 * x[i] * rank, 1e-14);
    }
    NEAR(__enzyme_fwddiff((void *)sorted, x, v, n), dot(g[1], v, n), 1e-12);
  }
  return finish();
}
