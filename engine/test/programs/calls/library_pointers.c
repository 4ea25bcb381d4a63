// Functions of the C library that are called by their address: from tables, and
// chosen when the program runs.
#include "../check.h"

static double square(double v) { return v * v; }
typedef double (*unary)(double);
typedef double (*binary)(double, double);
static const unary unaries[] = {square, sin, exp, sqrt, fabs};
static const binary binaries[] = {pow, atan2, hypot};

static NOINLINE unary choose(int k) { return unaries[k % 5]; }

static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (i + 1) * choose(i)(x[i]);
  for (int i = 0; i < 3; i++)
    s += binaries[i](x[i], x[i + 1]);
  return s;
}

/// Of a struct, as filters and activations are.
struct layer {
  unary activate;
  double weight;
};
static double network(const struct layer *l, double x, int n) {
  for (int i = 0; i < n; i++)
    x = l[i].activate(l[i].weight * x);
  return x;
}

int main(void) {
  double x[5] = {0.75, 1.5, 0.5, 2.25, -1.25}, d[5] = {0};
  double want[5] = {2 * x[0], 2 * cos(x[1]), 3 * exp(x[2]),
                    4 * 0.5 / sqrt(x[3]), -5};
  want[0] += x[1] * pow(x[0], x[1] - 1);
  want[1] += log(x[0]) * pow(x[0], x[1]);
  double r = x[1] * x[1] + x[2] * x[2], h = hypot(x[2], x[3]);
  want[1] += x[2] / r;
  want[2] += -x[1] / r + x[2] / h;
  want[3] += x[3] / h;
  __enzyme_autodiff((void *)sum, enzyme_dup, x, d, enzyme_const, 5);
  double t[5] = {1, -2, 0.5, 3, 0.25}, along = 0;
  for (int i = 0; i < 5; i++) {
    NEAR(d[i], want[i], 1e-13);
    along += t[i] * want[i];
  }
  NEAR(__enzyme_fwddiff((void *)sum, enzyme_dup, x, t, enzyme_const, 5), along,
       1e-13);

  struct layer layers[3] = {{tanh, 0.5}, {square, 2}, {sin, 1.5}},
               dl[3] = {{tanh, 0}, {square, 0}, {sin, 0}};
  double in = 0.8;
  double a = tanh(0.5 * in), b = 4 * a * a, slope = 1.5 * cos(1.5 * b);
  double dx = __enzyme_autodiff((void *)network, enzyme_dup, layers, dl,
                                enzyme_out, in, enzyme_const, 3);
  NEAR(dx, slope * 8 * a * (1 - a * a) * 0.5, 1e-13);
  NEAR(dl[0].weight, slope * 8 * a * (1 - a * a) * in, 1e-13);
  NEAR(dl[1].weight, slope * 2 * 2 * a * a, 1e-13);
  NEAR(dl[2].weight, b * cos(1.5 * b), 1e-13);
  return finish();
}
