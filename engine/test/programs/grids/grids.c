// Nests of loops over a grid of rows x columns that read neighbours, of which
// the adjoint reads what its neighbours give to a place instead of adding to
// them; and others that look like them, and must not be treated so.
#include "grids.h"

static int turns = 2;

//===----------------------------------------------------------------------===//
// Ways to clamp.

/// As most programs write it.
GRID(by_ternary) {
  const int r = rows, c = columns;
  OVER(r, c) {
    const int n = i > 0 ? i - 1 : 0, s = i < r - 1 ? i + 1 : r - 1;
    const int w = j > 0 ? j - 1 : 0, e = j < c - 1 ? j + 1 : c - 1;
    HERE(out) = 0.2 * (u[n * c + j] + u[s * c + j] + u[i * c + w] +
                       u[i * c + e] - 4 * HERE(u));
  }
}

/// Branches, that the optimizer makes choices of.
GRID(by_if) {
  OVER_ALL {
    int n = i - 1, e = j + 1;
    if (n < 0)
      n = 0;
    if (e > c - 1)
      e = c - 1;
    HERE(out) = u[n * c + j] + DOWN(u) + LEFT(u) + u[i * c + e];
  }
}

/// Maxima and minima, and what the place itself gives.
GRID(by_extrema) { OVER_ALL HERE(out) = HERE(u) + 0.1 * FOUR(u); }

/// Unsigned indices have no -1.
GRID(by_size) {
  const size_t r = (size_t)rows, c = (size_t)columns;
  for (size_t i = 0; i < r && c > 0; ++i)
    for (size_t j = 0; j < c; ++j) {
      const size_t n = i > 0 ? i - 1 : 0, s = i + 1 < r ? i + 1 : i;
      const size_t w = j > 0 ? j - 1 : 0, e = j + 1 < c ? j + 1 : j;
      HERE(out) = 0.25 * (u[n * c + j] + u[s * c + j] + u[i * c + w] +
                          u[i * c + e] - 4 * HERE(u));
    }
}

/// Indices as wide as addresses, or one of them.
#define BY(name, I, J)                                                         \
  GRID(name) {                                                                 \
    const I r = rows;                                                          \
    const J c = columns;                                                       \
    if (r > 0 && c > 0)                                                        \
      for (I i = 0; i < r; ++i)                                                \
        for (J j = 0; j < c; ++j)                                              \
          HERE(out) = 0.25 * FOUR(u) + HERE(u);                                \
  }
BY(by_long, long, long)
BY(by_both, int, long)

/// The same number of rows and columns: one number in both directions.
GRID(square) {
  const int r = BELOW(rows, 6), c = r;
  OVER(r, c)
  HERE(out) = 0.5 * FOUR(u) + HERE(u);
}

/// Three directions.
GRID(seven) {
  PLANES {
    const double *x = u + k * r * c;
    out[(k * r + i) * c + j] =
        0.1 * (FOUR(x) + u[(ABOVE(k - 1, 0) * r + i) * c + j] +
               u[(BELOW(k + 1, l - 1) * r + i) * c + j]) +
        HERE(x);
  }
}

/// Down in memory, in one direction or in both.
GRID(rows_down) {
  SIZES;
  for (int i = r - 1; i >= 0; --i)
    for (int j = 0; j < c; ++j)
      HERE(out) = 0.5 * FOUR(u) + HERE(u);
}

GRID(all_down) {
  SIZES;
  for (int i = r - 1; i >= 0; --i)
    for (int j = c - 1; j >= 0; --j)
      HERE(out) = 0.5 * FOUR(u) + HERE(u);
}

//===----------------------------------------------------------------------===//
// What is computed of the neighbours.

/// Two fields, and products of them: two arrays of seeds, both given on.
GRID(coupled) {
  OVER_ALL {
    const double x = HERE(u), y = HERE(v), xxy = x * x * y;
    HERE(out) = 0.2 * (FOUR(u) - 4 * x) + 1 + xxy - 4.4 * x;
    HERE(other) = 0.1 * (FOUR(v) - 4 * y) + 3.4 * x - xxy;
  }
}

/// The factor's gradient is a sum over the grid.
GRID(factor) {
  const double alpha = exp(other[0]);
  OVER_ALL HERE(out) = alpha * FOUR(u) + OWN;
}

