// The structs through which memory is addressed say what is in it, where a part of it
// is accessed and all of it is copied: without debug information and TBAA, too.
// RUN: %retro-clang -O0 %s -o %t -lm
// RUN: %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm
// RUN: %t | FileCheck %s
// RUN: %retro-clang -O2 -fno-strict-aliasing %s -o %t -lm
// RUN: %t | FileCheck %s
// RUN: %retro-clang -O2 -mllvm -retro-preopt=0 %s -o %t -lm
// RUN: %t | FileCheck %s
// Two floats beside an indexed array are no double if something says so.
// RUN: %retro-clang -O2 -g -DNAMED %s -o %t -lm
// RUN: %t | FileCheck %s --check-prefixes=CHECK,NAMED
#include "request.h"

typedef struct {
  double x;
  float w[2];
} item;

static void after(item *to, item *from) {
  from->x *= from->x;
  memcpy(to, from, sizeof *to);
}
static void before(item *to, item *from) {
  *to = *from;
  to->x *= to->x;
}

typedef struct {
  double b[3];
  float d[4];
} named;
static void words(float *z, named *from, double *y, int i) {
  memmove(from->d, z, 2 * sizeof(float));
  y[0] = from->b[i];
}

static void print(const char *name, const item *a, const item *b) {
  const double all[] = {a->x, a->w[0], a->w[1], b->x, b->w[0], b->w[1]};
  show(name, all, 6);
}

int main(void) {
  {
    item a = {1, {2, 3}}, b = {2, {3, 4}}, da = {3, {5, 6}}, db = {10, {20, 30}};
    __enzyme_autodiff_void((void *)after, &a, &da, &b, &db);
    // CHECK: after: 0 0 0 52 25 36
    print("after", &da, &db);
  }
  {
    item a = {1, {2, 3}}, b = {2, {3, 4}}, da = {3, {5, 6}}, db = {10, {20, 30}};
    __enzyme_autodiff_void((void *)before, &a, &da, &b, &db);
    // CHECK: before: 0 0 0 22 25 36
    print("before", &da, &db);
  }
#ifdef NAMED
  float z[2] = {1, 2}, dz[2] = {10, 20};
  named b = {{1, 2, 3}, {4, 5, 6, 7}}, db = {{1, 2, 3}, {4, 5, 6, 7}};
  double y = 1, dy = 100;
  __enzyme_autodiff_void((void *)words, z, dz, &b, &db, &y, &dy, 1);
  // NAMED: words: 14 25 0 0 6 102 0
  const double all[] = {dz[0], dz[1], db.d[0], db.d[1], db.d[2], db.b[1], dy};
  show("words", all, 7);
#endif
}
