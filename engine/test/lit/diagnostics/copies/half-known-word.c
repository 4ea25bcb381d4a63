// An integer and, in the same 8 bytes, a number that nothing accesses: the copy
// of the word is not taken for one of integers. Where it is known to be a
// number, a word that is a number in part only cannot be followed; where the
// front end lists the fields that are copied, they are copied one by one.
// RUN: not %retro-clang -O0 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %retro-clang -O0 -g -c %s -o %t.o 2>&1 | FileCheck --check-prefix=PART %s
// RUN: %retro-clang -O2 %s -o %t && %t
#include "request.h"

typedef struct {
  int kind;
  float weight;
} item;

// UNKNOWN: half-known-word.c:[[@LINE+1]]:{{.*}} error: {{.*}}[retro-unknown-type]
static void copy(item *restrict to, const item *restrict from) {
  if (from->kind > 0)
    // PART: half-known-word.c:[[@LINE+1]]:{{.*}} error: {{.*}}[retro-bit-arithmetic]
    *to = *from;
}
int main(void) {
  item to = {0, 0}, from = {1, 5}, dto = {0, 7}, dfrom = {0, 0};
  __enzyme_autodiff_void((void *)copy, &to, &dto, &from, &dfrom);
  return dfrom.weight != 7;
}