/// One factor of two fields, which has two such sums.
GRID(one_of_two) {
  const double alpha = v[MOST - 1] * v[MOST - 2];
  OVER_ALL {
    HERE(out) = alpha * (FOUR(u) - 4 * HERE(u)) + HERE(u) * HERE(v);
    HERE(other) = alpha * (FOUR(v) - 4 * HERE(v)) - HERE(u) * HERE(u);
  }
}

//===----------------------------------------------------------------------===//
// The place itself, as a multiple of what its neighbours are: it shares their
// factor, here one whose gradient is a sum over the grid.

#define BALANCE(name, SUM)                                                     \
  GRID(name) {                                                                 \
    const double alpha = other[0] * other[1];                                  \
    OVER_ALL HERE(out) = alpha * (SUM);                                        \
  }
BALANCE(minus_four, FOUR(u) - 4 * HERE(u))
BALANCE(plus_three, 3 * HERE(u) + FOUR(u))
BALANCE(taken_in_two, FOUR(u) - 0.7 * HERE(u) - HERE(u) * 1.5)
BALANCE(taken_from, FOUR(u) - (4 * HERE(u) - 0.3 * HERE(v)))
BALANCE(twice_negative, FOUR(u) - (HERE(v) - (HERE(v) - 2 * HERE(u))))
BALANCE(of_two, 2 * HERE(u) + FOUR(u) + (FOUR(v) - 3 * HERE(v)))
BALANCE(last_of_two, FOUR(v) + (RIGHT(u) + (LEFT(u) + 2 * HERE(u))))
BALANCE(of_another, FOUR(u) - 4 * HERE(v))
BALANCE(of_next, FOUR(u) - 4 * RIGHT(v))
BALANCE(of_right, FOUR(u) - 4 * RIGHT(u))
BALANCE(by_itself, FOUR(u) - HERE(v) * HERE(u))
BALANCE(times_sum, (FOUR(u) - 4 * HERE(u)) * HERE(v))

/// A part of the sum is of use elsewhere.
GRID(in_common) {
  const double alpha = v[MOST - 1] * v[MOST - 2];
  OVER_ALL {
    const double part = HERE(v) - 4 * HERE(u) + HERE(data);
    HERE(out) = alpha * (FOUR(u) + part);
    HERE(other) = part * part;
  }
}

/// What is stored has the multiple as well, with another factor.
GRID(two_factors) {
  const double alpha = other[0] * other[1];
  OVER_ALL {
    const double x = HERE(u);
    HERE(out) = alpha * (FOUR(u) - 4 * x) + other[2] * 3 * x - x * x * HERE(v);
  }
}

//===----------------------------------------------------------------------===//

/// Coefficients of each place: no factor that is the same for neighbours.
GRID(coefficients) { OVER_ALL HERE(out) = HERE(v) * FOUR(u) + OWN; }

/// So are those that are not differentiated.
GRID(known) { OVER_ALL HERE(out) = HERE(data) * FOUR(u) + OWN; }

/// A factor of a row is the same in one direction, and its gradient is the sum
/// over the row alone.
GRID(by_row) { OVER_ALL HERE(out) = other[i] * FOUR(u) + OWN; }
GRID(by_column) { OVER_ALL HERE(out) = other[j] * FOUR(u) + OWN; }

/// The coefficients are neighbours, too.
GRID(both_near) { OVER_ALL HERE(out) = FOUR(v) * FOUR(u); }

/// Nothing of the place itself: of its seed only the neighbours make use.
GRID(only_near) { OVER_ALL HERE(out) = 0.3 * FOUR(u) + 0.2 * FOUR(v); }

/// A place's own part is not linear.
GRID(centre) { OVER_ALL HERE(out) = 0.3 * FOUR(u) + OWN; }

/// What is stored is not linear in the sum.
GRID(curved) { OVER_ALL HERE(out) = sin(FOUR(u)) * HERE(u); }

/// Each direction has a weight of its own.
GRID(directions) {
  OVER_ALL HERE(out) =
      other[0] * (UP(u) + DOWN(u)) + other[1] * (LEFT(u) + RIGHT(u)) + OWN;
}

