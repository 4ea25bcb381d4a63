// A number and a pointer in the lanes of a vector that is a variable of the
// program's.
#include "../check.h"

typedef double v2d __attribute__((vector_size(16)));
struct leaf {
  double s;
  double *p;
};

static double chosen(double *x, double *y, double a) {
  double *q = a <= x[0] ? x : y;
  struct leaf l = {a * x[0], q}, m = {a * x[1], q};
  v2d v, w;
  memcpy(&v, &l, 16);
  memcpy(&w, &m, 16);
  v = (v2d){w[0], v[1]};
  memcpy(&l, &v, 16);
  double s = 0;
  for (int i = 0; i < 2; i++)
    s += l.s * l.p[i];
  return s;
}

static int by_number(const void *a, const void *b) {
  double x = ((const struct leaf *)a)->s, y = ((const struct leaf *)b)->s;
  return (x > y) - (x < y);
}

// What is inlined here changes the blocks before the variable is looked at.
static double sorted(double *x, double *y) {
  struct leaf l[2];
  for (int i = 0; i < 2; i++) {
    l[i].s = i ? *y : *x;
    l[i].p = i ? y : x;
  }
  qsort(l, 2, sizeof *l, by_number);
  v2d v;
  memcpy(&v, &l[1], 16);
  memcpy(&l[0], &v, 16);
  double s = 0;
  for (int i = 0; i < 2; i++)
    s += l[0].s * l[0].p[i];
  return s;
}

static void larger_of_two(int first) {
  double x[2] = {first ? 6 : 0.5, 2}, y[2] = {5, 7}, dx[2] = {0}, dy[2] = {0};
  double *q = first ? x : y; // q0 (q0 + q1)
  __enzyme_autodiff((void *)sorted, enzyme_dup, x, dx, enzyme_dup, y, dy);
  NEAR(dx[0], first ? 2 * q[0] + q[1] : 0, 1e-12);
  NEAR(dx[1], first ? q[0] : 0, 1e-12);
  NEAR(dy[0], first ? 0 : 2 * q[0] + q[1], 1e-12);
  NEAR(dy[1], first ? 0 : q[0], 1e-12);
}

int main(void) {
  larger_of_two(0);
  larger_of_two(1);
  for (int first = 0; first < 2; first++) {
    double x[2] = {first ? 3 : 0.5, 2}, y[2] = {5, 7}, dx[2] = {0}, dy[2] = {0};
    double a = 1.5, *q = first ? x : y, sum = q[0] + q[1];
    double da = __enzyme_autodiff((void *)chosen, enzyme_dup, x, dx, enzyme_dup,
                                  y, dy, enzyme_out, a);
    double own = a * x[1]; // a x1 (q0 + q1)
    NEAR(da, x[1] * sum, 1e-12);
    NEAR(dx[0], first ? own : 0, 1e-12);
    NEAR(dx[1], a * sum + (first ? own : 0), 1e-12);
    NEAR(dy[0], first ? 0 : own, 1e-12);
    NEAR(dy[1], first ? 0 : own, 1e-12);
    double t[2] = {1, -1}, u[2] = {2, 0.5};
    NEAR(__enzyme_fwddiff((void *)chosen, enzyme_dup, x, t, enzyme_dup, y, u,
                          enzyme_dup, a, 0.25),
         0.25 * da + dx[0] - dx[1] + 2 * dy[0] + 0.5 * dy[1], 1e-12);
  }
  return finish();
}
