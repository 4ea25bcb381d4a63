// Functions with '...' that the program defines, and that pass their lists on:
// to functions that read numbers, by way of a copy, and to those that print
// messages of active numbers; and that read by themselves what is no active
// number: integers, literals and text.
#include "../check.h"
#include <stdarg.h>

/// A list that is read twice, by way of a copy, in another function.
struct point {
  double x, y;
  int weight;
  const char *name;
};
static NOINLINE double read(int n, va_list list) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    struct point p = va_arg(list, struct point);
    s += p.weight * p.x * p.y;
  }
  return s;
}
static NOINLINE double twice(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  double first = read(n, list), second = read(n - 1, again);
  va_end(again);
  va_end(list);
  return first * first + second;
}
static double points(const double *x, int n) {
  struct point a = {x[0], x[1] * x[2], 2, "a"},
               b = {x[2] * x[n % 2], x[3], 3, 0};
  return twice(2, a, b) + twice(1, b);
}

/// Messages in the C libraries' manner: nothing of them comes back.
static char last[200];
static int messages;
typedef void (*handler)(int level, const char *format, va_list list);
static void keep(int level, const char *format, va_list list) {
  int n = snprintf(last, sizeof last, "[%d] ", level);
  vsnprintf(last + n, sizeof last - (size_t)n, format, list);
  ++messages;
}
static handler current = keep;
static void say(int level, const char *format, ...) {
  va_list list;
  if (!current)
    return;
  va_start(list, format);
  current(level, format, list);
  va_end(list);
}
static double told(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    if (s > 2)
      say(i, "at %d: %g (%s)", i, s * x[0], "more than two");
  }
  return s * x[0];
}

/// A product of elements that are named behind it, each with a literal power.
static NOINLINE double product(const double *x, double *sum, int n, ...) {
  va_list list;
  va_start(list, n);
  double p = 1;
  for (int i = 0; i < n; ++i) {
    const int at = va_arg(list, int);
    const double power = va_arg(list, double);
    const char *sign = va_arg(list, const char *);
    p *= pow(fabs(x[at]), power) * (*sign == '-' ? -1 : 1);
    *sum += x[at] * p;
  }
  va_end(list);
  return p;
}
static double products(const double *x, int n) {
  double sum = x[1];
  for (int i = 0; i < n; ++i)
    sum *= product(x, &sum, 2, i, 2.0, "-", (i + 1) % n, 3.0, "+");
  return sum * product(x, &sum, 1, n - 1, 2.0, "+");
}

int main(void) {
  const double x[4] = {1.3, 0.8, -0.7, 1.1};
#define CHECK(F)                                                               \
  {                                                                            \
    double g[4] = {0};                                                         \
    __enzyme_autodiff((void *)F, enzyme_dup, x, g, enzyme_const, 4);           \
    for (int i = 0; i < 4; ++i) {                                              \
      double v[4] = {0};                                                       \
      v[i] = 1;                                                                \
      const double want = slope(F, x, v, 4);                                   \
      NEAR(g[i], want, 1e-7);                                                  \
      NEAR(__enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, 4),     \
           want, 1e-7);                                                        \
    }                                                                          \
  }
  CHECK(points)
  CHECK(told)
  CHECK(products)
  messages = 0;
  told(x, 4);
  const int want = messages;
  double g[4] = {0};
  messages = 0;
  __enzyme_autodiff((void *)told, enzyme_dup, x, g, enzyme_const, 4);
  NEAR(messages, want, 0); // each message once
  return finish();
}