/// Along one direction only.
GRID(along_rows) { OVER_ALL HERE(out) = 0.3 * (LEFT(u) + RIGHT(u)) + HERE(u); }
GRID(along_columns) { OVER_ALL HERE(out) = 0.3 * (UP(u) + DOWN(u)) + HERE(u); }

//===----------------------------------------------------------------------===//
// More than one nest.

/// Steps of time, and copied back in place.
GRID(steps) {
  const int many = turns, cells = rows * columns;
  for (int t = 0; t < many; ++t) {
    OVER_ALL HERE(out) = OWN + 0.1 * FOUR(u) * other[t];
    for (int k = 0; k < cells; ++k)
      u[k] = out[k];
  }
}

/// Steps from one to the other and back; what is read is not linear.
GRID(there_and_back) {
  const int many = turns;
  for (int t = 0; t < many; ++t) {
    {
      OVER_ALL HERE(out) = HERE(u) * HERE(u) + 0.1 * (FOUR(u) - 4 * HERE(u));
    }
    OVER_ALL HERE(u) = HERE(out) - 0.1 * (FOUR(out) - 4 * HERE(out));
  }
}

/// Pointers that change places.
GRID(ping_pong) {
  double *from = u, *to = out;
  const int many = turns;
  for (int t = 0; t < many; ++t) {
    OVER_ALL HERE(to) = sin(HERE(from)) * HERE(v) + 0.1 * FOUR(from);
    double *was = from;
    from = to, to = was;
  }
}

/// Planes, of which each has a factor, or which all read the same one.
GRID(planes_apart) {
  PLANES HERE((out + k * r * c)) = other[k] * FOUR((u + k * r * c)) + OWN;
}

GRID(one_for_all) { PLANES HERE((out + k * r * c)) = 0.3 * FOUR(u) + OWN; }

/// Two parts of one array.
GRID(two_parts) {
  OVER_ALL {
    HERE(out) = 0.3 * FOUR(u) + OWN;
    HERE((out + r * c)) = 0.3 * FOUR(v) + HERE(u) * HERE(v);
  }
}

/// In a function that is called twice.
NOINLINE static void scaled(ARRAY u, ARRAY v, ARRAY out, double alpha) {
  OVER_ALL HERE(out) = alpha * FOUR(u) + OWN;
}

GRID(called) {
  scaled(u, v, out, other[0]);
  scaled(out, v, other + 1, 0.1);
}

//===----------------------------------------------------------------------===//
// Neighbours of other kinds.

/// The next has another weight than the prior: upwind.
GRID(upwind) {
  OVER_ALL HERE(out) =
      0.7 * UP(u) + 0.2 * DOWN(u) + v[0] * LEFT(u) + v[1] * RIGHT(u) + HERE(u);
}

/// One of the two only, or one of each direction.
GRID(one_side) { OVER_ALL HERE(out) = 0.7 * RIGHT(u) + HERE(u); }
GRID(one_each) { OVER_ALL HERE(out) = DOWN(u) + LEFT(u); }

/// The one taken away: central differences.
GRID(central) { OVER_ALL HERE(out) = RIGHT(u) - LEFT(u) + UP(u) - DOWN(u); }

/// One of the two twice.
GRID(twice) {
  OVER_ALL HERE(out) = RIGHT(u) + LEFT(u) + HERE(u) + (RIGHT(u) + UP(u));
}

/// Two away.
GRID(two_away) {
  OVER_ALL HERE(out) =
      u[ABOVE(i - 2, 0) * c + j] + u[BELOW(i + 2, r - 1) * c + j] +
      u[i * c + ABOVE(j - 2, 0)] + u[i * c + BELOW(j + 2, c - 1)] + FOUR(u);
}

/// Across corners, besides those of the directions.
GRID(corners) {
  OVER_ALL {
    const int n = ABOVE(i - 1, 0), s = BELOW(i + 1, r - 1);
    const int w = ABOVE(j - 1, 0), e = BELOW(j + 1, c - 1);
    HERE(out) = u[n * c + w] + u[s * c + e] + u[n * c + e] + u[s * c + w] +
                0.5 * FOUR(u);
  }
}

