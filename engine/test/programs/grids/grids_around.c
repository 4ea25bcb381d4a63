// Grids whose first place is next to the last one (periodic), in some or in all
// directions: the adjoint reads there, too, what its neighbours give. And
// indices that look like that.
#include "grids.h"

static int turns = 2;

// The neighbours of a place of array x: with indices that go on at the other
// end.
#define NEXT(i, n) ((i) + 1 == (n) ? 0 : (i) + 1)
#define PRIOR(i, n) ((i) == 0 ? (n) - 1 : (i) - 1)
#define NORTH(x) x[PRIOR(i, r) * c + j]
#define SOUTH(x) x[NEXT(i, r) * c + j]
#define WEST(x) x[i * c + PRIOR(j, c)]
#define EAST(x) x[i * c + NEXT(j, c)]
#define ROUND(x) (NORTH(x) + SOUTH(x) + WEST(x) + EAST(x))

//===----------------------------------------------------------------------===//
// Ways to go on.

GRID(by_ternary) { OVER_ALL HERE(out) = 0.2 * ROUND(u) + 0.5 * HERE(u); }

GRID(by_remainder) {
  OVER_ALL HERE(out) = u[(i + 1) % r * c + j] + u[(i + r - 1) % r * c + j] +
                       u[i * c + (j + 1) % c] + u[i * c + (j - 1 + c) % c];
}

/// In variables, of which the first is one of the outer loop.
GRID(by_variables) {
  SIZES;
  for (int i = 0; i < r; ++i) {
    const int s = (i + 1) % r, n = (i + r - 1) % r;
    for (int j = 0; j < c; ++j) {
      const int e = (j + 1) % c, w = (j + c - 1) % c;
      HERE(out) = 0.25 * (u[n * c + j] + u[s * c + j] + u[i * c + w] +
                          u[i * c + e] - 4 * HERE(u)) +
                  HERE(u) * HERE(u) * HERE(u);
    }
  }
}

/// Less and greater say the same as equal.
GRID(by_less) {
  OVER_ALL {
    const int s = i + 1 < r ? i + 1 : 0, n = i > 0 ? i - 1 : r - 1;
    const int e = j < c - 1 ? j + 1 : 0, w = j >= 1 ? j - 1 : c - 1;
    HERE(out) = u[n * c + j] + u[s * c + j] + u[i * c + w] + u[i * c + e];
  }
}

GRID(by_greater) {
  OVER_ALL {
    const int s = i + 1 >= r ? 0 : i + 1, n = i < 1 ? r - 1 : i - 1;
    const int e = j > c - 2 ? 0 : j + 1, w = j <= 0 ? c - 1 : j - 1;
    HERE(out) = u[n * c + j] + u[s * c + j] + u[i * c + w] + u[i * c + e];
  }
}

GRID(by_if) {
  OVER_ALL {
    int n = i - 1, s = i + 1, w = j - 1, e = j + 1;
    if (n < 0)
      n = r - 1;
    if (s >= r)
      s -= r;
    if (w < 0)
      w += c;
    if (e == c)
      e = 0;
    HERE(out) = u[n * c + j] + u[s * c + j] + u[i * c + w] + u[i * c + e];
  }
}

/// Unsigned, and as wide as addresses.
GRID(by_size) {
  const size_t r = (size_t)rows, c = (size_t)columns;
  for (size_t i = 0; i < r && c > 0; ++i)
    for (size_t j = 0; j < c; ++j)
      HERE(out) = 0.25 * (u[(i + 1) % r * c + j] + u[(i + r - 1) % r * c + j] +
                          WEST(u) + EAST(u) - 4 * HERE(u));
}

GRID(by_long) {
  const long r = rows, c = columns;
  if (r > 0 && c > 0)
    for (long i = 0; i < r; ++i)
      for (long j = 0; j < c; ++j)
        HERE(out) = ROUND(u) * 0.3 + u[i * c + (j + 1) % c] * 0.1 +
                    u[i * c + (j + c - 1) % c] * 0.1;
}

/// Pointers are chosen, not indices.
GRID(by_pointer) {
  OVER_ALL {
    const double *n = i == 0 ? u + (r - 1) * c : u + (i - 1) * c;
    const double *s = i == r - 1 ? u : u + (i + 1) * c;
    HERE(out) = n[j] + s[j] + 0.5 * (WEST(u) + EAST(u));
  }
}

GRID(rows_down) {
  SIZES;
  for (int i = r - 1; i >= 0; --i)
    for (int j = 0; j < c; ++j)
      HERE(out) = 0.5 * ROUND(u) + HERE(u);
}

GRID(all_down) {
  SIZES;
  for (int i = r - 1; i >= 0; --i)
    for (int j = c - 1; j >= 0; --j)
      HERE(out) =
          0.5 * ROUND(u) + u[(i + 1) % r * c + j] + u[(i + r - 1) % r * c + j];
}

GRID(square) {
  const int r = BELOW(rows, 6), c = r;
  OVER(r, c)
  HERE(out) = 0.5 * ROUND(u) + HERE(u);
}

/// Three directions.
GRID(seven) {
  PLANES {
    const double *x = u + k * r * c;
    out[(k * r + i) * c + j] =
        0.1 * (ROUND(x) + u[(PRIOR(k, l) * r + i) * c + j] +
               u[(NEXT(k, l) * r + i) * c + j]) +
        HERE(x);
  }
}

//===----------------------------------------------------------------------===//
// What is computed.

GRID(nonlinear) { OVER_ALL HERE(out) = 0.3 * ROUND(u) + OWN; }

