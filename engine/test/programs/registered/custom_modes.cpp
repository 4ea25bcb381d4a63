// Registered derivatives in every mode, and derivatives of such derivatives.
#include "../typed.h"

MARKERS(enzyme_width, enzyme_primal_return, enzyme_tape,
        enzyme_runtime_activity);

struct Two {
  double a, b;
};
struct Taped {
  void *tape;
  double value;
};

// x^3 with derivatives ten times too large: with a tape, and without.
static int live;
static NOINLINE double cube(double x) { return x * x * x; }
static Taped cube_forward(double x) {
  ++live;
  return {new double(x), x * x * x};
}
static double cube_reverse(double, double seed, void *tape) {
  double x = *static_cast<double *>(tape);
  delete static_cast<double *>(tape);
  --live;
  return 30 * x * x * seed;
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_forward,
                                           (void *)cube_reverse};
static Two cube_tangent(double x, double dx) {
  return {x * x * x, 30 * x * x * dx};
}
void *__enzyme_register_derivative_cube[] = {(void *)cube,
                                             (void *)cube_tangent};

static NOINLINE double product(double x, double y) { return x * y; }
static Two product_reverse(double x, double y, double seed) {
  return {10 * y * seed, 10 * x * seed};
}
void *__enzyme_register_gradient_product[] = {(void *)product, nullptr,
                                              (void *)product_reverse};
static Two product_tangent(double x, double dx, double y, double dy) {
  return {x * y, 10 * (x * dy + y * dx)};
}
void *__enzyme_register_derivative_product[] = {(void *)product,
                                                (void *)product_tangent};

// In place, with a result.
static NOINLINE double scale(double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    x[i] *= k;
  }
  return sum;
}
static Taped scale_forward(double *x, double *, int n, int, double k) {
  double *old = static_cast<double *>(malloc(sizeof(double) * n));
  memcpy(old, x, sizeof(double) * n);
  return {old, scale(x, n, k)};
}
static double scale_reverse(double *x, double *dx, int n, int, double k,
                            double seed, void *tape) {
  double *old = static_cast<double *>(tape), dk = 0;
  for (int i = 0; i < n && dx != x; ++i) {
    dk += old[i] * dx[i];
    dx[i] = 10 * (k * dx[i] + seed);
  }
  free(old);
  return 10 * dk;
}
void *__enzyme_register_gradient_scale[] = {
    (void *)scale, (void *)scale_forward, (void *)scale_reverse};

static double f(double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += scale(x, n, k) * (i + 1);
  for (int i = 0; i < n; ++i)
    sum += cube(x[i]);
  return sum;
}
static double numbers(double x, double y) {
  double s = x;
  for (int i = 0; i < 3; ++i)
    s = product(s, y) + x;
  return s;
}

/// The adjoints of f, for a seed of g.
static double adjoint_of_f(const double *in, int n, double k, double g,
                           double *d) {
  double x[2][4], dk = 0;
  for (int i = 0; i < n; ++i) {
    x[0][i] = in[i];
    x[1][i] = in[i] * k;
    d[i] = 30 * pow(in[i] * k * k, 2) * g;
  }
  for (int r = 1; r >= 0; --r)
    for (int i = 0; i < n; ++i) {
      dk += 10 * x[r][i] * d[i];
      d[i] = 10 * (k * d[i] + g * (r + 1));
    }
  return dk;
}

static Two slopes(double x, double y) {
  return __enzyme_autodiff<Two>((void *)numbers, x, y);
}
static double slope_of_cube(double x) {
  return __enzyme_fwddiff<double>((void *)cube, x, 1.0);
}
static double slope_of_numbers(double x, double y) { return slopes(x, y).b; }

int main() {
  const double start[3] = {0.5, -1.25, 0.75};
  double x[3], d[3] = {}, want[3], k = 1.5;
  double dk = adjoint_of_f(start, 3, k, 1, want);

  memcpy(x, start, sizeof x);
  Two r = __enzyme_autodiff<Two>((void *)f, enzyme_primal_return, enzyme_dup, x,
                                 d, enzyme_const, 3, k);
  double y[3], value;
  memcpy(y, start, sizeof y);
  value = f(y, 3, k);
  NEAR(r.a, value, 1e-14);
  NEAR(r.b, dk, 1e-13);
  for (int i = 0; i < 3; ++i)
    NEAR(d[i], want[i], 1e-13);

  // In two passes, the second with a seed of its own.
  memcpy(x, start, sizeof x);
  memset(d, 0, sizeof d);
  dk = adjoint_of_f(start, 3, k, -2, want);
  Taped first = __enzyme_augmentfwd<Taped>((void *)f, enzyme_dup, x, d,
                                           enzyme_const, 3, k);
  NEAR(first.value, value, 1e-14);
  NEAR(live, 3, 0);
  double got = __enzyme_reverse<double>((void *)f, enzyme_dup, x, d,
                                        enzyme_const, 3, k, -2.0, first.tape);
  NEAR(live, 0, 0);
  NEAR(got, dk, 1e-13);
  for (int i = 0; i < 3; ++i)
    NEAR(d[i], want[i], 1e-13);

  // Of which the array is constant, as the running program knows.
  memcpy(x, start, sizeof x);
  __enzyme_autodiff<void>((void *)f, enzyme_runtime_activity, enzyme_dup, x, x,
                          enzyme_const, 3, enzyme_const, k);
  for (int i = 0; i < 3; ++i)
    NEAR(x[i], start[i] * k * k, 1e-14);

  // Several directions at once.
  double a = 0.75, b = -1.25;
  Two g = slopes(a, b);
  NEAR(g.a, 1 + 10 * b * (1 + 10 * b * (1 + 10 * b)), 1e-13);
  Two t = __enzyme_fwddiff<Two>((void *)numbers, enzyme_width, 2, enzyme_dup, a,
                                1.0, 0.0, enzyme_dup, b, 0.0, 1.0);
  NEAR(t.a, g.a, 1e-14);
  NEAR(t.b, g.b, 1e-14);

  // Second derivatives: through what is registered for the inner one, then
  // through the code of that.
  NEAR(__enzyme_fwddiff<double>((void *)slope_of_cube, a, 1.0), 60 * a, 1e-14);
  NEAR(__enzyme_autodiff<double>((void *)slope_of_cube, a), 60 * a, 1e-14);
  // Products of the inner forward pass have the registered tangent; that of the
  // registered reverse function follows from its code.
  double value_at[3], tangent_at[3], s = a, ds = 0;
  for (int i = 0; i < 3; ++i) {
    value_at[i] = s;
    tangent_at[i] = ds;
    ds = 10 * (b * ds + s);
    s = s * b + a;
  }
  double seed = 1, dseed = 0, second = 0;
  for (int i = 2; i >= 0; --i) {
    second += 10 * (tangent_at[i] * seed + value_at[i] * dseed);
    dseed = 10 * (seed + b * dseed);
    seed *= 10 * b;
  }
  NEAR(__enzyme_fwddiff<double>((void *)slope_of_numbers, enzyme_const, a, b,
                                1.0),
       second, 1e-13);
  return finish();
}
