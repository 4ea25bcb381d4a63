// Numbers that are read of texts into places of active ones: these are
// constants from there on, where as many were read.
#include "../check.h"

/// A text with integers, words, numbers that are skipped, and its end in front
/// of the last number; every precision.
static double read(const double *x, const char *text, int n) {
  double p[4] = {x[0], x[1], x[2], x[3]};
  float f[2] = {(float)x[2], (float)x[3]};
  int count = 0, at = 0;
  char word[8];
  int got = sscanf(text, "%d%% %3s %lf%n %*lf %4lf [%7[^]]] %f %le %g", &count,
                   word, &p[1], &at, &p[2], word, &f[0], &p[3], &f[1]);
  double s = p[0] * p[1] + p[1] * p[2] * x[0] + p[3] * p[3] * x[1];
  return s + f[0] * x[3] + f[1] * f[1] + count * p[2] + got * n + at * x[2];
}
/// Again and again into one place, which is active in between.
static double lines(const double *x, const char *text, int n) {
  double s = 0, y = x[0];
  for (int i = 0; i < n; ++i) {
    s += y * x[i];
    y *= x[1];
    if (sscanf(text + 4 * i, "%lf", &y) == 1)
      s += y * y * x[3];
  }
  return s + y;
}
static double stream(const double *x, const char *text, int n) {
  FILE *in = fmemopen((void *)text, strlen(text), "r");
  double p[2] = {x[0], x[1]};
  int got = fscanf(in, "%lf %lf", &p[0], &p[1]);
  fclose(in);
  return got * p[0] * p[1] * x[2] + n;
}

static void check(double (*f)(const double *, const char *, int),
                  const char *text, int n) {
  double x[4] = {0.7, 1.3, 2.2, -0.4}, g[4] = {0};
  const double v[4] = {0.3, -0.8, 0.5, 0.2};
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, text,
                         enzyme_const, n);
  for (int i = 0; i < 4; ++i) {
    const double h = 1e-3, old = x[i];
    x[i] = old + h;
    const double up = f(x, text, n);
    x[i] = old - h;
    NEAR(g[i], (up - f(x, text, n)) / (2 * h), 2e-3);
    x[i] = old;
  }
  NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, text,
                        enzyme_const, n),
       dot(g, v, 4), 1e-6);
}

int main(void) {
  check(read, "3% abc 2.5 9.75 1.25 [q] 0.5 8 7", 2);
  check(read, "3% abc 2.5 9.75 1.25 [q] 0.5", 2);
  check(read, "3% abc 2.5 9.75 1.25", 1);
  check(read, "3% abc", 1);
  check(read, "none", 1);
  check(read, "", 1);
  check(lines, "1.5 2.5 no  0.5 ", 4);
  check(stream, "4 5", 1);
  check(stream, "4 x", 1);
  check(stream, "x", 1);
  return finish();
}
