// NOT-SANITIZED: at O0, where the checks hide what is copied; at O2 it is, by a
// test of its own Checkpointed loops: the same bits as one tape gives, the
// fewest steps that the snapshots allow, and no more memory than they are
// given.
#include "../check.h"

#include <retrograde/checkpoint.h>

enum { cells = 40 };
extern uint64_t __retro_checkpoint_counts[4];
#define ADVANCES __retro_checkpoint_counts[0]
#define REVERSALS __retro_checkpoint_counts[1]
#define SNAPSHOTS __retro_checkpoint_counts[2]
#define BYTES __retro_checkpoint_counts[3]

typedef struct {
  double *u, *v, *work;
  double time, speed;
} field;

static NOINLINE void advance(field *f, int n) {
  for (int i = 0; i < n; ++i)
    f->work[i] = f->u[i] * f->u[(i + 1) % n] - 0.3 * f->v[i];
  for (int i = 0; i < n; ++i) {
    f->v[i] = 0.9 * f->v[i] + 0.01 * sin(f->work[i]);
    f->u[i] += 0.02 * f->speed * f->v[i];
  }
  f->time += 0.02 * f->u[0];
}

// The loop carries a sum, a product and the field.
#define LOOP(Name, MARKS)                                                      \
  static double Name(field *f, const double *k, int n, int steps) {            \
    double sum = 0, growth = 1;                                                \
    for (int t = 0; t < steps; ++t) {                                          \
      MARKS;                                                                   \
      advance(f, n);                                                           \
      sum += k[0] * f->u[t % n] * growth;                                      \
      growth *= 1 + 1e-3 * f->v[0] + 1e-4 * k[1];                              \
    }                                                                          \
    return sum + growth * f->time;                                             \
  }

#define STATE                                                                  \
  retro_checkpoint_state(f, sizeof *f);                                        \
  retro_checkpoint_state(f->u, (unsigned long)n * sizeof(double));             \
  retro_checkpoint_state(f->v, (unsigned long)n * sizeof(double));             \
  retro_checkpoint_state(f->work, 0)

LOOP(taped, )
LOOP(one, retro_checkpoint(1); STATE)
LOOP(three, retro_checkpoint(3); STATE)
LOOP(seven, retro_checkpoint(7); STATE)
LOOP(fitting, retro_checkpoint(0); STATE)

typedef double function(field *, const double *, int, int);

typedef struct {
  double u[cells], v[cells], work[cells];
  field f;
} memory;

static void fill(memory *m, int shadow) {
  memset(m, 0, sizeof *m);
  m->f = (field){m->u, m->v, m->work, 0, shadow ? 0 : 1.5};
  for (int i = 0; i < cells && !shadow; ++i) {
    m->u[i] = 1 + 0.3 * sin(i);
    m->v[i] = cos(3 * i);
  }
}

typedef struct {
  memory primal, shadow;
  double dk[2];
} outcome;

#define RUN(Name, Out, Steps)                                                  \
  do {                                                                         \
    const double k[2] = {0.7, 0.2};                                            \
    fill(&(Out)->primal, 0);                                                   \
    fill(&(Out)->shadow, 1);                                                   \
    (Out)->dk[0] = (Out)->dk[1] = 0;                                           \
    __enzyme_autodiff((void *)Name, &(Out)->primal.f, &(Out)->shadow.f, k,     \
                      (Out)->dk, cells, Steps);                                \
  } while (0)

static int same(const double *a, const double *b, int n) {
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

#define SAME(A, B)                                                             \
  do {                                                                         \
    NEAR(same((A)->shadow.u, (B)->shadow.u, cells), 1, 0);                     \
    NEAR(same((A)->shadow.v, (B)->shadow.v, cells), 1, 0);                     \
    NEAR(same((A)->dk, (B)->dk, 2), 1, 0);                                     \
    NEAR(same((A)->primal.u, (B)->primal.u, cells), 1, 0);                     \
    NEAR((A)->shadow.f.speed, (B)->shadow.f.speed, 0);                         \
    NEAR((A)->primal.f.time, (B)->primal.f.time, 0);                           \
  } while (0)

/// Fewest advances, found by trying every place of the next snapshot.
static int fewest(int steps, int snapshots) {
  static int known[101][9];
  if (steps < 2)
    return 0;
  if (snapshots == 1)
    return steps * (steps - 1) / 2;
  int *best = &known[steps][snapshots];
  for (int m = 1; m < steps && !(m == 1 && *best); ++m) {
    int cost = m + fewest(steps - m, snapshots - 1) + fewest(m, snapshots);
    if (m == 1 || cost < *best)
      *best = cost;
  }
  return *best;
}

static outcome a, b;

#define COMPARE(Name, Steps, Snapshots)                                        \
  do {                                                                         \
    RUN(taped, &a, Steps);                                                     \
    RUN(Name, &b, Steps);                                                      \
    SAME(&a, &b);                                                              \
    NEAR((double)REVERSALS, Steps, 0);                                         \
    NEAR((double)ADVANCES, fewest(Steps, Snapshots), 0);                       \
    NEAR((double)SNAPSHOTS, Steps < Snapshots ? Steps : Snapshots, 0);         \
  } while (0)

// Loops within loops, each marked.
static double nest(double *x, int outer, int inner) {
  for (int i = 0; i < outer; ++i) {
    retro_checkpoint(2);
    retro_checkpoint_state(x, 2 * sizeof *x);
    x[1] *= 1 + 0.01 * i;
    for (int j = 0; j < inner; ++j) {
      retro_checkpoint(2);
      retro_checkpoint_state(x, 2 * sizeof *x);
      x[0] = sin(x[0]) + 0.1 * x[1] * x[0];
    }
  }
  return x[0] * x[1];
}

static double nest_of(const double *x, int n) {
  double y[2] = {x[0], x[1]};
  return nest(y, n + 3, 6);
}

int main() {
  RUN(taped, &a, 10);
  NEAR(fabs(a.dk[0]) > 1 && fabs(a.shadow.u[3]) > 0.01, 1, 0);
  COMPARE(one, 9, 1);
  COMPARE(three, 50, 3);
  COMPARE(three, 2, 3);
  COMPARE(seven, 1, 7);
  COMPARE(seven, 100, 7);
  RUN(taped, &a, 90);
  RUN(fitting, &b, 90);
  SAME(&a, &b);
  // More states than the stack would bear.
  RUN(fitting, &b, 300000);
  NEAR(isfinite(b.dk[0]), 1, 0);
#ifndef BUDGET
  NEAR((double)SNAPSHOTS < 9000, 1, 0);
#endif
  RUN(fitting, &b, 90);
#ifdef BUDGET // the loop has it to itself
  NEAR(BYTES <= BUDGET / 2 && BYTES > BUDGET / 4, 1, 0);
#else
  NEAR((double)ADVANCES, 89, 0); // room for all
  NEAR((double)SNAPSHOTS, 90, 0);
#endif
  RUN(taped, &a, 0);
  RUN(three, &b, 0);
  SAME(&a, &b);

  double x[2] = {0.8, 0.6}, y[2] = {0.8, 0.6}, dy[2] = {0, 0};
  __enzyme_autodiff((void *)nest, y, dy, 5, 6);
  GRADIENT(nest_of, x, dy, 2);
  return finish();
}
