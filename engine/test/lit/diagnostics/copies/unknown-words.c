// What is moved without a type may be numbers, whatever is known around it: none of
// it is taken for integers.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -DBARE -mllvm -retro-preopt=0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=BARE %s
// RUN: not %retro-clang -O2 -DBARE -mllvm -retro-preopt=0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=BARE %s
#include "request.h"

typedef struct {
  double a[2], b[2], c;
} item;
typedef long long pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int word __attribute__((may_alias));
typedef struct {
  double x;
  int id;
  float w;
} part;
typedef struct {
  _Float16 a[2], b[2];
} halves;
typedef struct {
  float d[4];
  double a, b;
} mixed;
typedef struct {
  int n;
  double x[];
} tail;
typedef union {
  double d;
  long l;
} either;
typedef struct {
  either p, q;
} eithers;

#ifndef BARE
// Beside a number of the same struct.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'beside'
void beside(item *s, int n) { memmove(s->b, s->a, sizeof(double)); s->c *= s->a[1]; }
void r1(item *s, item *ds) { __enzyme_autodiff_void((void *)beside, s, ds, 1); }

// In a vector.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'vector'
void vector(item *s, int n) { *(pair *)s->b = *(pair *)s->a; s->c *= s->c; }
void r2(item *s, item *ds) { __enzyme_autodiff_void((void *)vector, s, ds, 1); }

// In halves of a number.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-{{unknown-type|bit-arithmetic}}]
// CHECK: note: the derivative of 'split'
void split(item *s, int n) {
  for (int i = 0; i < 4 * n; i++)
    ((word *)s->b)[i] = ((word *)s->a)[i];
  s->c *= s->c;
}
void r3(item *s, item *ds) { __enzyme_autodiff_void((void *)split, s, ds, 1); }

// Of structs of which only a part is accessed.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'structs'
void structs(part *to, part *from, double *y, int n) {
  for (int i = 0; i < n; i++)
    *y += from[i].x;
  memcpy(to, from, n * sizeof *to);
}
void r4(part *a, part *da, part *b, part *db, double *y, double *dy) { __enzyme_autodiff_void((void *)structs, a, da, b, db, y, dy, 3); }

// Behind an integer, so many bytes as a variable says.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'counted'
void counted(tail *to, tail *from, int n) {
  memcpy(to, from, sizeof *to + n * sizeof(double));
  from->n += 1;
}
void r5(tail *a, tail *da, tail *b, tail *db) { __enzyme_autodiff_void((void *)counted, a, da, b, db, 3); }

// Narrow numbers.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'narrow'
void narrow(halves *s, double *y) { memcpy(s->b, s->a, 2); *y *= *y; }
void r6(halves *s, halves *ds, double *y, double *dy) { __enzyme_autodiff_void((void *)narrow, s, ds, y, dy); }
double widened(halves *s) { return (double)s->a[0]; }

// A word that is aligned as a double, in memory where floats are indexed.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'whole'
void whole(mixed *s, float *y, int n) { memmove(&s->b, &s->a, sizeof(double)); *y = s->d[n]; }
void r7(mixed *s, mixed *ds, float *y, float *dy) { __enzyme_autodiff_void((void *)whole, s, ds, y, dy, 1); }

// From memory that has no shadow: what is overwritten has one.
// CHECK: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// CHECK: note: the derivative of 'replaced'
void replaced(item *s, void *from) { memcpy(s->b, from, sizeof(double)); s->c *= s->c; }
void r8(item *s, item *ds, void *from) { __enzyme_autodiff_void((void *)replaced, enzyme_dup, s, ds, enzyme_const, from); }
// CHECK: 8 errors generated

#else
// Through a variable of integers.
// BARE: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// BARE: note: the derivative of 'variable'
void variable(double *s, int n) {
  long t[2];
  memcpy(t, s, sizeof t);
  if (t[0])
    memcpy(s + 2, t, sizeof t);
  s[4] *= s[4];
}
void b1(double *s, double *ds) { __enzyme_autodiff_void((void *)variable, s, ds, 1); }

// Returned as integers.
__attribute__((noinline)) static eithers get(eithers *p) { return *p; }
// BARE: unknown-words.c:{{.*}} error: {{.*}} [retro-unknown-type]
// BARE: note: the derivative of 'returned'
void returned(eithers *to, eithers *from, double *y) { *to = get(from); *y *= *y; }
void b2(eithers *a, eithers *da, eithers *b, eithers *db, double *y, double *dy) { __enzyme_autodiff_void((void *)returned, a, da, b, db, y, dy); }
// BARE: 2 errors generated
#endif
