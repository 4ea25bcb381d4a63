// FLAGS: -fopenmp
// Threads read memory under two names, which may be the same memory, or overlap
// by any amount. All numbers are whole, so that no sum depends on its order.
#include "../check.h"

#include <omp.h>

MARKERS(enzyme_width);

enum { N = 600, BEGIN = 8, ROOM = 4 * N };

/// Which of the first array's numbers, of the second's, and once more of the
/// first's, iteration i reads.
#define KINDS(X)                                                               \
  X(same, int, 0, N, i, i, i)                                                  \
  X(ahead, long, 0, N, i + 3, i, i + 3)                                        \
  X(behind, int, 0, N, i, i - 2, i)                                            \
  X(strides, long, 0, N / 2, 2 * i, i, 2 * i)                                  \
  X(fields, long, 0, N / 4, 4 * i, i, 4 * i + 3)                               \
  X(neighbours, long, 0, N, i, i, i + 1)                                       \
  X(table, unsigned, 0u, (unsigned)N, i, i % 4, i)                             \
  X(backwards, long, 0, N, N - 1 - i, i, N - 1 - i)

// Both may be one, whether this is said of them or not: they are only read.
#define LOOP(INT, FROM, TO, A, B, C)                                           \
  const INT end = TO - (n - N);                                                \
  _Pragma("omp parallel for") for (INT i = FROM; i < end; ++i) y[i] =          \
      x[A] * z[B] + x[C];
#define KIND(NAME, INT, FROM, TO, A, B, C)                                     \
  static void NAME(const double *restrict x, const double *restrict z,         \
                   double *restrict y, int n) {                                \
    LOOP(INT, FROM, TO, A, B, C)                                               \
  }                                                                            \
  static void NAME##_plain(const double *x, const double *z, double *y,        \
                           int n) {                                            \
    LOOP(INT, FROM, TO, A, B, C)                                               \
  }                                                                            \
  static void NAME##_expected(const double *x, const double *z, double *dx,    \
                              double *dz) {                                    \
    const INT end = TO;                                                        \
    for (INT i = FROM; i < end; ++i) {                                         \
      dx[A] += (double)(i % 5 + 1) * z[B];                                     \
      dz[B] += (double)(i % 5 + 1) * x[A];                                     \
      dx[C] += (double)(i % 5 + 1);                                            \
    }                                                                          \
  }
KINDS(KIND)

static double memory[ROOM], shadow[2][ROOM], result[ROOM], seed[2][N],
    expected[2][ROOM];

static void begin(void) {
  memset(shadow, 0, sizeof shadow);
  memset(expected, 0, sizeof expected);
  for (int i = 0; i < N; ++i)
    seed[0][i] = i % 5 + 1, seed[1][i] = 3 * (i % 5 + 1);
}

#define CHECK_ONE(NAME, F)                                                     \
  begin();                                                                     \
  NAME##_expected(x, z, expected[0] + BEGIN, expected[0] + BEGIN + off);       \
  __enzyme_autodiff_void((void *)F, enzyme_dup, x, shadow[0] + BEGIN,          \
                         enzyme_dup, z, shadow[0] + BEGIN + off, enzyme_dup,   \
                         result, seed[0], enzyme_const, N);                    \
  compare(#F, off, 0, 1);

// The shadows of the second lane lie otherwise.
#define CHECK(NAME, INT, FROM, TO, A, B, C)                                    \
  CHECK_ONE(NAME, NAME)                                                        \
  CHECK_ONE(NAME, NAME##_plain)                                                \
  begin();                                                                     \
  NAME##_expected(x, z, expected[0] + BEGIN, expected[0] + BEGIN + off);       \
  NAME##_expected(x, z, expected[1] + BEGIN, expected[1] + BEGIN + other);     \
  __enzyme_autodiff_void((void *)NAME, enzyme_width, 2, enzyme_dup, x,         \
                         shadow[0] + BEGIN, shadow[1] + BEGIN, enzyme_dup, z,  \
                         shadow[0] + BEGIN + off, shadow[1] + BEGIN + other,   \
                         enzyme_dup, result, seed[0], seed[1], enzyme_const,   \
                         N);                                                   \
  compare(#NAME ", first lane", off, 0, 1);                                    \
  compare(#NAME ", second lane", other, 1, 3);

static void compare(const char *name, int off, int lane, double times) {
  const int before = failures;
  for (int i = 0; i < ROOM; ++i)
    NEAR(shadow[lane][i], times * expected[lane][i], 0);
  if (failures > before)
    printf("  in %s, %d numbers on\n", name, off);
}

int main(void) {
  for (int i = 0; i < ROOM; ++i)
    memory[i] = i % 11 - 4;
  const int offs[] = {0, 1, N / 2, N - 1, N, N + 2, N + 3, 2 * N};
  const double *x = memory + BEGIN;
  for (int threads = 1; threads <= 4; threads += 3)
    for (unsigned k = 0; k < sizeof offs / sizeof *offs; ++k) {
      const int off = offs[k], other = 2 * N - off;
      const double *z = x + off;
      omp_set_num_threads(threads);
      KINDS(CHECK)
    }
  return finish();
}
