// The bits of numbers, changed and kept in memory whose declared type is an
// integer, where another function makes numbers of them again: not constants.
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -DSTRUCT -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: integer arithmetic on the bits of an active floating-point value ('{{xor|add|sub}}') [retro-bit-arithmetic]
// CHECK: error: integer arithmetic on the bits of an active floating-point value ('{{xor|add|sub}}') [retro-bit-arithmetic]
#include "request.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef STRUCT
typedef struct {
  uint64_t Key;
  int At;
} Key;
#define KEY(I) K[I].Key
#else
typedef uint64_t Key;
#define KEY(I) K[I]
#endif

#define KEPT(NAME, PUT, TAKE)                                                  \
  double NAME(const double *X, int N) {                                        \
    Key *K = malloc(N * sizeof *K);                                            \
    double S = X[0], D;                                                        \
    for (int I = 0; I < N; ++I) {                                              \
      uint64_t U;                                                              \
      memcpy(&U, X + I, 8);                                                    \
      KEY(I) = PUT;                                                            \
    }                                                                          \
    for (int I = 0; I < N; ++I) {                                              \
      uint64_t U = KEY(I);                                                     \
      U = TAKE;                                                                \
      memcpy(&D, &U, 8);                                                       \
      S += D * (I + 1);                                                        \
    }                                                                          \
    free(K);                                                                   \
    return S;                                                                  \
  }
KEPT(inverted, ~U, ~U)
KEPT(moved, U + 16, U - 16)

double request(double *X, double *D) {
  __enzyme_autodiff((void *)inverted, X, D, 3);
  return __enzyme_autodiff((void *)moved, X, D, 3);
}
