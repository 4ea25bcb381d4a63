// A nonlinear spring: x + k x^3 = load, solved by Newton's method. The
// derivative of the solution needs no loop: it follows from the equation.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
typedef struct {
  double k, load;
} gradient;
gradient __enzyme_autodiff_pair(void *, ...);

static double position(double k, double load) {
  double x = load;
  for (int i = 0; i < 50; ++i)
    x -= (x + k * x * x * x - load) / (1 + 3 * k * x * x);
  return x;
}

// Reverse mode: the forward pass calls the first function instead of position,
// and keeps its tape, here the solution itself; the reverse pass calls the
// second, which returns the adjoints of k and load.
typedef struct {
  double tape, value;
} augmented;
static augmented position_forward(double k, double load) {
  double x = position(k, load);
  augmented r = {x, x};
  return r;
}
static gradient position_reverse(double k, double load, double seed, double x) {
  double slope = 1 / (1 + 3 * k * x * x);
  gradient g = {-x * x * x * slope * seed, slope * seed};
  (void)load;
  return g;
}
void *__enzyme_register_gradient_position[] = {
    (void *)position, (void *)position_forward, (void *)position_reverse};

// Forward mode: value and tangent together.
typedef struct {
  double value, tangent;
} dual;
static dual position_tangent(double k, double dk, double load, double dload) {
  double x = position(k, load), slope = 1 / (1 + 3 * k * x * x);
  dual r = {x, slope * (dload - x * x * x * dk)};
  return r;
}
void *__enzyme_register_derivative_position[] = {(void *)position,
                                                 (void *)position_tangent};

static double energy(double k, double load) {
  double sum = 0;
  for (int i = 1; i <= 10; ++i) {
    double x = position(k, load * i);
    sum += 0.5 * x * x + 0.25 * k * x * x * x * x;
  }
  return sum;
}

int main(void) {
  double k = 0.5, load = 2, h = 1e-5;
  gradient g = __enzyme_autodiff_pair((void *)energy, k, load);
  double along = __enzyme_fwddiff((void *)energy, k, 1.0, load, 0.0);
  double dk = (energy(k + h, load) - energy(k - h, load)) / (2 * h);
  double dload = (energy(k, load + h) - energy(k, load - h)) / (2 * h);
  printf("gradient     %.6f %.6f\n", g.k, g.load);
  printf("differences  %.6f %.6f\n", dk, dload);
  printf("tangent      %.6f\n", along);
  return fabs(g.k - dk) > 1e-6 || fabs(g.load - dload) > 1e-6 ||
         fabs(along - g.k) > 1e-10;
}
