// strncpy writes as many bytes as it is told, and here more of them than the
// field has room for. (LLVM's optimizer leaves the number's store out, as it
// knows that, too; then zero is right.)
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#define REQUEST(f) double r_##f(double x) { return __enzyme_autodiff((void *)f, x); }

struct record { char name[8]; double value; };
char *strncpy(char *, const char *, unsigned long);
extern char text[];
extern struct record *volatile place;
double padded(double x) {
  struct record *r = place;
  r->value = x * x;
  strncpy(r->name, text, sizeof *r);
  return r->value;
}
// CHECK: padded-text.c:[[@LINE-3]]:{{.*}}: error: no derivative is known for the function 'strncpy'
REQUEST(padded)
double beside(double x) {
  struct record r;
  r.value = x * x;
  strncpy(r.name, text, sizeof r.name);
  return r.value;
}
REQUEST(beside)
// CHECK: 1 error generated
