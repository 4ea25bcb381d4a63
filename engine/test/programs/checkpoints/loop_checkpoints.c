// OPTIONS: -mllvm -retro-checkpoint-above=6000 -mllvm -retro-tape-stats
// Loops of local state that nobody marked: where the tape would take more than
// is allowed, their iterations run again in blocks. The gradient is that of
// split mode, which keeps the whole tape; the memory is not.
#include "../check.h"

enum { ABOVE = 6000, inputs = 7, numbers = 6 };
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern uint64_t __retro_tape_bytes;
#if defined __OPTIMIZE__ && !__has_feature(undefined_behavior_sanitizer)
#define CHECKPOINTED // checks are ways out of a loop
extern struct {
  uint64_t advances, reversals, snapshots, bytes;
} __retro_checkpoint_counts;
#define REVERSALS __retro_checkpoint_counts.reversals
#define STATE_BYTES __retro_checkpoint_counts.bytes
#endif

typedef double function(const double *p, const double *in, long n, long m);
#define FUNCTION(Name)                                                         \
  NOINLINE static double Name(const double *p, const double *in, long n,       \
                              UNUSED long m)

FUNCTION(lorenz) {
  double x = p[3], y = p[4], z = p[5];
  const double h = 1e-3 * in[0];
  for (long t = 0; t < n; ++t) {
    double dx = p[0] * y - 0.1 * x, dy = x * (p[1] - z), dz = x * y - p[2] * z;
    x += h * dx;
    y += h * dy;
    z += h * dz;
  }
  return x * y + z;
}

/// Reads an input array that it does not walk through; the one before the last
/// state leaves the loop as well.
FUNCTION(driven) {
  double x = p[0], y = p[1], before = 0;
  for (long t = 0; t < n; ++t) {
    before = x;
    x = x + 0.01 * sin(y) - 0.002 * x * in[t % inputs];
    y = y - 0.01 * before * p[2];
  }
  return x * y + before;
}

/// State in an array, and in whole numbers.
FUNCTION(hashed) {
  double s[4] = {p[0], p[1], p[2], p[3]};
  unsigned seed = 12345;
  for (long t = 0; t < n; ++t) {
    seed = seed * 1664525u + 1013904223u;
    unsigned a = seed >> 30, b = (seed >> 28) & 3;
    s[a] = 0.999 * s[a] + 1e-3 * s[b] * s[b] * in[2];
    if (seed & 1024)
      s[b] = s[b] * (1 + 0.002 * sin(s[a]) * p[4]) - 1e-3;
  }
  return s[0] * s[1] + s[2] * s[3] + (double)(seed >> 24);
}

/// The loop within runs as often as somebody says, backwards.
FUNCTION(nested) {
  double x = p[0], y = p[1], z = p[2];
  for (long t = n; t > 0; t -= 2) {
    for (long k = 0; k < m; ++k) {
      double old = x;
      x = x * (1 - 0.001 * y) + 0.001 * z * in[k];
      y = 0.999 * y + 0.001 * old * x;
    }
    z = 0.99 * z + 0.01 * cos(x * y);
  }
  return x * y * z;
}

/// Two loops: the second goes on where the first one ends.
FUNCTION(twice) {
  double x = p[0], y = p[1], z = 0.1;
  for (long t = 0; t < n; ++t) {
    x = x + 0.01 * y * p[2] * z;
    y = y - 0.01 * sin(x) * p[3];
    z = 0.999 * z + 0.001 * x * y;
  }
  double sum = x * z;
  for (long t = 0; t < n + m; ++t) {
    sum += x * y * 0.001;
    x = 0.999 * x + 0.001 * y * sin(sum);
    y = y - 0.001 * x * y * in[1];
  }
  return sum;
}

/// The state is in the variables of a function that is called.
NOINLINE static void turn(double *s, double a) {
  double old = s[0];
  s[0] = s[0] * (1 - 0.001 * a) + 0.002 * s[1] * s[2];
  s[1] = s[1] - 0.002 * old * a;
  s[2] = 0.999 * s[2] + 0.001 * cos(old);
}
FUNCTION(called) {
  double s[3] = {p[0], p[1], p[2]};
  for (long t = 0; t < n; ++t)
    turn(s, p[3]);
  return s[0] * s[1] + s[2] + in[3];
}

