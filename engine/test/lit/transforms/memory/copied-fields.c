// A small struct with a float is copied field by field, so that LLVM makes no
// word of the float and what is beside it. All of it is copied: characters, and
// padding, which a program may look at.
// RUN: %retro-clang -O0 %s -o %t && %t
// RUN: %retro-clang -O2 %s -o %t && %t
// RUN: %retro-clang -O0 -S -emit-llvm %s -o - | FileCheck %s
#include <string.h>

typedef struct {
  float weight;
  char name[4];
  double value;
} named;
typedef struct {
  double value;
  float weight;
} padded;

// CHECK-LABEL: @exchange
// CHECK: load float
// CHECK-COUNT-4: load i8
// CHECK: load double
__attribute__((noinline)) void exchange(named *a, named *b) {
  named t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  named a = {1, "abc", 2}, b = {3, "xyz", 4};
  exchange(&a, &b);
  padded p;
  memset(&p, 7, sizeof p);
  p.value = 1;
  p.weight = 2;
  unsigned char bytes[sizeof p];
  memcpy(bytes, &p, sizeof p);
  return strcmp(a.name, "xyz") || strcmp(b.name, "abc") || a.value != 4 ||
         b.weight != 1 || bytes[12] != 7 || bytes[15] != 7;
}
