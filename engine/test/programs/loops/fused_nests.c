// Nests of loops that only sum up, of which the reverse pass runs the inner
// iterations, too, forward and backward at a time; loops that what follows them
// waits for; and others that look like them, and must not be run so.
#include "../check.h"

enum { N = 12, K = 3 };

MARKERS(enzyme_width);

static int turns, within;
static double data[N];
static int order[N];

#define MANY NOINLINE static void

//===----------------------------------------------------------------------===//
// Sums over pairs.

MANY pairs(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  double s = 0;
  for (int i = 0; i < outer; ++i) {
    const double scaled = sin(x[i]);
    for (int j = 0; j < inner; ++j) {
      const double d = scaled - x[j] * data[i];
      s += exp(-d * d) / (1 + d * d);
    }
  }
  results[1] = 0.5 * s;
}

/// The mean, and a way past the loop.
MANY mean(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  double s = 0.25;
  for (int i = 0; i < outer; ++i) {
    const double r = exp(-x[i]) - sin(x[(i + 1) % N]);
    s += r * r * exp(r);
  }
  results[0] = s / (outer + 1);
  results[2] = x[0] * x[1] - 2 * s;
}

/// A row of sums in memory, for each of some groups; the last of all three
/// loops is within the others.
MANY groups(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns / K, inner = within;
  for (int i = 0; i < outer; ++i) {
    double at[K], sum[K];
    for (int k = 0; k < K; ++k)
      sum[k] = 0, at[k] = x[i] * sin(x[k]);
    for (int l = 0; l < inner; ++l) {
      double place[K];
      for (int k = 0; k < K; ++k)
        place[k] = at[k] * data[l] + x[l];
      for (int b = 0; b < inner; ++b)
        for (int k = 0; k < K; ++k) {
          const double d = place[k] - x[b];
          sum[k] += exp(-d * d) - (data[b] > 0.5 ? d * d : 0.1 * d);
        }
    }
    for (int k = 0; k < K; ++k)
      results[i * K + k] = sum[k] * 0.5 - x[k];
  }
}

/// What is behind the inner loop hands on to the next iteration.
MANY handed_on(const double *restrict x, double *restrict results,
               UNUSED int n) {
  const int outer = turns, inner = within;
  double total = 0, last = 0.5;
  int many = 0;
  for (int i = 0; i < outer; ++i) {
    double s = x[i];
    if (i % 3 != 1)
      for (int j = 0; j < inner; ++j)
        s += exp(x[j] * x[i]) * sin(x[j]);
    many += i % 2 + 1;
    last = data[i] + many;
    total += 2 * s;
  }
  results[3] = total * last;
  results[4] = many;
}

/// Into bins, up and down.
MANY bins(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j) {
      const double y = exp(sin(x[i] * x[j]));
      results[order[(i + j) % N]] += y * y;
      results[order[j]] -= 0.5 * y;
    }
}

/// Two loops beside each other in the iterations of a third.
#define BESIDE(name, First, Second, Result)                                    \
  MANY name(const double *restrict x, double *restrict results,                \
            UNUSED int n) {                                                    \
    const int outer = turns, inner = within;                                   \
    for (int i = 0; i < outer; ++i) {                                          \
      double s = 0, t = 0;                                                     \
      for (int j = 0; j < inner; ++j)                                          \
        First;                                                                 \
      for (int j = 0; j < inner; ++j)                                          \
        Second;                                                                \
      results[i] = Result;                                                     \
    }                                                                          \
  }
BESIDE(two_beside, s += exp(sin(x[j] * x[i])), t += exp(x[j]) * sin(x[i]),
       s - 3 * t + x[i] * x[0])
/// The second needs nothing kept, or the first does not.
BESIDE(second_repeats, s += exp(sin(x[j] * x[i])),
       t += x[j] * x[i] * x[i] * x[j], s - 3 * t)
BESIDE(first_repeats, t += x[j] * x[i] * x[i] * x[j],
       s += exp(sin(x[j] * x[i])), s - 3 * t)

