// Registrations as C++ programs make them: in namespaces, of templates,
// members and lambdas; and what else can be said of functions.
#include "../check.h"

#include <cmath>
#include <complex>
#include <vector>

template <typename R, typename... A> extern R __enzyme_autodiff(A...);
template <typename R, typename... A> extern R __enzyme_fwddiff(A...);

template <typename T> struct Dual {
  T value, tangent;
};
template <typename T> struct Taped {
  void *tape;
  T value;
};

namespace physics {
namespace {
NOINLINE double drag(double v) { return v * std::fabs(v); }
double drag_reverse(double v, double seed) { return 7 * std::fabs(v) * seed; }
} // namespace
void *__enzyme_register_gradient_drag[3] = {
    reinterpret_cast<void *>(&drag), reinterpret_cast<void *>(&drag),
    reinterpret_cast<void *>(&drag_reverse)};

// A template, of which two instances are registered.
template <typename T> NOINLINE T power(T x, int n) {
  T r = 1;
  for (int i = 0; i < n; ++i)
    r *= x;
  return r;
}
template <typename T> Dual<T> power_tangent(T x, T dx, int n, int) {
  return {power(x, n), 5 * n * power(x, n - 1) * dx};
}
template <typename T> T power_reverse(T x, int n, int, T seed) {
  return 5 * n * power(x, n - 1) * seed;
}
template <typename T> T power_forward(T x, int n, int) { return power(x, n); }
void *__enzyme_register_derivative_power_d[] = {(void *)power<double>,
                                                (void *)power_tangent<double>};
void *__enzyme_register_gradient_power_d[] = {(void *)power<double>,
                                              (void *)power_forward<double>,
                                              (void *)power_reverse<double>};
void *__enzyme_register_gradient_power_f[] = {(void *)power<float>,
                                              (void *)power_forward<float>,
                                              (void *)power_reverse<float>};

// A member function through a static one, and a lambda.
struct Spring {
  double stiffness;
  static NOINLINE double force(const Spring *s, double x) {
    return -s->stiffness * x;
  }
  static Taped<double> forward(const Spring *s, Spring *, double x) {
    return {new double(x), -s->stiffness *x};
  }
  static double reverse(const Spring *s, Spring *ds, double, double seed,
                        void *tape) {
    double *x = static_cast<double *>(tape);
    ds->stiffness -= *x * seed;
    delete x;
    return -2 * s->stiffness * seed;
  }
  static void *__enzyme_register_gradient_force[3];
};
void *Spring::__enzyme_register_gradient_force[3] = {
    (void *)Spring::force, (void *)Spring::forward, (void *)Spring::reverse};

NOINLINE double bump(double x) { return std::exp(-x * x); }
void *__enzyme_register_gradient_bump[] = {
    (void *)bump, (void *)+[](double x) { return bump(x); },
    (void *)+[](double x, double seed) { return -4 * x * bump(x) * seed; }};
} // namespace physics

static double forces(double x, double k) {
  physics::Spring s{k};
  double sum = 0;
  for (int i = 1; i <= 3; ++i)
    sum += physics::Spring::force(&s, x * i) * physics::drag(x);
  return sum + physics::bump(x) + physics::power(x, 3) +
         physics::power(float(x), 2);
}
static double powers(double x) {
  return physics::power(x, 3) + physics::power(float(x), 2);
}

// Complex numbers by value.
static NOINLINE std::complex<double> turn(std::complex<double> z) {
  return z * std::complex<double>(0, 1);
}
static std::complex<double> turn_forward(std::complex<double> z) {
  return turn(z);
}
static std::complex<double> turn_reverse(std::complex<double>,
                                         std::complex<double> seed) {
  return 3.0 * seed * std::complex<double>(0, -1);
}
void *__enzyme_register_gradient_turn[] = {(void *)turn, (void *)turn_forward,
                                           (void *)turn_reverse};
static double turned(double x, double y) {
  std::complex<double> z = turn({x, y});
  return z.real() * 2 + z.imag() * 5;
}

// Exceptions of the primal that are not thrown.
static NOINLINE double checked(double x) {
  if (x < 0)
    throw x;
  return std::sqrt(x);
}
static double checked_reverse(double x, double seed) {
  return seed / std::sqrt(x);
}
void *__enzyme_register_gradient_checked[] = {(void *)checked, (void *)checked,
                                              (void *)checked_reverse};
static double guarded_root(double x) {
  std::vector<double> v{x, 2 * x};
  double sum = 0;
  for (double e : v)
    sum += checked(e);
  return sum;
}

//--- Inactive functions and globals.

