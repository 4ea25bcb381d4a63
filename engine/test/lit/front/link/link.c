// A program of two translation units, differentiated where they are linked.
// REQUIRES: lld
// RUN: %retro-clang -O1 -flto -g -c %s -o %t.1.o
// RUN: %retro-clang -O1 -flto -c -DELSEWHERE %s -o %t.2.o
// RUN: clang -O1 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.1.o %t.2.o -lm -o %t
// RUN: %t | FileCheck %s
//
// Options of the engine, for which lld loads the plugin once more.
// RUN: clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -Wl,-mllvm=-load=%plugin -Wl,-mllvm=-retro-print-plan %t.1.o %t.2.o -lm -o %t 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: plan for calls (root)
//
// A body that is in no object.
// RUN: not clang -O1 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.1.o -lm -o %t 2>&1 | FileCheck %s --check-prefix=MISSING
#include "request.h"
double elsewhere(double x);
#ifdef ELSEWHERE
double elsewhere(double x) { return x * x * x; }
#else
double here(double x) { return sin(x) * x; }
double calls(double x) { return elsewhere(x) * 2; }
double (*volatile unknown)(double) = elsewhere;
double jumps(double x) { return unknown(x); }
int main(void) {
  double d[4] = {
      __enzyme_autodiff((void *)here, 0.0),
      // MISSING: error: {{.*}}link.c:[[@LINE-6]]:{{.*}}no derivative is known for the function 'elsewhere'
      __enzyme_autodiff((void *)calls, 2.0),
      // MISSING: cannot differentiate 'elsewhere'
      __enzyme_autodiff((void *)elsewhere, 3.0),
      __enzyme_autodiff((void *)jumps, 4.0),
  };
  show("all", d, 4); // CHECK: all: 0 24 27 48
}
#endif