MANY stored_behind(const double *restrict x, double *restrict results,
                   UNUSED int n) {
  const int outer = turns / K, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = 0;
    for (int j = 0; j < inner; ++j)
      s += exp(sin(x[j] * x[i]));
    for (int k = 1; k < K; ++k)
      results[i * K + k] = x[k] * x[i] * x[i] * x[k] * data[k];
    results[i * K] = s;
  }
}

/// This one or that.
MANY either(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = x[i];
    int j = inner;
    if (i % 3 == 0)
      do
        s += exp(sin(x[j % N] * x[i]));
      while (--j > 0);
    else
      do
        s -= exp(x[j % N] * x[i]) * x[i];
      while (--j > 0);
    results[i] = 2 * s - x[i];
  }
}

/// A loop behind it.
MANY spread(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer / K; ++i) {
    double s = 0;
    for (int j = 0; j < inner; ++j)
      s += exp(sin(x[j] * x[i]));
    for (int k = 0; k < K; ++k)
      results[i * K + k] = s * data[k];
  }
}

//===----------------------------------------------------------------------===//
// What follows needs what the loop makes of it, or the loop does.

MANY squared(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = 0;
    for (int j = 0; j < inner; ++j)
      s += exp(sin(x[j] * x[i]));
    results[i] = s * s;
  }
}

MANY root(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  double s = 1;
  for (int i = 0; i < outer; ++i)
    s += exp(sin(x[i]));
  results[2] = sqrt(s) * x[1];
}

MANY decided(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = 0;
    for (int j = 0; j < inner; ++j)
      s += exp(sin(x[j] * x[i]));
    if (s > 8)
      results[i] = s - 8;
    else
      results[i] = 2 * s - 16;
  }
}

MANY counted(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = 0;
    int large = 1;
    for (int j = 0; j < inner; ++j) {
      const double y = exp(sin(x[j] * x[i]));
      large += data[j] > 0.5;
      s += y;
    }
    results[i] = s / large;
  }
}

/// Where it is stored the loop has found out, or stands in memory.
MANY found(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  double s = 0;
  int at = 0;
  for (int i = 0; i < outer; ++i) {
    const double y = exp(sin(x[i]));
    if (data[i] > 0.6)
      at = i;
    s += y * y;
  }
  results[at] = s;
}

static int where[1];

MANY noted(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  double s = 0;
  where[0] = 0;
  for (int i = 0; i < outer; ++i) {
    const double y = exp(sin(x[i]));
    where[0] = i;
    s += y * y;
  }
  results[where[0]] = s;
}

/// What it is weighted with is computed by the loop's side.
MANY weighted_later(const double *restrict x, double *restrict results,
                    UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = 0, w = 0;
    for (int j = 0; j < inner; ++j) {
      s += exp(sin(x[j] * x[i]));
      w += data[j];
    }
    results[i] = w * s;
  }
}

/// With memory that is other numbers then.
static double weight[1];

MANY weighted_now(const double *restrict x, double *restrict results,
                  UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 0; i < outer; ++i) {
    double s = 0;
    for (int j = 0; j < inner; ++j) {
      s += exp(sin(x[j] * x[i]));
      weight[0] = data[j];
    }
    results[i] = weight[0] * s;
  }
}

/// The next iteration reads what was stored behind.
MANY read_next(const double *restrict x, double *restrict results,
               UNUSED int n) {
  const int outer = turns, inner = within;
  for (int i = 1; i < outer; ++i) {
    double s = 0;
    for (int j = 0; j < inner; ++j)
      s += exp(sin(x[j] * results[i - 1]));
    results[i] = 0.1 * s;
  }
}

//===----------------------------------------------------------------------===//
// Memory that is not only added to.

MANY scaled(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i)
    results[order[i] % K] = results[order[i] % K] * 0.9 + exp(sin(x[i]));
}

MANY twice(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i) {
    double *to = &results[order[i] % K];
    *to = *to + exp(sin(x[i])) + *to;
  }
}

