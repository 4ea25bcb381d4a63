// Functions of the shapes that people have, for the tests of python/retro.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>

// One array and its size.
double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; ++i)
    s += 100 * pow(x[i + 1] - x[i] * x[i], 2) + pow(1 - x[i], 2);
  return s;
}

// Numbers alone.
double product(double a, double b) { return a * a * b; }

// Two sizes, which the order of the parameters does not tell apart.
double loss(const double *w, const double *X, int n, int d) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < d; ++j)
      s += X[i * d + j] * w[j];
  return s;
}

// An output, with an integer of the caller's.
void powers(const double *x, double *y, int n, int k) {
  for (int i = 0; i < n; ++i)
    y[i] = pow(x[i], k);
}

// Shapes in the declaration.
void matvec(int m, int n, const double a[m][n], const double x[n],
            double y[m]) {
  for (int i = 0; i < m; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += a[i][j] * x[j];
  }
}

// In place, with a number beside it; static.
static void relax(double *u, int n, double rate) {
  for (int i = 1; i + 1 < n; ++i)
    u[i] += rate * (u[i - 1] - 2 * u[i] + u[i + 1]) + u[i] * u[i];
}

// Writes to its argument, as scratch memory, and returns a number.
double destructive(double *x, size_t n) {
  double s = 0;
  for (size_t i = 0; i < n; ++i) {
    x[i] *= x[i];
    s += x[i] * x[i];
  }
  return s;
}

// Floats, integers in an array, a workspace, two outputs, one a number.
void pick(const float *x, const int *at, unsigned count, float *work,
          float *sum, float *largest) {
  *sum = 0;
  *largest = x[at[0]];
  for (unsigned i = 0; i < count; ++i) {
    work[i] = x[at[i]] * x[at[i]];
    *sum += work[i];
    if (x[at[i]] > *largest)
      *largest = x[at[i]];
  }
}

// A parameter with a size of its own.
void stencil(const double *x, long n, double *y, long m) {
  for (long i = 0; i < m; ++i)
    y[i] = x[i % n] * x[(i + 1) % n];
}

// What is registered serves one direction at a time.
__attribute__((noinline)) static double twice(const double *x) {
  return x[0] * x[1];
}
typedef struct {
  double value, tangent;
} pair;
static pair twice_tangent(const double *x, const double *dx) {
  pair r = {x[0] * x[1], 10 * (x[0] * dx[1] + x[1] * dx[0])};
  return r;
}
__attribute__((used)) static void *__enzyme_register_derivative_twice[] = {
    (void *)twice, (void *)twice_tangent};
double registered(const double x[2]) { return twice(x); }

// Not to be called from here.
struct point {
  double x, y;
};
double of_struct(const struct point *p) { return p->x * p->y; }
int status(double x) { return x > 0; }
double declared(double x);
double unnamed(const double *, int n) { return n; }
void in_place_only(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}
static __attribute__((noinline)) double first(int n, ...) {
  va_list list;
  va_start(list, n);
  double r = va_arg(list, double);
  va_end(list);
  return r;
}
double unsupported(double x) { return 3 * first(1, x); }