/// Around the end.
GRID(periodic) {
  OVER_ALL HERE(out) = u[(i + 1) % r * c + j] + u[(i + r - 1) % r * c + j] +
                       u[i * c + (j + 1) % c] + u[i * c + (j + c - 1) % c];
}

/// At the boundary the neighbour is the one on the other side.
GRID(reflected) {
  OVER_ALL HERE(out) = u[BELOW(abs(i - 1), r - 1) * c + j] + DOWN(u) +
                       u[i * c + (j > 0 ? j - 1 : BELOW(1, c - 1))] + RIGHT(u);
}

/// At the boundary there is none.
GRID(absent) {
  OVER_ALL HERE(out) =
      (i > 0 ? HERE((u - c)) : 0) + (i < r - 1 ? HERE((u + c)) : 0) +
      (j > 0 ? HERE((u - 1)) : 0) + (j < c - 1 ? HERE((u + 1)) : 0);
}

/// Clamped to more rows than the loop has.
GRID(one_more) {
  const int r = rows - 1, c = columns;
  OVER(r, c)
  HERE(out) = UP(u) + u[BELOW(i + 1, r) * c + j] + LEFT(u) + RIGHT(u) + OWN;
}

/// Without the boundary, which keeps its seeds.
GRID(interior) {
  const int r = rows, c = columns;
  for (int i = 1; i < r - 1; ++i)
    for (int j = 1; j < c - 1; ++j)
      HERE(out) = FOUR(u) - 4 * HERE(u);
}

/// Of the interior, clamped to it, with rows that are longer.
GRID(within) {
  const int r = rows - 1, c = columns;
  for (int i = 1; i < r; ++i)
    for (int j = 1; j < c - 1; ++j)
      HERE(out) = u[ABOVE(i - 1, 1) * c + j] + DOWN(u) +
                  u[i * c + ABOVE(j - 1, 1)] + u[i * c + BELOW(j + 1, c - 2)];
}

/// Rows with something between them, of what is stored or of what is read.
GRID(out_apart) { OVER_ALL out[i * (c + 1) + j] = FOUR(u) - HERE(u); }
GRID(in_apart) {
  const int pitch = columns + 1;
  OVER_ALL out[i * c + j] =
      u[ABOVE(i - 1, 0) * pitch + j] + u[BELOW(i + 1, r - 1) * pitch + j] +
      u[i * pitch + ABOVE(j - 1, 0)] + u[i * pitch + BELOW(j + 1, c - 1)];
}

/// Rows of what is stored are columns of what is read.
GRID(transposed) { OVER_ALL out[j * r + i] = FOUR(u) + HERE(u); }

/// Not all of the grid.
GRID(triangle) {
  const int r = BELOW(rows, columns), c = r;
  for (int i = 0; i < r; ++i)
    for (int j = 0; j <= i; ++j)
      HERE(out) = FOUR(u);
}

//===----------------------------------------------------------------------===//
// What else the nest does.

/// The seeds stay, as what was there before stays.
GRID(accumulated) { OVER_ALL HERE(out) += 0.5 * FOUR(u) + OWN; }

/// Of one the seeds stay, of the other they do not.
GRID(half) {
  OVER_ALL {
    HERE(out) = FOUR(u) + OWN;
    HERE(other) += FOUR(u) * FOUR(u);
  }
}

/// It is only scaled.
GRID(weakened) { OVER_ALL HERE(out) = 0.5 * FOUR(u) - 0.1 * HERE(out); }

/// It is read again: here, and by a later iteration.
GRID(read_again) {
  OVER_ALL {
    HERE(out) = FOUR(u);
    HERE(other) = HERE(out) * HERE(out);
  }
}

GRID(read_later) { OVER_ALL HERE(out) = 0.1 * FOUR(u) + 0.5 * LEFT(out); }

/// The same array is what is read and what is stored.
GRID(in_place) { OVER_ALL HERE(u) = 0.25 * FOUR(u) + 0.1 * sin(HERE(u)); }

/// It stores to neighbours of what it reads.
GRID(scattered) {
  OVER_ALL {
    HERE(out) = FOUR(u);
    RIGHT(other) = HERE(v);
  }
}

/// Some places only.
GRID(some) { OVER_ALL if (HERE(data) > 0.5) HERE(out) = FOUR(u) + HERE(u); }

