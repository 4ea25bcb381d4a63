/* Declarations and one check for the sanitizer programs. */
#ifndef RETRO_SANITIZE_CHECK_H
#define RETRO_SANITIZE_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
template <typename Result, typename... Args>
extern Result __enzyme_autodiff(Args...);
extern "C" {
#else
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
#endif
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
#ifdef __cplusplus
}
#endif

/* Ends the program with status 1 unless value is within 1e-12, relative, of
 * expected. */
static inline void check(const char *what, double value, double expected) {
  if (fabs(value - expected) <= 1e-12 * fabs(expected))
    return;
  printf("%s is %.17g, not %.17g\n", what, value, expected);
  exit(1);
}

#endif
