/* What a file of generated programs and the judge (generated.c) share. */
#ifndef FZ_GENERATED_H
#define FZ_GENERATED_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>
#endif

#define NOINLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The numbers that go in, as `in`, and those that come out, as `out`, are
 * stretched out to arrays; what memory holds at the end comes out too. The
 * returned number is out[0], and its weight is 1. */
struct fz_program {
  const char *name;
  int inputs, outputs, returns, single, lanes, outer;
  void (*call)(const double *in, double *out);
  void (*forward)(const double *in, const double *v, double *out, double *jv);
  void (*reverse)(const double *in, const double *w, double *g);
  void (*forwards)(const double *in, const double *v, double *out, double *jv);
  void (*reverses)(const double *in, const double *w, double *g);
  void (*second)(const double *in, const double *w, const double *v, double *g,
                 double *hv);
};

#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width;
extern const struct fz_program *const fz_programs[];
extern const int fz_count;
#ifdef __cplusplus
}
#endif

#endif
