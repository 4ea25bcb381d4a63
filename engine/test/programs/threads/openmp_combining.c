// FLAGS: -fopenmp
// What several threads add to one place, each adds up first: whatever they
// share, however much there is of it, and over again. Against the same without
// threads; all numbers are whole, so that no sum depends on its order.
#include "../check.h"

#include <omp.h>

enum { PLACES = 36000, N = 36000 };

struct mixed {
  double d;
  float f, g;
};

// gather: neighbours and all read one place. floats: of another size. mixed:
// two sizes in one line. phases: read, written in the next phase, read again.
// names: the same memory by two names. locals: memory of one iteration alone.
// several: regions one after the other, with writes between them. blocks: read
// and written in turns, each iteration its own places, some in a line with
// another's. alias: the same by two names that are not told apart. swapped:
// what is read is written under the other name an iteration later. calls: what
// is called overwrites what was read; so do copies.
static void triple(double *x, double v, int n) {
  if (n > 0)
    triple(x + 1, v, n - 1);
  x[2] = 3 * v + x[1];
  x[6] += x[7];
}

static double one[PLACES], two[PLACES];

#define FUNCTIONS(OMP, S)                                                      \
  static void gather##S(double *restrict x, const int *restrict at,            \
                        double *restrict y) {                                  \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < N; ++i)                                                \
      y[i] = 3 * x[at[i]] + 2 * x[at[i] + 1] * x[0];                           \
  }                                                                            \
  static void floats##S(float *restrict x, const int *restrict at,             \
                        float *restrict y) {                                   \
    OMP(omp parallel for schedule(dynamic, 100))                               \
    for (int i = 0; i < N; ++i)                                                \
      y[i] = 3 * x[at[i]];                                                     \
  }                                                                            \
  static void mixed##S(struct mixed *restrict x, const int *restrict at,       \
                       double *restrict y) {                                   \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < N; ++i)                                                \
      y[i] = x[at[i] % 97].d + 2 * x[at[i] % 99].f + 3 * x[at[i] % 7].g;       \
  }                                                                            \
  static void phases##S(double *restrict x, const int *restrict at,            \
                        double *restrict y) {                                  \
    OMP(omp parallel) {                                                        \
      OMP(omp for)                                                             \
      for (int i = 0; i < N; ++i)                                              \
        y[i] = x[at[i]];                                                       \
      OMP(omp for)                                                             \
      for (int i = 0; i < PLACES; ++i)                                         \
        x[i] = 5 * y[i];                                                       \
      OMP(omp for)                                                             \
      for (int i = 0; i < N; ++i)                                              \
        y[i] += 2 * x[at[i]];                                                  \
    }                                                                          \
  }                                                                            \
  static void names##S(double *x, const int *restrict at,                      \
                       double *restrict y) {                                   \
    double *z = x + at[7];                                                     \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < N; ++i) {                                              \
      double read = x[at[7] + 1];                                              \
      if (i == 0)                                                              \
        z[0] = 2 * y[0];                                                       \
      y[i] = 3 * read;                                                         \
    }                                                                          \
  }                                                                            \
  static void locals##S(double *restrict x, const int *restrict at,            \
                        double *restrict y) {                                  \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < N; ++i) {                                              \
      double own[4] = {x[at[i]], x[0], 2 * x[1], x[at[i]]};                    \
      const double *p = at[i] & 1 ? own + at[i] % 4 : x + at[i];               \
      double *heap = malloc(2 * sizeof *heap);                                 \
      heap[0] = *p;                                                            \
      heap[1] = x[2];                                                          \
      y[i] = 2 * heap[at[i] & 1] + *p;                                         \
      free(heap);                                                              \
    }                                                                          \
  }                                                                            \
  static void several##S(double *restrict x, const int *restrict at,           \
                         double *restrict y) {                                 \
    for (int k = 0; k < 3; ++k) {                                              \
      OMP(omp parallel for)                                                    \
      for (int i = 0; i < N; ++i)                                              \
        y[i] += x[at[i]];                                                      \
      OMP(omp parallel for if (k == 1))                                        \
      for (int i = 0; i < PLACES; ++i)                                         \
        x[i] += y[at[i]];                                                      \
    }                                                                          \
  }                                                                            \
  static void blocks##S(double *x, const int *restrict at, double *y) {        \
    OMP(omp parallel for schedule(static, 1))                                  \
    for (int i = 0; i < PLACES / 10; ++i)                                      \
      for (int k = 0; k < 6; ++k) {                                            \
        y[i] += x[10 * i + at[k] % 10] + 2 * x[10 * i + at[k + 1] % 10];       \
        x[10 * i + at[k + 2] % 10] = 2 * y[i];                                 \
        if (k == 3)                                                            \
          x[10 * i + at[5] % 10] = 0;                                          \
      }                                                                        \
  }                                                                            \
  static void alias##S(double *x, const int *restrict at,                      \
                       double *restrict y) {                                   \
    double *z = x + at[7] % 7;                                                 \
    OMP(omp parallel) {                                                        \
      OMP(omp for)                                                             \
      for (int i = 0; i < N; ++i)                                              \
        y[i] += x[at[i]] * z[0];                                               \
      OMP(omp for)                                                             \
      for (int i = 0; i < 100; ++i)                                            \
        z[i] = 2 * y[i];                                                       \
      OMP(omp for)                                                             \
      for (int i = 0; i < N; ++i)                                              \
        y[i] += x[at[i]] + z[1];                                               \
    }                                                                          \
  }                                                                            \
  static void swapped##S(double *x, const int *restrict at, double *y) {       \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < PLACES; ++i) {                                         \
      one[i] = x[i];                                                           \
      two[i] = 2;                                                              \
    }                                                                          \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < PLACES / 10; ++i) {                                    \
      double *p = one + 10 * i, *q = two + 10 * i;                             \
      for (int k = 0; k < 5 + at[9] % 4; ++k) {                                \
        q[at[k] % 10] = 2 * p[at[k + 1] % 10] + p[at[k + 2] % 10];             \
        double *other = p;                                                     \
        p = q;                                                                 \
        q = other;                                                             \
      }                                                                        \
    }                                                                          \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < N; ++i)                                                \
      y[i] = one[i] + two[i];                                                  \
  }                                                                            \
  static void calls##S(double *x, const int *restrict at, double *y) {         \
    OMP(omp parallel for)                                                      \
    for (int i = 0; i < PLACES / 10; ++i)                                      \
      for (int k = 0; k < 4; ++k) {                                            \
        y[i] += x[10 * i + at[k] % 10] + 2 * x[10 * i + at[k + 1] % 10];       \
        triple(x + 10 * i, y[i], 2);                                           \
        memcpy(x + 10 * i + 5, x + 10 * i + at[k] % 3, 3 * sizeof *x);         \
        memset(x + 10 * i + at[k] % 4, 0, 2 * sizeof *x);                      \
      }                                                                        \
  }
