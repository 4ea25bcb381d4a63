// Bytes that are copied, and that no access gives a type, may be numbers.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

void f(void *restrict a, const void *restrict b) {
  memcpy(a, b, 64);
}
// CHECK: untyped-copy.c:[[@LINE-2]]:3: error: cannot deduce the type of the memory that is copied here [retro-unknown-type]
void r(void *a, void *da, void *b, void *db) { __enzyme_autodiff_void((void *)f, a, da, b, db); }
