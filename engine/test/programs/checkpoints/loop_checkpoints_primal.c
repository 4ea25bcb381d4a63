// OPTIONS: -mllvm -retro-checkpoint-above=6000 -mllvm -retro-loop-order=0
// -mllvm -retro-preaccumulate=0 Loops of local state that nobody marked, in a
// function whose result is asked for with its gradient. Of two loops that sum
// up only the last can then wait for the reverse pass: the other has a tape,
// and is checkpointed.
#include "../check.h"

MARKERS(enzyme_primal_return);
#if defined __OPTIMIZE__ && !__has_feature(undefined_behavior_sanitizer)
extern struct {
  uint64_t advances, reversals, snapshots, bytes;
} __retro_checkpoint_counts;
#define REVERSALS __retro_checkpoint_counts.reversals
#define CHECKPOINTED 1
#else // checks are ways out of a loop
static uint64_t none;
#define REVERSALS none
#define CHECKPOINTED 0
#endif

enum { numbers = 3 };

#define FUNCTION(Name) NOINLINE static double Name(const double *p, long n)

FUNCTION(sums) {
  double s = 0, w = 0.7, v = 0.3;
  for (long t = 0; t < n; ++t) {
    w = w * 0.99 + 0.01 * w * w;
    s += sin(p[0] * w);
  }
  for (long t = 0; t < n; ++t) {
    v = v * 0.98 + 0.03 * v * v;
    s += sin(p[1] * v) * p[2];
  }
  return s / (double)(n + 1);
}

FUNCTION(state) {
  double x = p[0], y = p[1];
  for (long t = 0; t < n; ++t) {
    double old = x;
    x += 0.01 * sin(y) * p[2];
    y -= 0.01 * old;
  }
  return x * y;
}

/// The result is part of what is stored, too. Loops of called functions stay.
static double kept;
FUNCTION(stored) {
  double s = sums(p, n);
  kept = s;
  return s * p[0];
}

static long trips;
#define AT(Name)                                                               \
  static double Name##At(const double *p, UNUSED int n) {                      \
    return Name(p, trips);                                                     \
  }
AT(sums)
AT(state)
AT(stored)

#define CHECK(Name, N, AtLeast)                                                \
  do {                                                                         \
    double dp[numbers] = {0}, plain[numbers] = {0};                            \
    trips = N;                                                                 \
    const uint64_t before = REVERSALS;                                         \
    NEAR(__enzyme_autodiff((void *)Name, enzyme_primal_return, enzyme_dup, p,  \
                           dp, trips),                                         \
         Name(p, trips), 1e-14);                                               \
    NEAR(REVERSALS - before >= AtLeast * CHECKPOINTED, 1, 0);                  \
    __enzyme_autodiff_void((void *)Name, enzyme_dup, p, plain, trips);         \
    GRADIENT(Name##At, p, dp, numbers);                                        \
    for (int i = 0; i < numbers; ++i)                                          \
      NEAR(dp[i], plain[i], 1e-12);                                            \
  } while (0)

int main(void) {
  const double p[numbers] = {0.9, 0.8, 0.7};
  for (long n = 0; n < 4; ++n) {
    CHECK(sums, n, 0);
    CHECK(state, n, 0);
    CHECK(stored, n, 0);
  }
  CHECK(sums, 2000, 1);
  CHECK(state, 2000, 1);
  CHECK(stored, 2000, 0);
  return finish();
}