/// A tube: periodic one way, clamped the other.
GRID(tube) {
  OVER_ALL HERE(out) = 0.3 * (UP(u) + DOWN(u) + WEST(u) + EAST(u)) + OWN;
}

GRID(other_tube) {
  OVER_ALL HERE(out) = NORTH(u) + SOUTH(u) + LEFT(u) + RIGHT(u);
}

/// Both in one direction.
GRID(both) {
  OVER_ALL HERE(out) = WEST(u) + EAST(u) + 0.5 * (LEFT(u) + RIGHT(u)) +
                       2 * (UP(u) + DOWN(u)) - 0.1 * (NORTH(u) + SOUTH(u));
}

/// The adjoint of a coefficient is a sum over the grid.
GRID(coefficients) {
  OVER_ALL {
    HERE(out) = other[0] * ROUND(u) + other[1] * HERE(u);
    HERE(v) = other[2] * ROUND(u) + HERE(u);
  }
}

GRID(coupled) {
  OVER_ALL {
    HERE(out) = 0.4 * ROUND(u) + HERE(u) * HERE(v);
    HERE(other) = 0.2 * ROUND(v) - HERE(u) * HERE(u) * HERE(v);
  }
}

/// A coefficient of each place.
GRID(conducting) {
  OVER_ALL HERE(out) = HERE(v) * (ROUND(u) - 4 * HERE(u)) - data[i * c + j];
}

/// In time, from one array to another and back.
GRID(there_and_back) {
  SIZES;
  const int many = turns;
  for (int t = 0; t < many; ++t) {
    OVER(r, c) HERE(out) = HERE(u) + 0.1 * (ROUND(u) - 4 * HERE(u));
    OVER(r, c) HERE(u) = HERE(out) + 0.1 * (ROUND(out) - 4 * HERE(out));
  }
}

PLAIN(plain) { OVER_ALL HERE(out) = 0.2 * ROUND(u) + 0.3 * HERE(v); }

//===----------------------------------------------------------------------===//
// Not the same for all, or not what it looks like.

/// Only one way.
GRID(upwind) { OVER_ALL HERE(out) = HERE(u) - 0.3 * (HERE(u) - WEST(u)); }

/// Each its own weight.
GRID(one_each) {
  OVER_ALL HERE(out) =
      0.1 * NORTH(u) + 0.2 * SOUTH(u) + 0.3 * WEST(u) + 0.4 * EAST(u);
}

GRID(central) { OVER_ALL HERE(out) = EAST(u) - WEST(u) + SOUTH(u) - NORTH(u); }

/// On one side periodic, on the other clamped.
GRID(mixed) { OVER_ALL HERE(out) = WEST(u) + RIGHT(u) + UP(u) + SOUTH(u); }

/// On to the last but one, or from the second.
GRID(short_of_it) {
  OVER_ALL HERE(out) =
      u[i * c + (j == 0 ? BELOW(c - 1, ABOVE(c - 2, 0)) : j - 1)] +
      u[i * c + (j == c - 1 ? BELOW(1, c - 1) : j + 1)] + NORTH(u) + SOUTH(u);
}

/// A helix: the end of a row is next to the begin of the next one.
GRID(helix) {
  OVER_ALL {
    const int cell = i * c + j, all = r * c;
    out[cell] =
        u[(cell + 1) % all] + u[(cell + all - 1) % all] + NORTH(u) + SOUTH(u);
  }
}

/// By another number than the grid has.
GRID(other_period) {
  OVER_ALL HERE(out) = u[i * c + (j + 1) % (c + 1)] +
                       u[i * c + (j + c - 1) % (c + 1)] + NORTH(u) + SOUTH(u);
}

/// Of fewer places than there are.
GRID(within) {
  SIZES;
  for (int i = 0; i < r; ++i)
    for (int j = 0; j + 1 < c; ++j)
      HERE(out) =
          u[i * c + (j + 1) % c] + u[i * c + (j + c - 1) % c] + SOUTH(u);
}

/// Where a choice is, there may be other numbers, too.
GRID(by_data) {
  OVER_ALL HERE(out) = u[i * c + (data[j] > 0.5 ? 0 : NEXT(j, c))] + WEST(u) +
                       (j == 0 ? 2 * HERE(v) : HERE(v)) + NORTH(u) + SOUTH(u);
}

GRID(in_place) { OVER_ALL HERE(u) = 0.2 * ROUND(u) + 0.1 * HERE(u); }

GRID(accumulated) { OVER_ALL HERE(out) += 0.2 * ROUND(u); }

GRID(scattered) {
  OVER_ALL {
    const double a = 0.2 * HERE(u) * HERE(u);
    NORTH(out) += a;
    SOUTH(out) += a;
    WEST(out) += a;
    EAST(out) += a;
  }
}

int main(void) {
  fill();
  CHECK4(by_ternary, by_remainder, by_variables, by_less)
  CHECK4(by_greater, by_if, by_size, by_long)
  CHECK4(by_pointer, rows_down, all_down, square)
  CHECK4(seven, nonlinear, tube, other_tube)
  CHECK4(both, coefficients, coupled, there_and_back)
  CHECK4(plain, upwind, one_each, central)
  CHECK4(mixed, short_of_it, helix, other_period)
  CHECK4(within, by_data, in_place, accumulated)
  CHECK(scattered)
  CHECK(conducting)
  // Before and behind.
  CHECK_AT(plain, 0, MOST, 1, 3 * MOST)
  CHECK_AT(plain, columns, MOST, 0, 3 * MOST)
  CHECK_AT(plain, 0, 2 * MOST, columns * rows, 3 * MOST)
  return finish();
}
