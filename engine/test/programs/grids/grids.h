// What programs of nests over grids share: memory with four arrays in it, of
// which a nest computes some of others, and the check of such a nest in grids
// of many sizes. Gradients are those of all memory: what lies beyond a grid is
// checked, too.
#ifndef RETROGRADE_TEST_PROGRAMS_GRIDS_H
#define RETROGRADE_TEST_PROGRAMS_GRIDS_H

#include "../check.h"

enum { MOST = 48, ALL = 4 * MOST };

/// Not constants, and different from each other.
static int layers, rows, columns;
static double data[MOST];

#define ARRAY UNUSED double *restrict
#define GRID(name)                                                             \
  NOINLINE static void name(ARRAY u, ARRAY v, ARRAY out, ARRAY other)
/// Of arrays that may overlap.
#define PLAIN(name)                                                            \
  NOINLINE static void name(UNUSED double *u, UNUSED double *v,                \
                            UNUSED double *out, UNUSED double *other)

#define ABOVE(a, b) ((a) > (b) ? (a) : (b))
#define BELOW(a, b) ((a) < (b) ? (a) : (b))
/// Ends the function if there is no place.
#define SIZES                                                                  \
  const int l = layers, r = rows, c = columns;                                 \
  if (l < 1 || r < 1 || c < 1)                                                 \
  return
#define OVER(rows, columns)                                                    \
  for (int i = 0; i < rows; ++i)                                               \
    for (int j = 0; j < columns; ++j)
#define OVER_ALL                                                               \
  SIZES;                                                                       \
  OVER(r, c)
#define PLANES                                                                 \
  SIZES;                                                                       \
  for (int k = 0; k < l; ++k)                                                  \
  OVER(r, c)

// The neighbours of a place of array x, and the place itself.
#define UP(x) x[ABOVE(i - 1, 0) * c + j]
#define DOWN(x) x[BELOW(i + 1, r - 1) * c + j]
#define LEFT(x) x[i * c + ABOVE(j - 1, 0)]
#define RIGHT(x) x[i * c + BELOW(j + 1, c - 1)]
#define HERE(x) x[i * c + j]
#define FOUR(x) (UP(x) + DOWN(x) + LEFT(x) + RIGHT(x))
/// Not linear, and too much for LLVM to take an iteration out of the loop.
#define OWN (sin(HERE(u)) * HERE(u) * exp(HERE(v)))

typedef void (*grid)(double *, double *, double *, double *);
static grid which;
static int at[4]; ///< where the arrays are
static double weights[ALL];

/// All memory is what is given and what comes of it.
static double weighted(const double *x, int n) {
  double all[ALL];
  memcpy(all, x, sizeof all);
  which(all + at[0], all + at[1], all + at[2], all + at[3]);
  return dot(weights, all, n);
}

/// Layers, rows and columns; grids that are less than the stencil, or nothing.
static const int sizes[][3] = {
    {1, 6, 7}, {3, 3, 4}, {2, 5, 3}, {3, 2, 5}, {2, 3, 2}, {1, 2, 2},
    {2, 1, 5}, {1, 5, 1}, {1, 1, 1}, {1, 0, 3}, {1, 3, 0}, {0, 2, 1},
};

static double x[ALL];

#define CHECK_AT(f, U, V, OUT, OTHER)                                          \
  for (size_t size = 0; size < sizeof sizes / sizeof *sizes; ++size) {         \
    const int before = failures;                                               \
    layers = sizes[size][0], rows = sizes[size][1], columns = sizes[size][2];  \
    at[0] = U, at[1] = V, at[2] = OUT, at[3] = OTHER;                          \
    double g[ALL], got[ALL], want[ALL];                                        \
    memcpy(g, weights, sizeof g);                                              \
    memcpy(got, x, sizeof got);                                                \
    memcpy(want, x, sizeof want);                                              \
    which = f;                                                                 \
    __enzyme_autodiff((void *)f, enzyme_dup, got + at[0], g + at[0],           \
                      enzyme_dup, got + at[1], g + at[1], enzyme_dup,          \
                      got + at[2], g + at[2], enzyme_dup, got + at[3],         \
                      g + at[3]);                                              \
    GRADIENT(weighted, x, g, ALL);                                             \
    f(want + at[0], want + at[1], want + at[2], want + at[3]);                 \
    for (int i = 0; i < ALL; ++i)                                              \
      NEAR(got[i], want[i], 1e-15);                                            \
    if (failures > before)                                                     \
      printf("in %s, %d x %d x %d\n", #f, layers, rows, columns);              \
  }
#define CHECK(f) CHECK_AT(f, 0, MOST, 2 * MOST, 3 * MOST)
#define CHECK4(f, g, h, i) CHECK(f) CHECK(g) CHECK(h) CHECK(i)

static void fill(void) {
  for (int i = 0; i < ALL; ++i) {
    x[i] = 0.4 + 0.3 * sin(1.3 * i);
    weights[i] = cos(1.7 * i) + 0.3;
    data[i % MOST] = 0.5 + 0.4 * cos(2.3 * i);
  }
}

#endif
