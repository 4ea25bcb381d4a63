// Functions whose roundings are known, for the tests of `retro rounding`. The
// type of each variable is a macro, so that a test can make one of them float.
#include <math.h>

#ifndef T_c
#define T_c double
#endif
#ifndef T_d
#define T_d double
#endif
#ifndef T_s
#define T_s double
#endif
#ifndef T_t
#define T_t double
#endif
#ifndef T_h
#define T_h double
#endif
#ifndef T_buffer
#define T_buffer double
#endif

/* The difference leaves few digits of the cosine, and none is lost later. */
double cancels(double x) {
  T_c c = cos(x);
  T_d d = 1 - c;
  return d / (x * x);
}

/* A constant that float does not have, a number beside an array, a local
   array, a variable that is only copied. */
double mixed(const double *x, int n, double h) {
  T_buffer buffer[3] = {0, 0, 0};
  T_h step = 0.1;
  T_s s = 0;
  for (int i = 0; i < n; ++i) {
    T_t t = x[i];
    buffer[i % 3] += t * step + h;
    s += buffer[(i + 1) % 3] * t;
  }
  return s + 1000.0;
}

static double square(double z) {
  double y = z * z;
  return y;
}
/* Outputs in memory, a function with a variable of its own. */
void spread(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = square(x[i]) - square(x[(i + 1) % n]);
}

/* More than float can hold. */
double large(double x) {
  double huge = x * 1e200;
  return huge / 1e199;
}

/* A variable that only another function adds to. */
static void add(double *to, double what) { *to += what * what; }
double added(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    add(&sum, x[i]);
  return sum;
}