MANY taken_from(const double *restrict x, double *restrict results,
                UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i)
    results[order[i] % K] = exp(sin(x[i])) - results[order[i] % K];
}

MANY looked_at(const double *restrict x, double *restrict results,
               UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i)
    results[order[i] % K] += exp(sin(x[i] * results[(i + 1) % N]));
}

MANY begun_anew(const double *restrict x, double *restrict results,
                UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i) {
    results[order[i] % K] += exp(sin(x[i]));
    if (i % 4 == 3)
      results[(i / 4) % K] = exp(x[i]);
  }
}

/// It changes between the load and the store.
MANY in_between(const double *restrict x, double *restrict results,
                UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i) {
    double *a = &results[order[i] % K], *b = &results[i % K];
    const double was = *a;
    *b = exp(x[i]) * x[0];
    *a = was + exp(sin(x[i]));
  }
}

/// From one place to another.
MANY moved(const double *restrict x, double *restrict results, UNUSED int n) {
  const int outer = turns;
  for (int i = 0; i < outer; ++i)
    results[order[i] % K] = results[i % K] + exp(sin(x[i]));
}

//===----------------------------------------------------------------------===//

typedef void (*many)(const double *, double *, int);
static many which;
static const double weights[N] = {1,   -2, 3, 0.5, 1.5, -1,
                                  0.7, -3, 2, 0.2, -1,  1};

static double weighted(const double *x, int n) {
  double results[N];
  for (int i = 0; i < N; ++i)
    results[i] = 0.1 * i;
  which(x, results, n);
  return dot(weights, results, N);
}

#define CHECK(f)                                                               \
  for (turns = 0; turns <= N; turns += 1 + turns / 3)                          \
    for (within = 0; within <= N; within = 3 * within + 1) {                   \
      double g[N] = {0}, results[N], want[N], seeds[N];                        \
      for (int i = 0; i < N; ++i)                                              \
        results[i] = want[i] = 0.1 * i, seeds[i] = weights[i];                 \
      which = f;                                                               \
      __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, results,      \
                        seeds, N);                                             \
      GRADIENT(weighted, x, g, N);                                             \
      f(x, want, N);                                                           \
      for (int i = 0; i < N; ++i)                                              \
        NEAR(results[i], want[i], 1e-15);                                      \
    }

int main(void) {
  double x[N];
  for (int i = 0; i < N; ++i) {
    x[i] = 0.4 + 0.37 * ((7 * i) % N) / N;
    data[i] = 0.2 + 0.6 * ((5 * i) % N) / N;
    order[i] = (5 * i + 2) % N;
  }
  CHECK(pairs)
  CHECK(mean)
  CHECK(groups)
  CHECK(handed_on)
  CHECK(bins)
  CHECK(two_beside)
  CHECK(second_repeats)
  CHECK(first_repeats)
  CHECK(stored_behind)
  CHECK(either)
  CHECK(spread)
  CHECK(squared)
  CHECK(root)
  CHECK(decided)
  CHECK(counted)
  CHECK(found)
  CHECK(noted)
  CHECK(weighted_later)
  CHECK(weighted_now)
  CHECK(read_next)
  CHECK(scaled)
  CHECK(twice)
  CHECK(taken_from)
  CHECK(looked_at)
  CHECK(begun_anew)
  CHECK(in_between)
  CHECK(moved)
  // Lanes.
  turns = N, within = 7;
  double one[N] = {0}, other[N] = {0}, results[N] = {0}, first[N], second[N];
  for (int i = 0; i < N; ++i)
    first[i] = weights[i], second[i] = 2 * weights[i];
  which = groups;
  __enzyme_autodiff((void *)groups, enzyme_width, 2, enzyme_dup, x, one, other,
                    enzyme_dup, results, first, second, N);
  GRADIENT(weighted, x, one, N);
  for (int i = 0; i < N; ++i)
    NEAR(other[i], 2 * one[i], 1e-13);
  return finish();
}
