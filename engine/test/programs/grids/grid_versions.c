// Nests over grids whose arrays only the program finds apart, of which there
// are two versions: in a loop, where arrays change places; with results that
// are not needed but read again; and rows that are apart.
#include "../check.h"

enum { MOST = 42 };

MARKERS(enzyme_dupnoneed);

/// Not constants, and different from each other.
static int rows, columns, turns = 3;

#define ABOVE(a, b) ((a) > (b) ? (a) : (b))
#define BELOW(a, b) ((a) < (b) ? (a) : (b))
#define FOUR(x)                                                                \
  (x[ABOVE(i - 1, 0) * c + j] + x[BELOW(i + 1, r - 1) * c + j] +               \
   x[i * c + ABOVE(j - 1, 0)] + x[i * c + BELOW(j + 1, c - 1)])
#define HERE(x) x[i * c + j]
#define OVER_ALL                                                               \
  for (int i = 0; i < r; ++i)                                                  \
    for (int j = 0; j < c; ++j)
#define PLAIN(name)                                                            \
  NOINLINE static void name(const double *u, const double *v, double *out,     \
                            double *last)

/// What is not needed behind the call is needed behind the nest.
PLAIN(read_again) {
  const int r = rows, c = columns;
  const double by = v[0];
  OVER_ALL HERE(out) = 0.3 * FOUR(u) + HERE(u) * HERE(u) * by;
  last[0] = out[0] * out[r * c - 1];
}

/// Arrays that change places are apart in each step, and the same in others.
PLAIN(in_turns) {
  const int r = rows, c = columns, many = turns;
  double *from = out, *to = last;
  OVER_ALL HERE(from) = HERE(u);
  for (int t = 0; t < many; ++t) {
    OVER_ALL HERE(to) = 0.2 * FOUR(from) + sin(HERE(from)) * HERE(v);
    double *was = from;
    from = to, to = was;
  }
  OVER_ALL HERE(last) = HERE(from) * HERE(from);
}

/// Rows with something between them, the same in all arrays.
NOINLINE static void pitched(const double *restrict u, const double *restrict v,
                             double *restrict out, double *restrict last) {
  const int r = rows, columns_used = columns, c = columns + 1;
  const double all = v[MOST - 1];
  if (r < 1 || columns_used < 1)
    return;
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < columns_used; ++j)
      HERE(last) =
          all * (u[ABOVE(i - 1, 0) * c + j] + u[BELOW(i + 1, r - 1) * c + j] +
                 u[i * c + ABOVE(j - 1, 0)] +
                 u[i * c + BELOW(j + 1, columns_used - 1)]);
  out[0] = last[0];
}

typedef void (*grid)(const double *, const double *, double *, double *);
static grid which;
static double weights[MOST];

static double weighted(const double *x, UNUSED int n) {
  double out[MOST], last[MOST] = {0};
  which(x, x + MOST, out, last);
  return dot(weights, last, MOST);
}

/// The caller needs nothing of the first result.
#define CHECK(f)                                                               \
  {                                                                            \
    which = f;                                                                 \
    double x[2 * MOST], g[2 * MOST] = {0}, out[MOST], seed[MOST] = {0};        \
    double last[MOST] = {0}, adjoint[MOST], want[MOST] = {0};                  \
    for (int i = 0; i < 2 * MOST; ++i)                                         \
      x[i] = 0.5 + 0.3 * sin(1.3 * i);                                         \
    memcpy(adjoint, weights, sizeof weights);                                  \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, x + MOST,       \
                      g + MOST, enzyme_dupnoneed, out, seed, enzyme_dup, last, \
                      adjoint);                                                \
    GRADIENT(weighted, x, g, 2 * MOST);                                        \
    f(x, x + MOST, out, want);                                                 \
    for (int i = 0; i < MOST; ++i)                                             \
      NEAR(last[i], want[i], 1e-15);                                           \
    for (int i = 0; i < MOST; ++i)                                             \
      NEAR(adjoint[i], want[i] != 0 ? 0 : weights[i], 0);                      \
  }

int main(void) {
  for (int i = 0; i < MOST; ++i)
    weights[i] = cos(1.7 * i) + 0.3;
  static const int sizes[][2] = {{5, 6}, {4, 3}, {1, 7},
                                 {7, 1}, {2, 2}, {1, 1}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    rows = sizes[s][0], columns = sizes[s][1];
    CHECK(read_again)
    CHECK(in_turns)
    CHECK(pitched)
  }
  return finish();
}