/// Numbers of both sizes.
FUNCTION(mixed) {
  float x = (float)p[0], y = (float)p[1];
  double z = p[2];
  for (int t = 0; t < (int)n; ++t) {
    x = 0.5f * x * y + 0.25f;
    y = y * 0.75f + 0.125f * x;
    z = 0.999 * z + 0.001 * (double)x * (double)y * z * p[3];
  }
  return (double)(x * y) * z * in[0];
}

/// Variables that are written before the loop, in it, and after it; numbers
/// and whole numbers, of which some stay as they are.
FUNCTION(ring) {
  double last[5] = {p[0], p[1], p[2] * p[3], 0.3, p[4] * p[4]};
  double rate[3] = {p[0] * in[0], p[5] * in[1], 0.4};
  int seen[5] = {0};
  for (long t = 0; t < n; ++t) {
    double *x = &last[(3 * t) % 5];
    ++seen[(t * t) % 5];
    *x += 0.002 * last[t % 5] * sin(last[(t + 1) % 5]) * rate[t % 3];
    if (t % 7 == 3)
      last[2] = last[2] * (1 - 1e-4 * seen[t % 5] * rate[1]);
  }
  double sum = last[1] * last[2] * seen[4];
  last[1] = p[5];
  for (int k = 0; k < 5; ++k)
    sum += last[(n + k) % 5] * (k + 1) * seen[k] * 1e-3;
  return sum;
}

/// Newton's method in each step, of trips that nobody knows; a step of a few
/// kinds; and all of it only where somebody says so.
FUNCTION(implicit) {
  double x = p[0], y = p[1], z = 1;
  if (m > 3)
    for (long t = 5; t < n + 5; ++t) {
      double next = x;
      while (fabs(next - x - 0.001 * y * cos(next)) > 1e-14)
        next -=
            (next - x - 0.001 * y * cos(next)) / (1 + 0.001 * y * sin(next));
      x = next;
      switch (t % 4) {
      case 0:
        y += 0.001 * x * p[2];
        break;
      case 1:
        z = z + 0.001 * y * z * in[4];
        break;
      default:
        y = fmax(y * 0.9995, 0.2 * z);
      }
    }
  return x * y * z * p[3];
}

/// Left alone: it writes memory of somebody else, or may leave early, or reads
/// what the function writes.
FUNCTION(recorded) {
  static double last[inputs];
  double x = p[0], y = p[1], z = p[2];
  for (long t = 0; t < n; ++t) {
    x = x * (1 - 0.001 * y * z);
    y = y * (1 - 0.002 * x * z);
    z = 0.999 * z + 0.001 * y * in[0];
    last[t % inputs] = z;
  }
  return x * y * last[(n + inputs - 1) % inputs];
}
FUNCTION(early) {
  double x = p[0], y = p[1], z = p[2];
  for (long t = 0; t < n; ++t) {
    x = x * (1 - 0.001 * y * z);
    y = y * (1 - 0.002 * x * z);
    if (y < 1e-9)
      return x;
    z = 0.999 * z + 0.001 * y * in[0];
  }
  return x * y * z;
}

static const double p[numbers] = {1.1, 0.9, 0.8, 0.7, 0.6, 0.5};
static const double in[inputs] = {0.9, 0.4, 0.7, 0.3, 0.8, 0.6, 0.5};

typedef struct {
  double p[numbers], in[inputs];
} gradient;

/// The larger the tape, the more of it must not be there.
static void compare(int line, const gradient *got, const gradient *want) {
  double most = 0;
  for (int k = 0; k < numbers; ++k) {
    near_at(line, "of a parameter", got->p[k], want->p[k], 2e-13);
    most = fmax(most, fabs(want->p[k]));
  }
  for (int k = 0; k < inputs; ++k)
    near_at(line, "of an input", got->in[k], want->in[k], 2e-13);
  near_at(line, "there is a gradient", most > 1e-6, 1, 0);
}

#define RUN(Name, n, m, Got)                                                   \
  do {                                                                         \
    gradient want = {{0}, {0}};                                                \
    memset(&(Got), 0, sizeof(Got));                                            \
    void *tape = __enzyme_augmentfwd((void *)Name, enzyme_dup, p, want.p,      \
                                     enzyme_dup, in, want.in, n, m);           \
    __enzyme_reverse((void *)Name, enzyme_dup, p, want.p, enzyme_dup, in,      \
                     want.in, n, m, 1.0, tape);                                \
    RESET;                                                                     \
    __enzyme_autodiff((void *)Name, enzyme_dup, p, (Got).p, enzyme_dup, in,    \
                      (Got).in, n, m);                                         \
    compare(__LINE__, &(Got), &want);                                          \
  } while (0)

