// An array of a struct that is indexed says nothing of the fields around it: what is
// copied from there is not taken for elements of the array.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=INSIDE %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=INSIDE %s
// RUN: not %retro-clang -O0 -DALIGNED -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ALIGNED %s
// RUN: not %retro-clang -O2 -g -DALIGNED -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ALIGNED %s
#include "request.h"

typedef struct {
  double b[3];
#ifndef ALIGNED
  float c;
#endif
  float d[4];
} item;

// Where the floats begin in the middle of a double, and where they do not.
// INSIDE: copy-beside-array.c:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
// ALIGNED: copy-beside-array.c:{{.*}} error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
void f(float *to, item *from, double *y, int i) {
  memmove(to, from->d, 4 * sizeof(float));
  y[0] = from->b[i];
}
void r(float *a, float *da, item *b, item *db, double *y, double *dy) {
  __enzyme_autodiff_void((void *)f, a, da, b, db, y, dy, 1);
}
