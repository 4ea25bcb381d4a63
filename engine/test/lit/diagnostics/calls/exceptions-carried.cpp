// Numbers that an exception takes to where they are not followed.
// RUN: not %retro-clang++ -O2 -g -DBASES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -DBASES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DPOINTER -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DNUMBER -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DELSEWHERE -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DSPLIT -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O2 -g -DKEPT -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not %retro-clang++ -O0 -g -DKEPT -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not %retro-clang++ -O2 -g -DCURRENT -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not %retro-clang++ -O2 -g -DFORWARD -DBASES -c %s -o /dev/null 2>&1 | FileCheck %s
// A handler that does not look at it loses nothing.
// RUN: %retro-clang++ -O2 -g -DIGNORED -c %s -o /dev/null
// KEPT: error: cannot differentiate through this exception handling construct [retro-exceptions]
// A derivative of a derivative whose functions pass exceptions on.
// RUN: not %retro-clang++ -O2 -g -DSECOND -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: error: cannot differentiate through this exception handling construct [retro-exceptions]
#include "request.h"
#include <exception>
#include <stdexcept>
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);

struct Value {
  int n;
  double v;
};
struct Name {
  double place[2];
};
/// A handler may be given the second base class alone.
struct Both : Name, Value {};
/// Of its bases nothing is known here.
struct Elsewhere {
  virtual void tell() const;
  double v;
};

// CHECK: exceptions-carried.cpp:{{[0-9]+}}:{{[0-9]+}}: error: cannot differentiate through this exception handling construct [retro-exceptions]
double f(double *x) {
#if defined(POINTER)
  try {
    if (x[0] > 3)
      throw x + 1;
    return x[1];
  } catch (double *at) {
    return *at * 2;
  }
#elif defined(NUMBER)
  try {
    if (x[0] > 3)
      throw x[1] * x[1];
    return x[1];
  } catch (double y) {
    return y * 2;
  }
#elif defined(BASES)
  try {
    if (x[0] > 3) {
      Both b;
      b.place[0] = x[0];
      b.v = x[1];
      throw b;
    }
    return x[1];
  } catch (const Value &v) {
    return v.v;
  }
#elif defined(ELSEWHERE)
  try {
    if (x[0] > 3) {
      Elsewhere e;
      e.v = x[1];
      throw e;
    }
    return x[1];
  } catch (const Elsewhere &e) {
    return e.v;
  }
#elif defined(KEPT)
  std::exception_ptr p = std::make_exception_ptr(Value{1, x[1]});
  try {
    std::rethrow_exception(p);
  } catch (const Value &v) {
    return v.v;
  }
#elif defined(CURRENT)
  std::exception_ptr p;
  try {
    throw Value{1, x[1]};
  } catch (...) {
    p = std::current_exception();
  }
  try {
    std::rethrow_exception(p);
  } catch (const Value &v) {
    return v.v;
  }
#elif defined(SPLIT)
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
#if defined(SECOND)
static double descend(double *x, int n) {
  x[n] *= x[0];
  if (x[n] > 100)
    throw n;
  return n == 0 ? x[0] : x[n] * descend(x, n - 1) * descend(x, n / 2);
}
double g(double *x, int n) {
  try {
    return descend(x, n);
  } catch (int k) {
    return k * x[0];
  }
}
void r(double *x, double *d, int n) { __enzyme_autodiff((void *)g, x, d, n); }
void h(double *x, double *t, double *d, double *s, int n) {
  __enzyme_fwddiff((void *)r, x, t, d, s, n);
}
#elif defined(FORWARD)
double r(double *x, double *d) { return __enzyme_fwddiff((void *)f, x, d); }
#elif defined(SPLIT)
void *r(double *x, double *d) { return __enzyme_augmentfwd((void *)f, x, d); }
#else
double r(double *x, double *d) { return __enzyme_autodiff((void *)f, x, d); }
#endif
