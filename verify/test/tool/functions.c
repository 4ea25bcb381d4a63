// Functions that the tool is tested on.
#include <math.h>

typedef double real;

/* Scalars only. */
double product(double a, double b) { return sin(a) * b + a * b * b; }

/* An array that is read. */
real energy(const real *x, int n) {
  real s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * (i + 1) + (i ? cos(x[i] * x[i - 1]) : 0);
  return s;
}

/* In place, no result. */
void relax(double *u, int n, int sweeps) {
  for (int s = 0; s < sweeps; ++s)
    for (int i = 1; i < n - 1; ++i)
      u[i] = 0.3 * u[i - 1] + 0.3 * u[i] * u[i] + 0.4 * u[i + 1];
}

/* Everything at once: a scalar, an inactive array, indices, rows, an output. */
static double mixed(double scale, const double *weight, const int *index, int n,
                    double (*row)[2], double *out) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double t = row[i][0] * exp(0.3 * row[index[i]][1]);
    out[i] = scale * t * weight[i];
    s += t * t;
  }
  return scale * s;
}

float single(float a, const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += sinf(a * x[i]) * x[i];
  return s;
}

/* Not differentiable where the points are. */
double kink(double a) { return fabs(a - 1); }

double constant(double a) { return 3 + 0 * a; }

static double (*keep)(double, const double *, const int *, int, double (*)[2],
                      double *) = mixed;
int main(void) { return keep == 0; }
