// As copy-beside-array.c, where the copy of two floats has become that of a word.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -DOUT -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

typedef struct {
  double b[3];
  float d[4];
} item;

// The second look is at the word as bits.
// CHECK: word-beside-array.c:{{.*}} error: {{.*}} [retro-{{unknown-type|bit-arithmetic}}]
void f(float *z, item *from, double *y, int i) {
#ifdef OUT
  memmove(z, from->d, 2 * sizeof(float));
#else
  memmove(from->d, z, 2 * sizeof(float));
#endif
  y[0] = from->b[i];
}
void r(float *a, float *da, item *b, item *db, double *y, double *dy) {
  __enzyme_autodiff_void((void *)f, a, da, b, db, y, dy, 1);
}