#define PARALLEL(...) _Pragma(#__VA_ARGS__)
#define SERIAL(...)
FUNCTIONS(PARALLEL, )
FUNCTIONS(SERIAL, _alone)

static int at[N];

#define ARRAYS(T)                                                              \
  static T x_##T[PLACES + 1], dx_##T[PLACES + 1], want_##T[PLACES + 1],        \
      y_##T[N], dy_##T[N];                                                     \
  static void prepare_##T(void) {                                              \
    memset(dx_##T, 0, sizeof dx_##T);                                          \
    for (int i = 0; i <= PLACES; ++i)                                          \
      x_##T[i] = (T)(i % 3);                                                   \
    for (int i = 0; i < N; ++i) {                                              \
      y_##T[i] = 1;                                                            \
      dy_##T[i] = (T)(i % 5);                                                  \
    }                                                                          \
  }
ARRAYS(double)
ARRAYS(float)

#define GRADIENT(F, X, DX, T)                                                  \
  prepare_##T();                                                               \
  __enzyme_autodiff_void((void *)F, enzyme_dup, X, DX, enzyme_const, at,       \
                         enzyme_dup, y_##T, dy_##T)

#define COMPARE(F, T)                                                          \
  do {                                                                         \
    GRADIENT(F##_alone, x_##T, dx_##T, T);                                     \
    memcpy(want_##T, dx_##T, sizeof dx_##T);                                   \
    for (int threads = 1; threads <= 4; threads *= 2) {                        \
      omp_set_num_threads(threads);                                            \
      GRADIENT(F, x_##T, dx_##T, T);                                           \
      for (int i = 0; i <= PLACES; ++i)                                        \
        NEAR((double)dx_##T[i], (double)want_##T[i], 0);                       \
    }                                                                          \
  } while (0)

static struct mixed x_mixed[100], dx_mixed[100], want_mixed[100];

static void compare_mixed(void) {
  GRADIENT(mixed_alone, x_mixed, want_mixed, double);
  for (int threads = 1; threads <= 4; threads *= 2) {
    omp_set_num_threads(threads);
    memset(dx_mixed, 0, sizeof dx_mixed);
    GRADIENT(mixed, x_mixed, dx_mixed, double);
    for (int i = 0; i < 100; ++i) {
      NEAR(dx_mixed[i].d, want_mixed[i].d, 0);
      NEAR((double)dx_mixed[i].f, (double)want_mixed[i].f, 0);
      NEAR((double)dx_mixed[i].g, (double)want_mixed[i].g, 0);
    }
  }
}

int main(void) {
  for (int i = 0; i < N; ++i)
    at[i] = i % 3 ? i / 3 : (int)(i * 7919L % PLACES);
  COMPARE(gather, double);
  NEAR(dx_double[0] > N, 1, 0);
  COMPARE(floats, float);
  compare_mixed();
  COMPARE(phases, double);
  COMPARE(names, double);
  COMPARE(locals, double);
  COMPARE(several, double);
  COMPARE(blocks, double);
  COMPARE(alias, double);
  COMPARE(swapped, double);
  COMPARE(calls, double);
  return finish();
}
