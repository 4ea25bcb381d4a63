// Stands in for the engine: the entry points that an adapter calls, for some of
// functions.c, written by hand. FUNCTION picks one, and WRONG a mistake.
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, SIGN, FACTOR, MISSING, NOT_A_NUMBER, ZERO, STATE, OUTPUT };
#ifndef WRONG
#define WRONG NONE
#endif

/// The mistake in one entry of a gradient; the last has `last` set.
static double spoil(double g, int last) {
  static int calls;
  ++calls;
  switch (WRONG) {
  case SIGN:
    return -g;
  case FACTOR:
    return g * (1 + 1e-6);
  case MISSING:
    return last ? 0 : g;
  case NOT_A_NUMBER:
    return last ? NAN : g;
  case ZERO:
    return 0;
  case STATE:
    return g * (1 + 1e-13 * calls);
  default:
    return g;
  }
}

#if FUNCTION == 1 // product
typedef struct {
  double a, b;
} pair;
static pair partials(double a, double b) {
  pair p = {cos(a) * b + b * b, sin(a) + 2 * a * b};
  return p;
}
pair __enzyme_autodiff_verify(void *f, int ma, double a, int mb, double b) {
  pair p = partials(a, b);
  p.a = spoil(p.a, 0);
  p.b = spoil(p.b, 1);
  return p;
}
double __enzyme_fwddiff_verify(void *f, int ma, double a, double da, int mb,
                               double b, double db) {
  pair p = partials(a, b);
  return p.a * da + p.b * db;
}

#elif FUNCTION == 2 // relax: in place
void __enzyme_autodiff_verify(void *f, int mu, double *u, double *du, int mn,
                              int n, int ms, int sweeps) {
  double *old = malloc(sizeof(double) * n * sweeps);
  for (int s = 0; s < sweeps; ++s)
    for (int i = 1; i < n - 1; ++i) {
      old[s * n + i] = u[i];
      u[i] = 0.3 * u[i - 1] + 0.3 * u[i] * u[i] + 0.4 * u[i + 1];
    }
  for (int s = sweeps; s-- > 0;)
    for (int i = n - 2; i > 0; --i) {
      double g = du[i];
      du[i] = 0.6 * old[s * n + i] * g;
      du[i - 1] += 0.3 * g;
      du[i + 1] += 0.4 * g;
    }
  for (int i = 0; i < n; ++i)
    du[i] = spoil(du[i], i == n - 1);
  if (WRONG == OUTPUT)
    u[1] += 1e-3;
  free(old);
}
void __enzyme_fwddiff_verify(void *f, int mu, double *u, double *du, int mn,
                             int n, int ms, int sweeps) {
  for (int s = 0; s < sweeps; ++s)
    for (int i = 1; i < n - 1; ++i) {
      du[i] = 0.3 * du[i - 1] + 0.6 * u[i] * du[i] + 0.4 * du[i + 1];
      u[i] = 0.3 * u[i - 1] + 0.3 * u[i] * u[i] + 0.4 * u[i + 1];
    }
}

#elif FUNCTION == 3 // mixed: only reverse
double __enzyme_autodiff_verify(void *f, int m0, double scale, int m1,
                                double *weight, int m2, int *index, int m3,
                                int n, int m4, double *row, double *drow,
                                int m5, double *out, double *dout) {
  double dscale = 0;
  for (int i = 0; i < n; ++i) {
    double *x = &row[2 * i], *e = &row[2 * index[i] + 1];
    double t = *x * exp(0.3 * *e);
    out[i] = scale * t * weight[i];
    dscale += t * t + dout[i] * t * weight[i];
    double dt = 2 * scale * t + dout[i] * scale * weight[i];
    drow[2 * i] += spoil(dt * exp(0.3 * *e), i == n - 1);
    drow[2 * index[i] + 1] += 0.3 * t * dt;
  }
  return dscale;
}

#elif FUNCTION == 4 // single: floats
float __enzyme_autodiff_verify(void *f, int m0, float a, int m1, float *x,
                               float *dx, int m2, int n) {
  float da = 0;
  for (int i = 0; i < n; ++i) {
    da += cosf(a * x[i]) * x[i] * x[i];
    dx[i] += (float)spoil(cosf(a * x[i]) * a * x[i] + sinf(a * x[i]), i == 0);
  }
  return da;
}

#elif FUNCTION == 5 // kink and constant, both of one number
double __enzyme_autodiff_verify(void *f, int m0, double a) {
  return DERIVATIVE;
}

#elif FUNCTION == 6 // misfit of requests.c: only reverse
void __enzyme_autodiff_verify(void *f, int mp, double *p, double *dp, int mt,
                              double *t, int mn, int n) {
  for (int i = 0; i < n; ++i) {
    double e = exp(-2 * p[1] * t[i]) / n;
    dp[0] += 2 * p[0] * e;
    dp[1] += spoil(-2 * t[i] * p[0] * p[0] * e, i == n - 1);
  }
}
#endif