/// A sum over the whole grid.
GRID(summed) {
  double s = 0;
  OVER_ALL {
    HERE(out) = 0.2 * FOUR(u) + OWN;
    s += HERE(u) * HERE(v) * (UP(u) + DOWN(u));
  }
  other[0] = s;
}

/// Sums of rows.
GRID(row_sums) {
  SIZES;
  for (int i = 0; i < r; ++i) {
    double s = 0;
    for (int j = 0; j < c; ++j) {
      HERE(out) = 0.2 * FOUR(u) + OWN;
      s += HERE(u) * HERE(u);
    }
    other[i] = s;
  }
}

/// The first row has something of its own, and so has the last one: what the
/// reverse nest leaves behind is of one row.
GRID(first_row) {
  SIZES;
  double lead = v[0];
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < c; ++j)
      HERE(out) = 0.2 * FOUR(u) + OWN + lead;
    lead = 0.1 * i;
  }
}

GRID(last_row) {
  SIZES;
  double s = 0;
  for (int i = 0; i < r; ++i) {
    s = v[0];
    for (int j = 0; j < c; ++j) {
      HERE(out) = 0.2 * FOUR(u) + OWN;
      s += HERE(u) * HERE(v);
    }
  }
  other[0] = s;
}

/// Each row hands on to the next.
GRID(handed_on) {
  SIZES;
  double s = v[0];
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < c; ++j) {
      HERE(out) = 0.2 * FOUR(u) + s;
      s += 0.1 * HERE(u);
    }
    s *= data[i];
  }
}

//===----------------------------------------------------------------------===//
// Arrays that may overlap, and do.

PLAIN(plain) { OVER_ALL HERE(out) = 0.1 * FOUR(u) + 0.1 * OWN; }
PLAIN(plain_linear) { OVER_ALL HERE(out) = 0.2 * FOUR(u) + HERE(v); }

/// Two fields in one array.
GRID(planes) {
  const double *w = u + MOST / 2;
  const int r = BELOW(rows, 4), c = BELOW(columns, 6);
  OVER(r, c)
  HERE(out) = 0.3 * FOUR(u) + v[0] * FOUR(w) + HERE(u) * HERE(w);
}

/// Of one array to another place of it.
GRID(plane_to_plane) { OVER_ALL HERE((u + 3 * MOST)) = 0.3 * FOUR(u) + OWN; }

//===----------------------------------------------------------------------===//
// Coefficients of each place: what a neighbour gives is computed of it.

GRID(conducting) { OVER_ALL HERE(out) = HERE(v) * (FOUR(u) - 4 * HERE(u)); }

GRID(of_several) {
  OVER_ALL HERE(out) = (HERE(v) + 0.5 * data[i * c + j]) * FOUR(u) + OWN;
}

GRID(taken_off) { OVER_ALL HERE(out) = HERE(u) - HERE(v) * 0.3 * FOUR(u); }

/// One for each row, or column.
GRID(of_rows) { OVER_ALL HERE(out) = v[i] * FOUR(u) + v[c + j] * HERE(u); }

/// Not what it was when its neighbours have been there.
GRID(changing) {
  OVER_ALL {
    HERE(out) = HERE(v) * FOUR(u);
    HERE(v) = 0.5 * HERE(v) * HERE(v);
  }
}

/// Of another place than the iteration's.
GRID(of_others) {
  OVER_ALL HERE(out) = UP(v) * FOUR(u) + v[j * r + i] * (UP(u) + DOWN(u));
}

/// Much to compute.
GRID(long_product) {
  OVER_ALL {
    const double a = HERE(v), b = data[j * r + i], s = a * a + b;
    HERE(out) = s * a * (s + b) * (a - s) * b * FOUR(u);
  }
}

PLAIN(plain_conducting) { OVER_ALL HERE(out) = HERE(v) * FOUR(u) + HERE(u); }

//===----------------------------------------------------------------------===//

/// No overlap within a call, but between calls.
static inline void cell(const double *restrict n, const double *restrict s,
                        const double *restrict w, const double *restrict e,
                        const double *restrict by, double *restrict to) {
  *to = 0.2 * (*n + *s + *w + *e) + sin(*by) * *by * exp(*by);
}

