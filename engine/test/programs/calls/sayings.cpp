// Calls that say something of values and memory: what bytes hold, that a value
// is held fixed, how long a series is in each order.
#include "../check.h"

extern "C" {
void __enzyme_double(void *, unsigned long);
void __enzyme_float(void *, unsigned long);
void __enzyme_integer(void *, unsigned long);
void __enzyme_pointer(void *, unsigned long);
double __enzyme_ignore_derivatives(double);
unsigned long long __enzyme_iter(unsigned long long, unsigned long long);
}
float __enzyme_ignore_derivatives(float);
struct Pair {
  double x, y;
};
struct Three {
  double x, y, z;
};
Pair __enzyme_ignore_derivatives_pair(Pair);
Three __enzyme_ignore_derivatives_three(Three);
int __enzyme_iter_int(int, int);

// Bytes that nothing else speaks of are copied.
static void copied(void *to, void *from) {
  __enzyme_double(from, 16);
  __enzyme_integer(static_cast<char *>(from) + 16, 8);
  __enzyme_float(static_cast<char *>(from) + 24, 8);
  memcpy(to, from, 32);
}
static void moved(void *to, void *from) {
  __enzyme_pointer(from, 8);
  __enzyme_double(static_cast<char *>(from) + 8, 8);
  memmove(to, from, 16);
}
static NOINLINE void copy(char *to, const char *from, unsigned long n) {
  memcpy(to, from, n);
}
static double counted(const char *bytes, int n) {
  __enzyme_integer(const_cast<char *>(bytes), 8);
  __enzyme_double(const_cast<char *>(bytes) + 8,
                  8 * static_cast<unsigned long>(n));
  char *mine = static_cast<char *>(malloc(8 + 8 * static_cast<size_t>(n)));
  copy(mine, bytes, 8 + 8 * static_cast<size_t>(n));
  long id;
  memcpy(&id, mine, 8);
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v;
    memcpy(&v, mine + 8 + 8 * i, 8);
    s += v * v * static_cast<double>(id);
  }
  free(mine);
  return s;
}

static void memory() {
  struct Fields {
    double d[2];
    long n;
    float f[2];
  } from = {{1, 2}, 3, {4, 5}}, to = {}, dfrom = {}, dto = {{1, 2}, 0, {3, 4}};
  __enzyme_autodiff_void((void *)copied, enzyme_dup, &to, &dto, enzyme_dup,
                         &from, &dfrom);
  NEAR(to.d[1] + static_cast<double>(to.n) + to.f[1], 10, 0);
  NEAR(dfrom.d[0], 1, 0);
  NEAR(dfrom.d[1], 2, 0);
  NEAR(dfrom.f[0], 3, 0);
  NEAR(dfrom.f[1], 4, 0);
  NEAR(static_cast<double>(dfrom.n), 0, 0);
  NEAR(dto.d[1] + dto.f[1], 0, 0);
  dto = {};
  __enzyme_fwddiff_void((void *)copied, enzyme_dup, &to, &dto, enzyme_dup,
                        &from, &dfrom);
  NEAR(dto.d[1] + dto.f[1], 6, 0);
  double x = 1, dx = 0;
  struct Node {
    double *p;
    double d;
  } a = {&x, 2}, b = {}, da = {&dx, 0}, db = {&dx, 5};
  __enzyme_autodiff_void((void *)moved, enzyme_dup, &b, &db, enzyme_dup, &a,
                         &da);
  NEAR(b.p == &x, 1, 0);
  NEAR(da.d, 5, 0);
  struct {
    long id;
    double v[3];
  } c = {2, {1, 2, 3}}, dc = {2, {0, 0, 0}};
  __enzyme_autodiff((void *)counted, enzyme_dup, &c, &dc, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    NEAR(dc.v[i], 4 * c.v[i], 0);
}

static double fixed(double x) { return x * x * __enzyme_ignore_derivatives(x); }
static double fixedf(float x) {
  return x * x * __enzyme_ignore_derivatives(2 * x);
}
static double objects(double x, double y) {
  Pair p = __enzyme_ignore_derivatives_pair({x * y, y});
  Three t = __enzyme_ignore_derivatives_three({x, x * x, y});
  return x * (p.x + p.y) + t.x * t.y * t.z * y;
}
static __attribute__((annotate("enzyme_inactive"))) thread_local double scratch;
static double kept_elsewhere(double x) {
  scratch = x;
  return scratch * x;
}
static __attribute__((annotate("enzyme_sparse_accumulate"))) double
silent(double x) {
  return x * x;
}
static double in_loop(const double *x, int n) {
  double s = 0, scale = 0;
  for (int i = 0; i < n; ++i) {
    scale += x[i] * x[i];
    s += x[i] / __enzyme_ignore_derivatives(scale);
  }
  return s;
}

static void held() {
  NEAR(fixed(3), 27, 0);
  NEAR(__enzyme_autodiff((void *)fixed, 3.0), 18, 0);
  NEAR(__enzyme_fwddiff((void *)fixed, 3.0, 2.0), 36, 0);
  NEAR(__enzyme_fwddiff((void *)fixedf, 3.0f, 1.0f), 36, 0);
  NEAR(__enzyme_fwddiff((void *)objects, 2.0, 1.0, 3.0, 0.0), 6 + 3, 0);
  NEAR(__enzyme_fwddiff((void *)objects, 2.0, 0.0, 3.0, 1.0), 8 * 3, 0);
  NEAR(__enzyme_autodiff((void *)kept_elsewhere, 3.0), 3, 0);
  NEAR(__enzyme_fwddiff((void *)kept_elsewhere, 3.0, 1.0), 3, 0);
  NEAR(__enzyme_autodiff((void *)silent, 3.0), 6, 0);
  const double x[3] = {1, 2, 3};
  double g[3] = {};
  __enzyme_autodiff((void *)in_loop, enzyme_dup, x, g, enzyme_const, 3);
  NEAR(g[0], 1, 0);
  NEAR(g[1], 1. / 5, 1e-15);
  NEAR(g[2], 1. / 14, 1e-15);
}

/// The number of terms itself, and a series that is too short without more.
static double order(double x) {
  return x * x * x * x * x * static_cast<double>(__enzyme_iter(10, 3));
}
static double power(double x) { // x^n / n!
  int n = __enzyme_iter_int(2, 1);
  double term = 1;
  for (int i = 1; i <= n; ++i)
    term *= x / i;
  return term;
}
static NOINLINE double inner(double x) { return power(x); }
static double called(double x) { return inner(x) + 0 * x; }
static double first(double x) { return __enzyme_autodiff((void *)order, x); }
static double second(double x) { return __enzyme_autodiff((void *)first, x); }
static double forward(double x) {
  return __enzyme_fwddiff((void *)order, x, 1.0);
}
static double forward_again(double x) {
  return __enzyme_fwddiff((void *)forward, x, 1.0);
}

static void series() {
  NEAR(order(1), 10, 0);
  NEAR(first(1), 5 * 13, 0);
  NEAR(second(1), 20 * 16, 0);
  NEAR(forward(1), 5 * 13, 0);
  NEAR(forward_again(1), 20 * 16, 0);
  NEAR(power(2), 2, 0);
  NEAR(__enzyme_autodiff((void *)power, 2.0), 2, 0);
  NEAR(__enzyme_fwddiff((void *)called, 2.0, 1.0), 2, 0);
  NEAR(__enzyme_autodiff((void *)called, 2.0), 2, 0);
}

int main() {
  memory();
  held();
  series();
  return finish();
}
