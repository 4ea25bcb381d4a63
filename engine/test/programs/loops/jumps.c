// Control flow without structure: a machine of gotos with several entries into
// its loops, and returns from the middle of a nest.
#include "../check.h"

/// Walks over x by rules that jump into each other.
static double walk(const double *x, int n) {
  int i = 0;
  double s = 1;
  if (x[0] > 0.5)
    goto grow;
shrink:
  if (i >= n)
    goto done;
  s = s * 0.7 + x[i] * x[i];
  ++i;
  if (s > 0.9)
    goto grow;
  goto shrink;
grow:
  if (i >= n)
    goto done;
  s += s * x[i] * 0.5;
  ++i;
  if (s < 1.3)
    goto shrink;
  if (i < n && x[i] < 0)
    goto skip;
  goto grow;
skip:
  ++i;
  s = sin(s);
  goto shrink;
done:
  return s * s;
}

/// The first pair whose product passes a bound ends the search.
static double search(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s += 0.1 * x[i] * x[j] * x[j];
      if (i != j && x[i] * x[j] > 0.8)
        return s * x[i];
      if (s > 2)
        goto out;
    }
out:
  return s - x[0];
}

/// A small machine whose steps are labels in a table. Nobody calls it but the
/// derivatives: there is no other use of the labels in the end.
static double machine(double x, const char *program) {
  static const void *const steps[] = {&&add, &&multiply, &&sine, &&stop};
  double a = x;
next:
  goto *(void *)steps[*program++ - '0'];
add:
  a += x;
  goto next;
multiply:
  a *= x;
  goto next;
sine:
  a = sin(a);
  goto next;
stop:
  return a;
}

static void check_machine(void) {
  const double x = 0.7;
  const char *volatile program = "0123"; // sin(2 x x)
  NEAR(__enzyme_autodiff((void *)machine, x, enzyme_const, program),
       cos(2 * x * x) * 4 * x, 1e-14);
  NEAR(__enzyme_fwddiff((void *)machine, x, 1.0, enzyme_const, program),
       cos(2 * x * x) * 4 * x, 1e-14);
  program = "1213"; // sin(x x) x
  NEAR(__enzyme_autodiff((void *)machine, x, enzyme_const, program),
       cos(x * x) * 2 * x * x + sin(x * x), 1e-14);
}

int main(void) {
  check_machine();
  const double starts[][8] = {{0.4, 0.9, 1.2, -0.7, 1.1, 0.3, -0.2, 0.8},
                              {0.9, -0.3, 0.2, 0.6, -1.1, 0.5, 0.7, 0.1},
                              {-0.6, -0.9, 0.64, 0.6, 0.2, -0.5, 0.3, 0.1}};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  for (int k = 0; k < 3; ++k)
    for (int n = 1; n <= 8; ++n) {
      const double *x = starts[k];
      double g[2][8] = {{0}};
      BOTH_MODES(walk, x, g[0], v, n);
      BOTH_MODES(search, x, g[1], v, n);
    }
  return finish();
}
