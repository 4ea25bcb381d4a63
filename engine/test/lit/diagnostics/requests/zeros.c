// Derivatives that are zero, though that is hardly what was meant: warnings.
// RUN: %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -Werror -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %retro-clang -O2 -g -w -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING --allow-empty
// ERROR: error: {{.*}}[retro-zero-derivative]
// NOTHING-NOT: warning:
#include "request.h"
static void prints(const double *x, double *y) { printf("%g\n", x[0] * x[0]); y[0] = 1; }
void first(double *x, double *dx, double *y, double *dy) {
  // CHECK: zeros.c:[[@LINE+1]]:3: warning: {{.*}}'prints' returns nothing, and stores nothing that depends on its active arguments where its caller has a shadow: its derivative is zero everywhere [retro-zero-derivative]
  __enzyme_autodiff_void((void *)prints, x, dx, y, dy);
}
static double through(double x) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", x * x);
  // CHECK: zeros.c:[[@LINE+1]]:10: warning: {{.*}}an active number was written as text, or to a file or stream, and the derivative of the number that is read here is zero [retro-number-read-back]
  return atof(text) * x;
}
double second(double x) { return __enzyme_autodiff((void *)through, x); }
static double scanned(double x) {
  char text[64];
  double y = 0;
  sprintf(text, "%a", x);
  // CHECK: zeros.c:[[@LINE+1]]:14: warning: {{.*}}[retro-number-read-back]
  double z = strtod(text, NULL);
  // CHECK: zeros.c:[[@LINE+1]]:3: warning: {{.*}}[retro-number-read-back]
  sscanf(text, "%lf", &y);
  return y * z * x;
}
double third(double x) { return __enzyme_fwddiff((void *)scanned, x, 1.0); }
// CHECK-NOT: warning:
static double logged(double x, const char *config) {
  char text[64];
  snprintf(text, sizeof text, "%g", x);
  puts(text);
  return x * atof(config);
}
double fourth(double x, const char *c) { return __enzyme_autodiff((void *)logged, x, enzyme_const, c); }
static void writes(const double *x, double *y) { y[0] = x[0] * x[0]; }
static void copies(const double *x, double *y) { memcpy(y, x, 32); }
static void inner(double *y, double v) { y[0] = v; }
static void calls(const double *x, double *y) { inner(y, x[1]); }
static void points(double **p, double *x) { *p = x; }
void fifth(double *x, double *dx, double *y, double *dy, double **p, double **dp) {
  __enzyme_autodiff_void((void *)writes, x, dx, y, dy);
  __enzyme_autodiff_void((void *)copies, x, dx, y, dy);
  __enzyme_autodiff_void((void *)calls, x, dx, y, dy);
  __enzyme_autodiff_void((void *)points, p, dp, x, dx);
}
