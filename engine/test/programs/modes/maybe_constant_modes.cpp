// Where only the running derivative knows which memory is constant, every mode
// asks: with several directions, in two passes, and in the second derivative.
#include "../check.h"

#include <memory>
#include <vector>

MARKERS(enzyme_width);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);

struct Table {
  double at[4];
  const Table *finer;
  int reads = 0;
};

/// Tables of the caller's, constant, and those that are made here.
static double lookup(const double *x, int n, Table *fixed) {
  std::vector<Table *> tables;
  std::vector<std::unique_ptr<Table>> own;
  for (int i = 0; i < n; ++i) {
    if (i % 2) {
      tables.push_back(fixed);
      continue;
    }
    own.push_back(std::make_unique<Table>());
    for (int k = 0; k < 4; ++k)
      own.back()->at[k] = x[i] * x[(i + k) % n];
    own.back()->finer = i ? fixed->finer : tables.empty() ? nullptr : tables[0];
    tables.push_back(own.back().get());
  }
  double s = x[0];
  for (int i = 0; i < n; ++i) {
    Table *t = tables[size_t(i)];
    ++t->reads;
    Table copy = *t;
    copy.at[1] *= x[i];
    s += copy.at[0] * copy.at[1] + sin(copy.at[2] * s);
    if (copy.finer)
      s += copy.finer->at[3] * s * t->at[3];
  }
  return s;
}

struct Fixed {
  Table fine{{0.4, -0.3, 0.2, 0.9}, nullptr},
      coarse{{-0.6, 0.7, 0.8, 0.5}, &fine};
};
static double plain(const double *x, int n) {
  Fixed f;
  return lookup(x, n, &f.coarse);
}
static void gradient(const double *x, double *g, int n, Table *fixed) {
  __enzyme_autodiff<void>((void *)lookup, enzyme_dup, x, g, enzyme_const, n,
                          enzyme_const, fixed);
}

struct Two {
  double v[2];
};
struct Augmented {
  void *tape;
  double value;
};

int main() {
  const double x[4] = {0.6, -0.4, 1.1, 0.9}, v[4] = {1, 0.5, -2, 3},
               w[4] = {-1, 2, 0.3, 0.7};
  Fixed f;
  double g[4] = {};
  gradient(x, g, 4, &f.coarse);
  GRADIENT(plain, x, g, 4);
  NEAR(f.coarse.reads, 2, 0);
  NEAR(__enzyme_fwddiff<double>((void *)lookup, enzyme_dup, x, v, enzyme_const,
                                4, enzyme_const, &f.coarse),
       dot(g, v, 4), 1e-12);

  Two t = __enzyme_fwddiff<Two>((void *)lookup, enzyme_width, 2, enzyme_dup, x,
                                v, w, enzyme_const, 4, enzyme_const, &f.coarse);
  NEAR(t.v[0], dot(g, v, 4), 1e-12);
  NEAR(t.v[1], dot(g, w, 4), 1e-12);
  double g0[4] = {}, g1[4] = {5, 5, 5, 5};
  __enzyme_autodiff<void>((void *)lookup, enzyme_width, 2, enzyme_dup, x, g0,
                          g1, enzyme_const, 4, enzyme_const, &f.coarse);
  for (int i = 0; i < 4; ++i) {
    NEAR(g0[i], g[i], 1e-12);
    NEAR(g1[i], g[i] + 5, 1e-12);
  }

  double s[4] = {};
  Augmented a =
      __enzyme_augmentfwd<Augmented>((void *)lookup, enzyme_dup, x, s,
                                     enzyme_const, 4, enzyme_const, &f.coarse);
  NEAR(a.value, plain(x, 4), 1e-14);
  __enzyme_reverse<void>((void *)lookup, enzyme_dup, x, s, enzyme_const, 4,
                         enzyme_const, &f.coarse, 2.0, a.tape);
  for (int i = 0; i < 4; ++i)
    NEAR(s[i], 2 * g[i], 1e-12);

  // The derivative of the gradient along v, against differences of gradients.
  double h[4] = {}, dh[4] = {};
  __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x, v, enzyme_dup, h, dh,
                         enzyme_const, 4, enzyme_const, &f.coarse);
  for (int i = 0; i < 4; ++i)
    NEAR(h[i], g[i], 1e-12);
  const double step = 1e-5;
  double up[4] = {}, down[4] = {}, xu[4], xd[4];
  for (int i = 0; i < 4; ++i) {
    xu[i] = x[i] + step * v[i];
    xd[i] = x[i] - step * v[i];
  }
  gradient(xu, up, 4, &f.coarse);
  gradient(xd, down, 4, &f.coarse);
  for (int i = 0; i < 4; ++i)
    NEAR(dh[i], (up[i] - down[i]) / (2 * step), 1e-6);
  for (int k = 0; k < 4; ++k)
    NEAR(f.fine.at[k], Fixed().fine.at[k], 0);
  return finish();
}