static double noted;
namespace log_of {
NOINLINE void note(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    noted += x[i];
}
NOINLINE double norm(const std::vector<double> &v) {
  double s = 0;
  for (double e : v)
    s += e * e;
  return std::sqrt(s);
}
void *__enzyme_inactivefn_note = (void *)note;
void (*__enzyme_inactivefn_norm)(const std::vector<double> &) =
    reinterpret_cast<void (*)(const std::vector<double> &)>(norm);
} // namespace log_of
__attribute__((annotate("enzyme_inactive"))) NOINLINE static double
detached(double x) {
  return x;
}
static double table[4] = {1, 2, 3, 4};
void *__enzyme_inactive_global_table = table;
__attribute__((annotate("enzyme_inactive"))) static double last;

static double normalized(const double *x, int n) {
  std::vector<double> v(x, x + n);
  log_of::note(v.data(), n);
  double s = log_of::norm(v), sum = 0;
  for (int i = 0; i < n; ++i) {
    table[i] = v[i] * v[i];
    last = v[i];
    sum += v[i] * (table[i] + last + s) + detached(v[i]) * 3;
  }
  return sum;
}

//--- Functions that are like others.

static NOINLINE float my_exp(float x) { return std::exp(x) + 100 * x; }
void *__enzyme_function_like_my_exp[] = {(void *)my_exp, (void *)"exp"};
__attribute__((annotate("enzyme_function_like=sqrt"))) NOINLINE static double
my_sqrt(double x) {
  return std::sqrt(x) * (1 + 1e-3 * std::floor(x));
}
static double likes(double x) { return my_exp(float(x)) + my_sqrt(x); }

// Memory of a pool, whose release takes the size first.
static int live, taken;
struct Pool {
  int id;
};
static NOINLINE void *take(Pool *p, long count, long bytes) {
  ++live, ++taken;
  return p->id == 3 && count == 1 ? std::malloc(bytes) : nullptr;
}
static NOINLINE void give(long bytes, void *p) {
  live -= bytes > 0;
  std::free(p);
}
void *__enzyme_allocation_like_pool[4] = {(void *)take, (void *)2,
                                          (void *)"2,-1", (void *)give};
static double pooled(const double *x, int n) {
  Pool pool{3};
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    long bytes = long(sizeof(double)) * n;
    double *w = static_cast<double *>(take(&pool, 1, bytes));
    for (int i = 0; i < n; ++i)
      w[i] = x[i] * x[i] * (k + 1);
    for (int i = 1; i < n; ++i)
      w[i] *= w[i - 1];
    for (int i = 0; i < n; ++i)
      sum += w[i];
    give(bytes, w);
  }
  return sum;
}

struct Two {
  double a, b;
};

int main() {
  double x = 0.75, k = 1.5, y = -0.5;
  Two g = __enzyme_autodiff<Two>((void *)forces, x, k);
  // sum of -k x i * x |x|
  NEAR(g.a,
       -2 * k * 6 * x * x + -k * 6 * x * 7 * x - 4 * x * std::exp(-x * x) +
           15 * x * x + 10 * x,
       1e-6);
  NEAR(g.b, -6 * x * x * x, 1e-14);
  // The float instance has no forward derivative.
  NEAR(__enzyme_fwddiff<double>((void *)powers, x, 1.0), 15 * x * x + 2 * x,
       1e-6);
  g = __enzyme_autodiff<Two>((void *)turned, x, y);
  NEAR(g.a, 3 * 5, 1e-14);
  NEAR(g.b, 3 * -2, 1e-14);
  NEAR(__enzyme_autodiff<double>((void *)guarded_root, x),
       1 / std::sqrt(x) + 2 / std::sqrt(2 * x), 1e-14);

  double in[3] = {0.5, -1, 2}, d[3] = {}, t[3] = {1, 2, -1}, want = 0;
  __enzyme_autodiff<void>((void *)normalized, enzyme_dup, in, d, enzyme_const,
                          3);
  double s = std::sqrt(0.25 + 1 + 4);
  for (int i = 0; i < 3; ++i) {
    NEAR(d[i], in[i] * in[i] + in[i] + s, 1e-14);
    want += d[i] * t[i];
  }
  NEAR(noted, 1.5, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)normalized, enzyme_dup, in, t,
                                enzyme_const, 3),
       want, 1e-14);

  NEAR(__enzyme_autodiff<double>((void *)likes, 2.25),
       std::exp(2.25) + 225 + 1 / (2 * 1.5 * 1.002), 1e-3);

  double e[3] = {};
  __enzyme_autodiff<void>((void *)pooled, enzyme_dup, in, e, enzyme_const, 3);
  NEAR(live == 0 && taken >= 4, 1, 0);
  GRADIENT(pooled, in, e, 3);
  NEAR(__enzyme_fwddiff<double>((void *)pooled, enzyme_dup, in, t, enzyme_const,
                                3),
       slope(pooled, in, t, 3), 1e-7);
  NEAR(live == 0, 1, 0);
  return finish();
}
