// An error estimate is refused where nobody says how much is rounded: the
// result would count as exact.
// RUN: not %retro-clang++ -std=c++20 -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -std=c++20 -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -std=c++20 -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-5: error:
// COUNT-NOT: {{error|warning}}:
#include <math.h>

extern int enzyme_const, enzyme_dup;
template <typename R, typename... A> R __enzyme_error_estimate(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
extern "C" double unseen(int);
extern "C" double cblas_ddot(int, const double *, int, const double *, int);

// Though its argument is exact.
static double calls_unseen(double x) { return x * unseen(3); }
// CHECK: error-estimates.cpp:[[@LINE-1]]:51: error: how much is rounded in 'unseen' is not known, and an error estimate needs it [retro-unknown-error]
static double bessel(double x) { return x * j0(2.0); }
// CHECK: error-estimates.cpp:[[@LINE-1]]:45: error: how much is rounded in 'j0' is not known
static double dot(double *x) { return cblas_ddot(3, x, 1, x, 1); }
// CHECK: error-estimates.cpp:[[@LINE-1]]:39: error: how much is rounded in 'cblas_ddot' is not known

static double own(double x) { return x * x * 3; }
struct Two {
  double value, tangent;
};
static Two own_slope(double x, double dx) { return {x * x * 3, 6 * x * dx}; }
void *__enzyme_register_derivative_own[] = {(void *)own, (void *)own_slope};
static double calls_own(double x) { return x + own(2); }
// CHECK: error-estimates.cpp:[[@LINE-1]]:48: error: how much is rounded in 'own{{.*}}' is not known

static double product(double x) { return x * x; }
double estimated(double x) {
  return __enzyme_error_estimate<double>((void *)product, x, 0.0);
}

double all(double *x, double *e) {
  return __enzyme_error_estimate<double>((void *)calls_unseen, *x, *e) +
         __enzyme_error_estimate<double>((void *)bessel, *x, *e) +
         __enzyme_error_estimate<double>((void *)dot, x, e) +
         __enzyme_error_estimate<double>((void *)calls_own, *x, *e) +
         __enzyme_fwddiff<double>((void *)estimated, *x, *e);
}
// The unit in the last place of a product is a step function of its bits.
// CHECK: error: integer arithmetic on the bits of an active floating-point value
