#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...); // the request
extern int enzyme_dup, enzyme_const; // active, with a shadow; held fixed

// Mean squared distance of the curve a exp(-b t) from n points, p = {a, b}.
static double misfit(const double *p, const double *t, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += pow(p[0] * exp(-p[1] * t[i]) - y[i], 2);
  return sum / n;
}

int main(void) {
  const double t[] = {0, 1, 2, 3}, y[] = {2.0, 1.2, 0.75, 0.45};
  double p[] = {1, 1}, g[] = {0, 0};
  __enzyme_autodiff((void *)misfit, enzyme_dup, p, g, enzyme_const, t,
                    enzyme_const, y, enzyme_const, 4);
  printf("gradient %.4f %.4f\n", g[0], g[1]);
}