#ifdef CHECKPOINTED
#define RESET                                                                  \
  __retro_tape_bytes = 0;                                                      \
  REVERSALS = STATE_BYTES = 0
#define FEW(Name, n, m, Blocks)                                                \
  do {                                                                         \
    gradient got;                                                              \
    RUN(Name, n, m, got);                                                      \
    NEAR(REVERSALS >= (Blocks), 1, 0);                                         \
    NEAR(STATE_BYTES <= ABOVE / 2, 1, 0);                                      \
    NEAR(__retro_tape_bytes <= ABOVE, 1, 0);                                   \
  } while (0)
#define ALL(Name, n, m)                                                        \
  do {                                                                         \
    gradient got;                                                              \
    RUN(Name, n, m, got);                                                      \
    NEAR((double)REVERSALS, 0, 0);                                             \
  } while (0)
#else // what is not optimized is left alone
#define RESET __retro_tape_bytes = 0
#define FEW(Name, n, m, Blocks) ALL(Name, n, m)
#define ALL(Name, n, m)                                                        \
  do {                                                                         \
    gradient got;                                                              \
    RUN(Name, n, m, got);                                                      \
  } while (0)
#endif

/// Numbers that are passed as such.
NOINLINE static double passed(double a, double b, double c, long n) {
  double x = a;
  for (long t = 0; t < n; ++t)
    x = x * (1 - 0.01 * b * x) + 0.01 * c * sin(x);
  return x;
}
static double passedAt(const double *v, int n) {
  return passed(v[0], v[1], v[2], 400 + n);
}
struct three {
  double a, b, c;
};
struct three __enzyme_autodiff_three(void *, ...);

/// A gradient that is differentiated itself keeps its tape.
static double slopeOf(double a) {
  return __enzyme_autodiff((void *)passed, enzyme_out, a, enzyme_const, 0.8,
                           enzyme_const, 0.3, 300l);
}

int main(void) {
  for (long n = 0; n < 4; ++n) {
    ALL(lorenz, n, 0);
    ALL(driven, n, 0);
    ALL(nested, 2 * n + 1, n);
    ALL(twice, n, 0);
  }
  FEW(lorenz, 251, 0, 4); // 24 bytes an iteration
  ALL(lorenz, 250, 0);
  FEW(lorenz, 1000, 0, 16);
  FEW(lorenz, 5000, 0, 30);
  FEW(driven, 1000, 0, 10);
  FEW(hashed, 2000, 0, 10);
  FEW(nested, 600, 5, 10);
  FEW(nested, 100, inputs, 4);
  ALL(nested, 20, 1);
  FEW(twice, 1000, 30, 20);
  FEW(called, 1000, 0, 10);
  FEW(mixed, 2000, 0, 10);
  FEW(ring, 3000, 0, 10);
  FEW(implicit, 700, 4, 10);
  ALL(implicit, 700, 3);
  ALL(recorded, 1000, 0);
  ALL(early, 1000, 0);

  const double v[3] = {0.9, 0.8, 0.83};
  struct three d =
      __enzyme_autodiff_three((void *)passed, enzyme_out, v[0], enzyme_out,
                              v[1], enzyme_out, v[2], 403l);
  GRADIENT(passedAt, v, ((double[]){d.a, d.b, d.c}), 3);
  double dp[numbers] = {0}, din[2][inputs] = {{0}};
  __enzyme_autodiff((void *)driven, enzyme_const, p, enzyme_dup, in, din[0],
                    1000l, 0l);
  __enzyme_autodiff((void *)driven, enzyme_dup, p, dp, enzyme_dup, in, din[1],
                    1000l, 0l);
  NEAR(memcmp(din[0], din[1], sizeof din[0]), 0, 0);
  const double h = 1e-4;
  NEAR(__enzyme_fwddiff((void *)slopeOf, enzyme_dup, 0.9, 1.0),
       (slopeOf(0.9 + h) - slopeOf(0.9 - h)) / (2 * h), 1e-6);
  return finish();
}
