// As copy-beside-array.c, where the floats begin where a double could: how they
// are addressed says that they are none, and so does a part of a double.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -mllvm -retro-preopt=0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -mllvm -retro-preopt=0 -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

typedef struct {
  double b[3];
  float d[4];
} item;

#define CASE(N)                                                                \
  double f##N(item *to, item *from, int i) {                                   \
    memmove(to->d, from->d, N * sizeof(float));                                \
    return from->b[i] * to->b[i];                                              \
  }                                                                            \
  double r##N(item *a, item *da, item *b, item *db) {                          \
    return __enzyme_autodiff((void *)f##N, a, da, b, db, 1);                   \
  }
// CHECK: floats-beside-array.c:[[#@LINE+1]]:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
CASE(1)
// The second look at two floats is at words as bits.
// CHECK: floats-beside-array.c:[[#@LINE+1]]:{{.*}} error: {{.*}} [retro-{{unknown-type|bit-arithmetic}}]
CASE(2)
// CHECK: floats-beside-array.c:[[#@LINE+1]]:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
CASE(3)
// CHECK: floats-beside-array.c:[[#@LINE+1]]:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
CASE(4)
// CHECK: 4 errors generated
