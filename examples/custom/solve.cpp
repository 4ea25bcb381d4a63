// A linear solver of which the derivative solves the transposed system, a
// workspace that functions of our own hand out, and a report that has no
// derivative.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <typename R, typename... A> R __enzyme_autodiff(A...);
extern int enzyme_dup, enzyme_const;

namespace linear {
// Solves a x = b by elimination; b becomes x, and a is left as it was.
__attribute__((noinline)) void solve(const double *a, double *b, int n) {
  double *m = new double[n * n];
  std::memcpy(m, a, sizeof(double) * n * n);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      double f = m[i * n + k] / m[k * n + k];
      for (int j = k; j < n; ++j)
        m[i * n + j] -= f * m[k * n + j];
      b[i] -= f * b[k];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j)
      b[i] -= m[i * n + j] * b[j];
    b[i] /= m[i * n + i];
  }
  delete[] m;
}

// Arrays come with their shadows. An integer comes twice: it has no shadow.
void *solve_forward(const double *a, double *, double *b, double *, int n,
                    int) {
  solve(a, b, n);
  double *x = new double[n];
  std::memcpy(x, b, sizeof(double) * n);
  return x;
}
void solve_reverse(const double *a, double *da, double *, double *db, int n,
                   int, void *tape) {
  double *x = static_cast<double *>(tape), *t = new double[n * n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      t[i * n + j] = a[j * n + i];
  solve(t, db, n); // the adjoint of b
  if (da != a)     // a may be constant; then da is a itself
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        da[i * n + j] -= db[i] * x[j];
  delete[] x;
  delete[] t;
}
void *__enzyme_register_gradient_solve[] = {
    (void *)solve, (void *)solve_forward, (void *)solve_reverse};
} // namespace linear

// A pool: the third entry says what the release is given, -1 is the memory.
static double pool[1024];
static int used;
static double *take(int pool_number, long bytes) {
  double *p = pool_number == 1 ? pool + used : nullptr;
  used += static_cast<int>(bytes / sizeof(double));
  return p;
}
static void give(double *, long bytes) {
  used -= static_cast<int>(bytes / sizeof(double));
}
void *__enzyme_allocation_like_pool[] = {(void *)take, (void *)1,
                                         (void *)"-1,1", (void *)give};

// It only looks.
static double largest;
static void report(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    largest = std::fmax(largest, std::fabs(x[i]));
}
void *__enzyme_inactivefn_report[] = {(void *)report};

static double response(const double *a, const double *load, int n) {
  long bytes = static_cast<long>(sizeof(double)) * n;
  double *x = take(1, bytes), sum = 0;
  for (int i = 0; i < n; ++i)
    x[i] = load[i] * load[i];
  linear::solve(a, x, n);
  report(x, n);
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  give(x, bytes);
  return sum;
}

int main() {
  constexpr int n = 3;
  double a[n * n] = {4, 1, 0, 1, 3, -1, 0.5, 0, 2}, load[n] = {1, -2, 0.5};
  double da[n * n] = {}, dload[n] = {};
  __enzyme_autodiff<void>((void *)response, enzyme_dup, a, da, enzyme_dup, load,
                          dload, enzyme_const, n);
  double worst = 0, h = 1e-6;
  auto check = [&](double &x, double d) {
    double old = x;
    x = old + h;
    double up = response(a, load, n);
    x = old - h;
    double down = response(a, load, n);
    x = old;
    worst = std::fmax(worst, std::fabs((up - down) / (2 * h) - d));
  };
  for (int i = 0; i < n * n; ++i)
    check(a[i], da[i]);
  for (int i = 0; i < n; ++i)
    check(load[i], dload[i]);
  // The load alone: the matrix is constant, and stays as it is.
  double alone[n] = {};
  __enzyme_autodiff<void>((void *)response, enzyme_const, a, enzyme_dup, load,
                          alone, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    worst = std::fmax(worst, std::fabs(alone[i] - dload[i]));
  std::printf("largest error %s, pool %s\n",
              worst < 1e-8 ? "below 1e-8" : "too large",
              used == 0 ? "empty" : "in use");
  return worst > 1e-8 || used != 0;
}
