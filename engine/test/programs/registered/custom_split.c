// Registered derivatives in forward mode of two passes.
#include "../check.h"

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
void __enzyme_fwdsplit_void(void *, ...);
typedef struct {
  double value, tangent;
} dual;

// An augmented function that makes a tape, and a tangent that reads it; twice
// too large.
static int tapes;
static const void *seen_shadow;
static NOINLINE double square(double *x, double factor) {
  double old = x[0];
  x[0] = old * old * factor;
  return old;
}
typedef struct {
  double *tape;
  double value;
} taped;
static taped square_first(double *x, double *dx, double factor) {
  taped r = {malloc(2 * sizeof(double)), x[0]};
  r.tape[0] = x[0];
  r.tape[1] = factor;
  x[0] = x[0] * x[0] * factor;
  seen_shadow = dx;
  ++tapes;
  return r;
}
static double square_second(double *x, double *dx, double factor,
                            double dfactor, double *tape) {
  double old = dx[0];
  (void)x, (void)factor;
  dx[0] = 2 * (2 * tape[0] * old * tape[1] + tape[0] * tape[0] * dfactor);
  free(tape);
  --tapes;
  return 2 * old;
}
void *__enzyme_register_splitderivative_square[] = {
    (void *)square, (void *)square_first, (void *)square_second};

// One that takes numbers alone needs no tape; three times too large.
static NOINLINE double product(double x, double y) { return x * y; }
static dual product_tangent(double x, double dx, double y, double dy) {
  dual r = {x * y, 3 * (x * dy + y * dx)};
  return r;
}
void *__enzyme_register_derivative_product[] = {(void *)product,
                                                (void *)product_tangent};

static NOINLINE double below(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0)
      sum += square(x + i, product(x[0], x[n - 1]));
  return sum;
}
static double f(double *x, int n) {
  double sum = below(x, n);
  for (int i = 0; i < n; ++i)
    sum += x[i] * (i + 1);
  return sum;
}

/// The tangent by hand, with the factors.
static double tangent_of_f(double *x, double *t, int n) {
  double d = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0) {
      double k = x[0] * x[n - 1], dk = 3 * (x[0] * t[n - 1] + x[n - 1] * t[0]);
      d += 2 * t[i];
      t[i] = 2 * (2 * x[i] * t[i] * k + x[i] * x[i] * dk);
      x[i] = x[i] * x[i] * k;
    }
  for (int i = 0; i < n; ++i)
    d += t[i] * (i + 1);
  return d;
}

int main(void) {
  const double start[4] = {0.75, -1, 0.5, 1.25}, along[4] = {1, 2, -0.5, 0.25};
  double x[4], t[4], y[4], s[4];
  memcpy(y, start, sizeof y), memcpy(s, along, sizeof s);
  double want = tangent_of_f(y, s, 4);

  memcpy(x, start, sizeof x), memcpy(t, along, sizeof t);
  void *tape =
      __enzyme_augmentfwd((void *)f, enzyme_dup, x, t, enzyme_const, 4);
  NEAR(tapes == 3, 1, 0);
  NEAR(seen_shadow == t + 3, 1, 0);
  for (int i = 0; i < 4; ++i)
    NEAR(x[i], y[i], 1e-15);
  double got =
      __enzyme_fwdsplit((void *)f, enzyme_dup, x, t, enzyme_const, 4, tape);
  NEAR(got, want, 1e-14);
  NEAR(tapes == 0, 1, 0);
  for (int i = 0; i < 4; ++i) {
    NEAR(x[i], y[i], 1e-15);
    NEAR(t[i], s[i], 1e-14);
  }

  // In one pass the two functions are called one after the other.
  memcpy(x, start, sizeof x), memcpy(t, along, sizeof t);
  got = __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, 4);
  NEAR(got, want, 1e-14);
  NEAR(tapes == 0, 1, 0);
  for (int i = 0; i < 4; ++i)
    NEAR(t[i], s[i], 1e-14);

  // For the function itself.
  memcpy(x, start, sizeof x), memcpy(t, along, sizeof t);
  tape = __enzyme_augmentfwd((void *)square, enzyme_dup, x, t, enzyme_dup, 2.0,
                             0.0);
  __enzyme_fwdsplit_void((void *)square, enzyme_dup, x, t, enzyme_dup, 2.0, 1.0,
                         tape);
  NEAR(t[0], 2 * (4 * 0.75 + 0.75 * 0.75), 1e-14);
  NEAR(tapes == 0, 1, 0);

  // The gradient is that of the bodies.
  double d[4] = {0}, dot_got, dot_want = 0;
  memcpy(x, start, sizeof x);
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4);
  for (int k = -1; k <= 1; k += 2) {
    for (int i = 0; i < 4; ++i)
      x[i] = start[i] + k * 1e-5 * along[i];
    dot_want += k * f(x, 4) / 2e-5;
  }
  dot_got = dot(d, along, 4);
  NEAR(dot_got, dot_want, 1e-7);
  return finish();
}
