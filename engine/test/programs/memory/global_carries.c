// A global variable that carries an active value from one function to another,
// which nobody gave a shadow: the engine makes one. f(x) is x * x * x.
#include "../check.h"

double state;
double *where = &state;
struct {
  int n;
  double of[2];
} both;

static NOINLINE void set(double x) { state = x * x; }
static NOINLINE double get(double x) { return state * x; }

static double f(double x) {
  set(x);
  return get(x);
}

/// The same through a pointer that is global too.
static double through(double x) {
  *where = x * x;
  return get(x);
}

/// A field of a global struct, beside one that holds no number.
static double field(double x) {
  both.n = 1;
  both.of[both.n] = x * x;
  both.of[0] = both.of[both.n] * x;
  return both.of[0];
}

/// What is left over from before the call is a constant.
static double left_over(double x) { return state * x + x * x * x - 5 * x; }

int main(void) {
  for (int again = 0; again < 2; ++again) {
    NEAR(__enzyme_autodiff((void *)f, 2.0), 12, 1e-14);
    NEAR(__enzyme_fwddiff((void *)f, 2.0, 1.0), 12, 1e-14);
    NEAR(__enzyme_autodiff((void *)through, 2.0), 12, 1e-14);
    NEAR(__enzyme_fwddiff((void *)through, 2.0, 1.0), 12, 1e-14);
    NEAR(__enzyme_autodiff((void *)field, 2.0), 12, 1e-14);
    NEAR(__enzyme_fwddiff((void *)field, 2.0, 1.0), 12, 1e-14);
    state = 5;
    NEAR(__enzyme_autodiff((void *)left_over, 2.0), 12, 1e-14);
    state = 5;
    NEAR(__enzyme_fwddiff((void *)left_over, 2.0, 1.0), 12, 1e-14);
  }
  return finish();
}
