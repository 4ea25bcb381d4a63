// Loops that read and add by way of index lists: their reverse adds to places
// that are looked up, some of them twice in an iteration or in neighbouring
// ones, and some of two arrays that are one. Whatever is computed side by side,
// each addition is there, in the order of the iterations.
#include "../check.h"

enum { most = 203, nodes = 37 };
typedef void kernel(int n, const int *list, const double *restrict x,
                    const double *restrict z, double *restrict y);

/// Enough arithmetic for vectors to pay.
#define BODY(A, B, C)                                                          \
  double a = (A), b = (B), c = (C), s = a * b + 0.5 * c, p = 1;                \
  for (int k = 0; k < 5; ++k) {                                                \
    p = p * (0.1 * a + 0.2 * s) + (b - 0.3 * c) * (a * c - 0.1 * k);           \
    s = s * (0.4 + 0.01 * k * b) + p * (c + a * 0.2) - 0.05 * s * p;           \
  }

/// Adds to places that are looked up, in both directions.
static void scatter(int n, const int *list, const double *restrict x,
                    const double *restrict z, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    const int *at = list + 3 * i;
    BODY(x[at[0]], x[at[1]], z[at[2]])
    y[at[0]] += s;
    y[at[2]] += p * s;
  }
}

/// Results in a row.
static void gather(int n, const int *list, const double *restrict x,
                   const double *restrict z, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    const int *at = list + 3 * i;
    BODY(x[at[0]], z[at[1]], x[at[2]])
    y[i] = s * p;
  }
}

/// Reads what earlier iterations have written: nothing may be put off here.
static void chain(int n, const int *list, const double *restrict x,
                  const double *restrict z, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    const int *at = list + 3 * i;
    BODY(y[at[0]], x[at[1]], z[at[2]])
    y[at[1]] = 0.3 * s + 0.1 * p;
  }
}

/// The last one to write a place counts.
static void overwrite(int n, const int *list, const double *restrict x,
                      const double *restrict z, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    const int *at = list + 3 * i;
    BODY(x[at[0]], x[at[1]], z[at[2]])
    y[at[1]] = s * p;
  }
}

/// Two sums, of which one was read before the other was added to.
static void stale(int n, const int *list, const double *restrict x,
                  const double *restrict z, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    const int *at = list + 3 * i;
    BODY(x[at[0]], x[at[1]], z[at[2]])
    const double before = y[at[0]];
    y[at[2]] += s;
    y[at[0]] = before + p * s;
  }
}

/// Overwrites the list from which it takes the place.
static void renumber(int n, const int *list, const double *restrict x,
                     const double *restrict z, double *restrict y) {
  int *own = (int *)(uintptr_t)list;
  for (int i = 0; i < n; ++i) {
    const int at = own[i];
    own[i] = (at + 5) % nodes;
    BODY(x[at], z[at], x[(at + 1) % nodes])
    y[at] += s * p;
  }
}

/// Reads sums that others may have changed before, and adds to them.
static void feedback(int n, const int *list, const double *restrict x,
                     const double *restrict z, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    const int *at = list + 3 * i;
    BODY(y[at[0]], x[at[1]], z[at[2]])
    y[at[1]] += 1e-3 * s * p;
  }
}

/// Inlined, with parameters that change places, and may be one array.
static void inlined(int n, const int *list, const double *x, const double *z,
                    double *y) {
  for (int r = 0; r < 2; ++r) {
    gather(n, list, r ? z : x, r ? x : z, y);
    scatter(n, list, r ? z : x, r ? x : z, y);
  }
}

#define ENTRIES(Name)                                                          \
  NOINLINE static void Name##_run(int n, const int *list, const double *x,     \
                                  const double *z, double *y) {                \
    Name(n, list, x, z, y);                                                    \
  }                                                                            \
  NOINLINE static void Name##_adjoint(int n, const int *list, const double *x, \
                                      double *dx, const double *z, double *dz, \
                                      double *y, double *dy) {                 \
    __enzyme_autodiff_void((void *)Name, n, enzyme_const, list, x, dx, z, dz,  \
                           y, dy);                                             \
  }
ENTRIES(scatter)
ENTRIES(gather)
ENTRIES(chain)
ENTRIES(overwrite)
ENTRIES(stale)
ENTRIES(renumber)
ENTRIES(feedback)
ENTRIES(inlined)

/// A number of neighbouring lists that share nodes, and nodes that are there
/// twice.
static void make_lists(int *list, int n, int kind) {
  unsigned seed = 7;
  for (int i = 0; i < 3 * n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    list[i] = kind == 0   ? (int)((seed >> 16) % nodes)
              : kind == 1 ? i / 3 % nodes
                          : (i % 3 + i / 3) % nodes;
  }
}

typedef void adjoint(int, const int *, const double *, double *, const double *,
                     double *, double *, double *);

/// Along a direction: differences, and the adjoint. With one array for x and z
/// there is one shadow as well.
static void compare(kernel *run, adjoint *reverse, int n, int kind, int same) {
  static int list[3 * most];
  static double x[most], z[most], y[most], v[most], u[most], up[most], w[most],
      dx[most], dz[most], xs[most], zs[most];
  for (int i = 0; i < most; ++i) {
    x[i] = 0.4 + 0.3 * sin(1.7 * i);
    z[i] = 0.5 + 0.2 * cos(2.3 * i);
    y[i] = 0.2 + 0.1 * sin(0.9 * i);
    v[i] = cos(3.1 * i);
    u[i] = sin(1.3 * i);
    w[i] = 1 + 0.5 * cos(0.7 * i);
    dx[i] = dz[i] = 0;
  }
  double *one = same ? x : z, *shadow = same ? dx : dz, slope = 0;
  const double weight[3] = {45. / 60, -9. / 60, 1. / 60}, h = 1e-3;
  for (int k = -3; k <= 3; ++k) {
    if (k == 0)
      continue;
    for (int i = 0; i < most; ++i) {
      xs[i] = x[i] + k * h * v[i];
      zs[i] = z[i] + k * h * u[i];
      up[i] = y[i];
    }
    make_lists(list, n, kind);
    run(n, list, xs, same ? xs : zs, up);
    slope += dot(w, up, most) * weight[abs(k) - 1] * (k < 0 ? -1 : 1) / h;
  }
  make_lists(list, n, kind);
  memcpy(up, y, sizeof up);
  run(n, list, x, one, up);
  make_lists(list, n, kind);
  reverse(n, list, x, dx, one, shadow, y, w);
  // The primal's results are there, too.
  for (int i = 0; i < most; ++i)
    NEAR(y[i], up[i], 1e-13);
  NEAR(dot(dx, v, most) + (same ? 0 : dot(dz, u, most)), slope, 1e-7);
}

int main(void) {
  const int counts[] = {0, 1, 2, 7, 8, 31, 32, 33, 64, 65, most};
  for (unsigned c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (int kind = 0; kind < 3; ++kind)
      for (int same = 0; same < 2; ++same) {
        compare(scatter_run, scatter_adjoint, counts[c], kind, same);
        compare(gather_run, gather_adjoint, counts[c], kind, same);
        compare(chain_run, chain_adjoint, counts[c], kind, same);
        compare(overwrite_run, overwrite_adjoint, counts[c], kind, same);
        compare(stale_run, stale_adjoint, counts[c], kind, same);
        compare(renumber_run, renumber_adjoint, counts[c], kind, same);
        compare(feedback_run, feedback_adjoint, counts[c], kind, same);
        compare(inlined_run, inlined_adjoint, counts[c], kind, same);
      }
  return finish();
}
