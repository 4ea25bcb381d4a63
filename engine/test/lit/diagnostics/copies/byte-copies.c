// Numbers, or pointers to them, that are moved byte by byte.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null -mllvm -retro-preopt=0 2>&1 | FileCheck %s
#include "request.h"

void copy(double *to, double *from, int n) {
  for (int i = 0; i < 8 * n; ++i)
    ((char *)to)[i] = ((char *)from)[i];
  for (int i = 0; i < n; ++i)
    to[i] *= to[i];
}
// CHECK: byte-copies.c:[[@LINE-4]]:{{[0-9]+}}: error: active memory is copied byte by byte here [retro-byte-copy]; to fix it: copy whole numbers and pointers, or use memcpy
void r1(double *t, double *dt, double *f, double *df, int n) { __enzyme_autodiff_void((void *)copy, t, dt, f, df, n); }

// No access says that there are numbers.
void blind(void *to, void *from, int n) {
  for (int i = 0; i < n; ++i)
    ((char *)to)[i] = ((char *)from)[i];
}
// CHECK: byte-copies.c:[[@LINE-2]]:{{[0-9]+}}: error: active memory is copied byte by byte here [retro-byte-copy]
void r2(void *t, void *dt, void *f, void *df, int n) { __enzyme_fwddiff_void((void *)blind, t, dt, f, df, n); }

void exchange(double *a, double *b, long n) {
  char *p = (char *)a, *q = (char *)b;
  for (long k = 8 * n; k; --k) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}
// CHECK: byte-copies.c:[[@LINE-4]]:{{[0-9]+}}: error: active memory is copied byte by byte here [retro-byte-copy]
void r3(double *a, double *da, double *b, double *db, long n) { __enzyme_autodiff_void((void *)exchange, a, da, b, db, n); }

// Bytes beside numbers are no part of them.
struct Atom {
  double x[3];
  char kind, name[7];
};
void rename_(struct Atom *a, struct Atom *b, int n) {
  for (int i = 0; i < n; ++i) {
    a[i].kind = b[i].kind;
    a[i].name[0] = b[i].name[1];
    for (int k = 0; k < 3; ++k)
      a[i].x[k] = b[i].x[k] * b[i].x[k];
  }
}
void r4(struct Atom *a, struct Atom *da, struct Atom *b, struct Atom *db, int n) { __enzyme_autodiff_void((void *)rename_, a, da, b, db, n); }

// A loop over the bytes that is unrolled: all bytes of each number are moved.
struct Pair {
  double v[2];
};
void unrolled(struct Pair *p, int n) {
  char *a = (char *)p, *b = (char *)(p + n - 1);
  for (int i = 0; i < (int)sizeof *p; ++i) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
  for (int i = 0; i < n; ++i)
    p[i].v[0] *= p[i].v[1];
}
// CHECK: byte-copies.c:[[@LINE-6]]:{{[0-9]+}}: error: active memory is copied byte by byte here [retro-byte-copy]
void r5(struct Pair *p, struct Pair *dp, int n) { __enzyme_autodiff_void((void *)unrolled, p, dp, n); }
// CHECK: 4 errors generated