PLAIN(by_cell) {
  OVER_ALL cell(&UP(u), &DOWN(u), &LEFT(u), &RIGHT(u), &HERE(v), &HERE(out));
}

//===----------------------------------------------------------------------===//

// Of other numbers than double.
#define STEP(name, T)                                                          \
  NOINLINE static void name(const T *restrict u, T *restrict out) {            \
    OVER_ALL HERE(out) = (T)0.25 * FOUR(u) + HERE(u) * HERE(u) * HERE(u);      \
  }
STEP(step, double)
STEP(step_float, float)

static void check_floats(void) {
  float of[ALL], g[ALL], seeds[ALL];
  double same[ALL], want[ALL], left[ALL];
  for (int i = 0; i < ALL; ++i) {
    same[i] = of[i] = (float)x[i], want[i] = g[i] = 0;
    left[i] = seeds[i] = (float)weights[i];
  }
  __enzyme_autodiff((void *)step, same, want, same + MOST, left);
  __enzyme_autodiff((void *)step_float, of, g, of + MOST, seeds);
  for (int i = 0; i < ALL; ++i) {
    NEAR(g[i], want[i], 1e-5);
    NEAR(seeds[i], left[i], 0);
  }
}

int main(void) {
  fill();
  CHECK4(by_ternary, by_if, by_extrema, by_size)
  CHECK4(by_long, by_both, square, seven)
  CHECK4(rows_down, all_down, coupled, factor)
  CHECK4(one_of_two, coefficients, known, by_row)
  CHECK4(by_column, only_near, centre, curved)
  CHECK4(directions, along_rows, along_columns, steps)
  CHECK4(there_and_back, ping_pong, planes_apart, one_for_all)
  CHECK4(two_parts, called, upwind, one_side)
  CHECK4(one_each, central, twice, two_away)
  CHECK4(corners, periodic, reflected, absent)
  CHECK4(one_more, both_near, interior, within)
  CHECK4(out_apart, in_apart, planes, transposed)
  CHECK4(triangle, accumulated, half, weakened)
  CHECK4(read_again, read_later, in_place, scattered)
  CHECK4(some, summed, row_sums, first_row)
  CHECK4(last_row, handed_on, plain, plain_linear)
  CHECK4(conducting, of_several, taken_off, of_rows)
  CHECK4(changing, of_others, long_product, plain_conducting)
  CHECK4(minus_four, plus_three, taken_in_two, taken_from)
  CHECK4(twice_negative, of_two, last_of_two, of_another)
  CHECK4(of_next, by_itself, times_sum, two_factors)
  CHECK4(of_right, in_common, plane_to_plane, by_cell)
  // Here, before and behind.
  CHECK_AT(plain, 0, MOST, 0, 3 * MOST)
  CHECK_AT(plain, 0, MOST, 1, 3 * MOST)
  CHECK_AT(plain, columns, MOST, 0, 3 * MOST)
  CHECK_AT(plain_linear, 0, MOST, columns, 3 * MOST)
  CHECK_AT(plain_linear, 1, MOST, 0, 3 * MOST)
  CHECK_AT(plain_conducting, 0, 0, 2 * MOST, 3 * MOST)
  CHECK_AT(plain_conducting, 0, MOST, 2 * MOST - 1, 3 * MOST)
  CHECK_AT(plain_conducting, 1, 2 * MOST, 0, 3 * MOST)
  CHECK_AT(by_cell, 0, 2 * MOST, columns + 1, 3 * MOST)
  CHECK_AT(by_cell, columns + 1, 2 * MOST, 0, 3 * MOST)
  // What is only read may be the same.
  CHECK_AT(coupled, 0, 0, 2 * MOST, 3 * MOST)
  CHECK_AT(coupled, 0, 1, 2 * MOST, 3 * MOST)
  CHECK_AT(one_of_two, 0, 0, 2 * MOST, 3 * MOST)
  CHECK_AT(factor, 0, 0, 2 * MOST, 1)
  CHECK_AT(of_two, 0, 0, 2 * MOST, 3 * MOST)
  CHECK_AT(of_another, 0, 0, 2 * MOST, 3 * MOST)
  rows = 6, columns = 7;
  check_floats();
  return finish();
}
