// Second and third derivatives by every order of nesting agree with each other
// and with differences of the gradient.
#include "../typed.h"

MARKERS(enzyme_width, enzyme_dupnoneed);

struct Three {
  double v[3];
};
struct Augmented {
  void *tape;
  double value;
};

NOINLINE static double weigh(const double *w, int n, double a) {
  double s = a;
  for (int i = 0; i < n; ++i)
    s = s * 0.7 + sin(w[i] * a);
  return s;
}

/// Memory of its own, a callee, a branch, a loop that ends when it wants to.
static double f(const double *x, int n) {
  double *w = (double *)malloc(sizeof(double) * (size_t)n), s = 0.3;
  for (int i = 0; i < n; ++i)
    w[i] = x[i] > 0 ? x[i] * x[(i + 1) % n] : exp(x[i]);
  for (int k = 0; s < 4 && k < 9; ++k) {
    s += 0.4 + 0.1 * weigh(w, n, x[k % n]);
    w[k % n] = s * w[(k + 1) % n];
  }
  s += sqrt(1 + w[0] * w[0]) * pow(s, 1.5);
  free(w);
  return s;
}

static void reverse(const double *x, double *g, int n) {
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, g, enzyme_const, n);
}
static double forward(const double *x, const double *v, int n) {
  return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, v, enzyme_const, n);
}
static void split(const double *x, double *g, int n) {
  auto a = __enzyme_augmentfwd<Augmented>((void *)f, enzyme_dup, x, g,
                                          enzyme_const, n);
  __enzyme_reverse<void>((void *)f, enzyme_dup, x, g, enzyme_const, n, 1.0,
                         a.tape);
}

constexpr int N = 3;
using Matrix = double[N][N];

/// The tangents of the gradient, in each direction.
template <void (*Gradient)(const double *, double *, int)>
static void forward_over(const double *x, Matrix h) {
  for (int i = 0; i < N; ++i) {
    double v[N] = {}, g[N] = {};
    v[i] = 1;
    __enzyme_fwddiff<void>((void *)Gradient, enzyme_dup, x, v, enzyme_dup, g,
                           h[i], enzyme_const, N);
  }
}
static void vector_over_reverse(const double *x, Matrix h) {
  Matrix v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double g[N] = {};
  __enzyme_fwddiff<void>((void *)reverse, enzyme_width, 3, enzyme_dup, x, v[0],
                         v[1], v[2], enzyme_dup, g, h[0], h[1], h[2],
                         enzyme_const, N);
}
static void reverse_over_reverse(const double *x, Matrix h) {
  for (int i = 0; i < N; ++i) {
    double g[N] = {}, seed[N] = {};
    seed[i] = 1;
    __enzyme_autodiff<void>((void *)reverse, enzyme_dup, x, h[i], enzyme_dup, g,
                            seed, enzyme_const, N);
  }
}
static void reverse_over_forward(const double *x, Matrix h) {
  for (int i = 0; i < N; ++i) {
    double v[N] = {}, dv[N] = {};
    v[i] = 1;
    __enzyme_autodiff<void>((void *)forward, enzyme_dup, x, h[i], enzyme_dup, v,
                            dv, enzyme_const, N);
  }
}
static void forward_over_forward(const double *x, Matrix h) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double v[N] = {}, u[N] = {}, zero[N] = {};
      v[i] = 1;
      u[j] = 1;
      h[i][j] = __enzyme_fwddiff<double>((void *)forward, enzyme_dup, x, u,
                                         enzyme_dup, v, zero, enzyme_const, N);
    }
}

/// v'Hv and its gradient, which needs three levels.
static double curvature(const double *x, const double *v, int n) {
  double zero[N] = {};
  return __enzyme_fwddiff<double>((void *)forward, enzyme_dup, x, v, enzyme_dup,
                                  v, zero, enzyme_const, n);
}

int main() {
  const double x[N] = {0.7, -0.4, 1.2}, v[N] = {0.3, -1, 0.5};
  Matrix want = {}, h;
  double g[2][N];
  const double step = 1e-5;
  for (int i = 0; i < N; ++i) {
    double at[N];
    for (int s = 0; s < 2; ++s) {
      memcpy(at, x, sizeof at);
      at[i] += s ? step : -step;
      memset(g[s], 0, sizeof g[s]);
      reverse(at, g[s], N);
    }
    for (int j = 0; j < N; ++j)
      want[i][j] = (g[1][j] - g[0][j]) / (2 * step);
  }
  void (*const orders[])(const double *, Matrix) = {
      forward_over<reverse>, forward_over<split>,  vector_over_reverse,
      reverse_over_reverse,  reverse_over_forward, forward_over_forward};
  Matrix first;
  for (int k = 0; k < 6; ++k) {
    memset(h, 0, sizeof h);
    orders[k](x, h);
    if (k == 0)
      memcpy(first, h, sizeof first);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        NEAR(h[i][j], want[i][j], 1e-6);
        NEAR(h[i][j], first[i][j], 1e-11);
        NEAR(h[i][j], h[j][i], 1e-11);
      }
  }
  double third[N] = {};
  __enzyme_autodiff<void>((void *)curvature, enzyme_dup, x, third, enzyme_const,
                          v, enzyme_const, N);
  for (int i = 0; i < N; ++i) {
    double up[N], down[N];
    memcpy(up, x, sizeof up);
    memcpy(down, x, sizeof down);
    up[i] += step;
    down[i] -= step;
    NEAR(third[i], (curvature(up, v, N) - curvature(down, v, N)) / (2 * step),
         1e-6);
  }
  return finish();
}
