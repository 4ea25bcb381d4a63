// What an exception leads a handler to, and what a handler puts into one.
// RUN: not %retro-clang++ -O2 -g -DPOINTER -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -DPOINTER -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DREFERENCE -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -DREFERENCE -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DMEMBER -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DASKED -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="indirect call"
// RUN: not %retro-clang++ -O2 -DKEPT -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not %retro-clang++ -O0 -DKEPT -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: {{.*}}[retro-exceptions]
// RUN: not %retro-clang++ -O2 -g -DFORWARD -DMEMBER -c %s -o /dev/null 2>&1 | FileCheck %s
// A handler that does not look at it loses nothing.
// RUN: %retro-clang++ -O2 -g -DIGNORED -c %s -o /dev/null
#include "request.h"
#include <exception>
#include <stdexcept>
double __enzyme_fwddiff(void *, ...);

struct At {
  double *place;
};
struct Value {
  int n;
  double v;
};

// What a handler asks it, by its table, is not what is wrong with it.
struct Last : std::runtime_error {
  double v;
  explicit Last(double v) : runtime_error("the last value"), v(v) {}
};

// CHECK: exceptions-carried.cpp:{{[0-9]+}}:{{[0-9]+}}: error: cannot differentiate through this exception handling construct [retro-exceptions]
double f(double *x) {
#if defined(POINTER)
  try {
    if (x[0] > 3)
      throw At{x};
    return x[1];
  } catch (At a) {
    return a.place[0] * 2;
  }
#elif defined(ASKED)
  try {
    if (x[0] > 3)
      throw Last(x[1]);
    return x[1];
  } catch (const Last &e) {
    return e.what()[0] + e.v;
  }
#elif defined(REFERENCE)
  try {
    try {
      if (x[0] > 3)
        throw Value{1, 0};
    } catch (Value &v) {
      v.v = x[1] * 2;
      throw;
    }
    return x[1];
  } catch (Value v) {
    return v.v;
  }
#elif defined(KEPT)
  std::exception_ptr p = std::make_exception_ptr(Value{1, x[1]});
  try {
    std::rethrow_exception(p);
  } catch (const Value &v) {
    return v.v;
  }
#elif defined(MEMBER)
  try {
    if (x[0] > 3)
      throw Value{1, x[1]};
    return x[1];
  } catch (const Value &v) {
    return v.v;
  }
#else
  try {
    if (x[0] > 3)
      throw Value{1, x[1]};
    return x[1];
  } catch (const Value &) {
    return x[0];
  }
#endif
}
#ifdef FORWARD
double r(double *x, double *d) { return __enzyme_fwddiff((void *)f, x, d); }
#else
double r(double *x, double *d) { return __enzyme_autodiff((void *)f, x, d); }
#endif
