/* How far does a damped spring swing, and how does that depend on its stiffness
 * and damping?
 *
 * The derivative of a time-stepping loop, in C: position after `steps` steps of
 * semi-implicit Euler, differentiated with respect to both parameters in one
 * reverse sweep and checked against central differences. Exit status 0 when
 * both agree. */
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

/* p = {stiffness, damping}; mass 1, released at 1 with no speed. */
static double position(const double *p, int steps, double dt) {
  double x = 1, v = 0;
  for (int i = 0; i < steps; i++) {
    v += dt * (-p[0] * x - p[1] * v * fabs(v));
    x += dt * v;
  }
  return x;
}

int main(void) {
  const int steps = 400;
  const double dt = 0.01;
  double p[2] = {3.0, 0.25};
  double gradient[2] = {0, 0};
  __enzyme_autodiff((void *)position, enzyme_dup, p, gradient, enzyme_const,
                    steps, enzyme_const, dt);

  int wrong = 0;
  for (int i = 0; i < 2; i++) {
    const double h = 1e-5, kept = p[i];
    p[i] = kept + h;
    const double above = position(p, steps, dt);
    p[i] = kept - h;
    const double below = position(p, steps, dt);
    p[i] = kept;
    const double difference = (above - below) / (2 * h);
    const double error = fabs(gradient[i] - difference);
    printf("d position / d %s: %.12f, by differences %.12f\n",
           i ? "damping  " : "stiffness", gradient[i], difference);
    if (!(error <= 1e-8 * fabs(difference)))
      wrong = 1;
  }
  puts(wrong ? "the gradient is WRONG" : "the gradient agrees");
  return wrong;
}
