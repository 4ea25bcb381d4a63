// A struct that is only ever copied whole: no access gives its members a type.
// Debug information does; without it the copy is an error.
// RUN: %retro-clang -O2 -g %s -o %t && %t | FileCheck --check-prefix=TYPED %s
// RUN: %retro-clang -O0 -g %s -o %t && %t | FileCheck --check-prefix=TYPED %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=UNTYPED %s
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=UNTYPED %s
#include "request.h"

typedef struct {
  int n;
  double v[3];
  float w;
} Packet;

// UNTYPED: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
// UNTYPED-NOT: error:
void copy(Packet *restrict a, const Packet *restrict b) {
  memcpy(a, b, sizeof *a);
}

// The adjoints move from da to db; the integer stays out of it.
// TYPED: primal: 3 1 2 3 4
// TYPED-NEXT: da: 0 0 0 0 0
// TYPED-NEXT: db: 0 1.5 10.5 100.5 1000.5
static void print(const char *name, const Packet *p) {
  show(name, (double[]){p->n, p->v[0], p->v[1], p->v[2], p->w}, 5);
}
int main(void) {
  Packet a = {0}, b = {3, {1, 2, 3}, 4};
  Packet da = {0, {1, 10, 100}, 1000}, db = {0, {0.5, 0.5, 0.5}, 0.5f};
  __enzyme_autodiff_void((void *)copy, &a, &da, &b, &db);
  print("primal", &a);
  print("da", &da);
  print("db", &db);
}
