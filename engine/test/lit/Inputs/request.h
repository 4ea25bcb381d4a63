// The entry points and markers, and what the tests print results with.
#ifndef REQUEST_H
#define REQUEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
extern int enzyme_primal_return, enzyme_const_return;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
#ifdef __cplusplus
}
#endif

/// One line: a name and numbers, exact.
static inline void show(const char *name, const double *x, int n) {
  printf("%s:", name);
  for (int i = 0; i < n; ++i)
    printf(" %.17g", x[i]);
  printf("\n");
}

#endif
