// Functions of a program that makes requests of its own: it is verified as it
// stands, with its main, its markers and a library that is not there.
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff_along(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_dupnoneed, enzyme_out;
void draw(const double *); // of a library that no check is linked with

static double misfit(const double *p, const double *t, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += pow(p[0] * exp(-p[1] * t[i]), 2);
  return sum / n;
}

static void step(const double *x, double *y) { *y = sin(x[0]) * x[1]; }

double slope(double x, double v);
static double cubic(double x) { return x * x * x + x; }

// Calls a derivative itself: its value is 3 x^2 + 1, times v.
double slope(double x, double v) {
  return __enzyme_fwddiff_along((void *)cubic, enzyme_dup, x, v);
}

int main(void) {
  double p[] = {1, 1}, g[] = {0, 0}, t[] = {0, 1}, y, dy = 1;
  __enzyme_autodiff((void *)misfit, enzyme_dup, p, g, enzyme_const, t,
                    enzyme_const, 2);
  __enzyme_autodiff((void *)step, enzyme_dup, p, g, enzyme_dupnoneed, &y, &dy);
  draw(g);
  printf("%g %g\n", g[0], g[1]);
}
