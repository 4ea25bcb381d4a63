// Words that may be numbers as well as pointers: read as what each reader takes
// them for, also in a copy of many, of which nobody looks at the tags. Where the
// caller has a part in the memory, such a copy is refused.
// RUN: %retro-clang -O0 %s -lm -o %t && %t
// RUN: %retro-clang -O2 %s -lm -o %t && %t
// RUN: %retro-clang -O0 -DMANY %s -lm -o %t && %t
// RUN: %retro-clang -O2 -DMANY %s -lm -o %t && %t
// RUN: not %retro-clang -O0 -DOUT %s -c -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -DOUT %s -c -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#include <string.h>
typedef struct {
  long tag;
  union {
    double d;
    double *p;
  } u;
} Tagged;
static double get(const Tagged *v) { return v->tag ? *v->u.p * 2 : v->u.d * 3; }
double f(double x, int k) {
  double y = 2 * x;
  Tagged a[2], b[2];
  a[0].tag = 0, a[0].u.d = x * x;
  a[1].tag = 1, a[1].u.p = &y;
#ifdef MANY
  memcpy(b, a, (size_t)k * sizeof *a);
#else
  memcpy(&b[0], &a[k], sizeof *a), memcpy(&b[1], &a[1 - k], sizeof *a);
#endif
  return get(&b[0]) * get(&b[1]);
}
#ifdef OUT
double g(Tagged *a, Tagged *b, int k) {
  // CHECK: error: {{.*}}cannot deduce the type of the memory that is copied here [retro-unknown-type]
  memcpy(b, a, (size_t)k * sizeof *a);
  return get(&b[0]) * get(&b[1]);
}
double out(Tagged *a, Tagged *ad, Tagged *b, Tagged *bd) {
  return __enzyme_autodiff((void *)g, enzyme_dup, a, ad, enzyme_dup, b, bd, 2);
}
#endif
int main(int argc, char **argv) {
  (void)argv;
#ifdef MANY
  const int Count = argc + 1;
#else
  const int Count = argc - 1;
#endif
  return __enzyme_autodiff((void *)f, 1.5, Count) != 36 * 1.5 * 1.5;
}
