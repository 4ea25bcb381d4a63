// Functions of which one version is chosen, for the processor, when the program
// is loaded.
#include "../check.h"

__attribute__((target_clones("default", "sse4.2", "avx2"))) double
weighted(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * (i + 1);
  return s;
}

/// It calls one that was chosen.
__attribute__((target_clones("default", "avx"))) void scaled(const double *x,
                                                             double *y, int n) {
  const double w = weighted(x, n);
  for (int i = 0; i < n; ++i)
    y[i] = w * x[i];
}

static double clones(const double *x, int n) {
  double y[6];
  scaled(x, y, n);
  return weighted(y, n) * x[1];
}

extern "C" {
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
double (*choose(void))(double) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse2") ? cube : square;
}
double chosen(double) __attribute__((ifunc("choose")));
}

static double by_hand(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += chosen(x[i]) * x[0];
  return s;
}

int main() {
  check_modes<clones>();
  check_modes<by_hand>();
  return finish();
}
