// With clang's -fplugin: variables that are only declared here, and inactive;
// the other file defines them. A variable that is declared and not used need
// not be defined anywhere.
// RUN: clang -O1 -DDEFINITIONS -c %s -o %t.o
// RUN: clang -fplugin=%plugin -I%inputs -O0 %s %t.o -lstdc++ -o %t && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -I%inputs -O1 %s %t.o -lstdc++ -o %t && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -I%inputs -O2 %s %t.o -lstdc++ -o %t && %t | FileCheck %s
// RUN: clang -fplugin=%plugin -fpass-plugin=%plugin -I%inputs -O3 %s %t.o -lstdc++ -o %t && %t | FileCheck %s
#ifdef DEFINITIONS
namespace sim {
double carrier;
struct State { static double kept; };
double State::kept;
}
extern "C" { double plain, table[3]; __thread double own; }
double active;
double other_name __asm__("other_name");
#else
#include "request.h"

#define INACTIVE __attribute__((enzyme_inactive))
namespace sim {
extern INACTIVE double carrier;
struct State { static INACTIVE double kept; };
}
extern "C" { extern INACTIVE double plain, table[3]; extern INACTIVE __thread double own; }
extern INACTIVE double undefined;
extern double active;
extern double labelled __asm__("other_name") INACTIVE;

static double f(double x) {
  sim::carrier = x * x;
  sim::State::kept = plain = table[1] = labelled = own = active = x;
  return (sim::carrier + sim::State::kept + plain + table[1] + labelled + own + active) * x;
}

int main() {
  double g = __enzyme_autodiff((void *)f, 3.0), t = __enzyme_fwddiff((void *)f, 3.0, 1.0);
  printf("%.10g %.10g\n", g, t);
  // CHECK: 30 30
}
#endif
