// Blocks that read a place and then store to it: the reverse pass puts the
// place's new adjoint there at once, but not where something between the two
// may have touched it.
#include "../check.h"

enum { N = 12 };

/// What of x may be the same place, and what a loop goes by.
static int at, other, length, moved = 2;
static double kept[4];

static double sum_of(const double *u) {
  double s = 0;
  for (int i = 0; i < N; ++i)
    s += (1 + 0.3 * i) * u[i];
  return s;
}

/// Halves of an array, side by side: apart if its length is even.
static void halves(double *u) {
  double w = 1;
  for (int k = 0; k < length; k += 2) {
    const double re = w * u[length + k] - 0.3 * u[length + k + 1];
    const double im = w * u[length + k + 1] + 0.2 * u[length + k];
    u[length + k] = u[k] - re;
    u[length + k + 1] = u[k + 1] - im;
    u[k] += re * re;
    u[k + 1] += im;
    w = 0.9 * w + 0.1;
  }
}

/// At the same place, or not, of which nothing is known.
static void two_places(double *u) {
  const double a = u[at], b = u[other];
  u[at] = a * b;
  u[other] = sin(b) + u[other] * a;
}

static void exchange(double *u) {
  const double a = u[at];
  u[at] = 2 * u[other];
  u[other] = a * a;
}

/// Stored to between the load and the store.
static void stored_between(double *u) {
  const double a = u[at];
  u[other] = 0.5 * a;
  u[at] = exp(0.1 * a) + u[7];
}

/// Read between the two, and used.
static void read_between(double *u) {
  const double a = u[at], b = u[other], c = u[3];
  u[at] = 1.5 * a;
  u[5] = b * c;
}

/// One place again and again; what is read is not always used.
static void again(double *u) {
  u[at] = sin(u[at]) * u[at];
  u[at] = u[at] * u[other] + u[at];
  u[other] = 0;
  u[other] += u[2] * u[at];
  u[2] = 0.25;
}

/// Overwritten by what it was not computed from.
static void overwritten(double *u) {
  kept[0] = u[at];
  u[at] = u[4] * 3;
  u[4] = kept[0] * u[at];
}

typedef double Pair __attribute__((vector_size(16), aligned(8)));

/// Pairs that overlap, and pairs that do not.
static void pairs(double *u) {
  Pair *p = (Pair *)(u + at), *q = (Pair *)(u + other);
  const Pair a = *p, b = *q;
  *p = a * b;
  *q = b + b * a;
}

NOINLINE static void scale(double *u, double by) {
  u[at] *= by;
  u[6] = by * u[at];
}

/// A call between the two touches them.
static void called_between(double *u) {
  double *p = u + at;
  const double a = *p;
  scale(u, a);
  *p = a * a + u[6];
}

/// Another kind of access to the same bytes.
static void moved_between(double *u) {
  double *p = u + at;
  const double a = *p;
  memmove(u + other, u + 8, (size_t)moved * sizeof(double));
  *p = a * a;
}

/// Of what is read only a part is stored to.
static void half_of_a_pair(double *u) {
  const Pair a = *(const Pair *)(u + at);
  u[at] = 2 * a[0] * a[1];
  const double b = u[other];
  *(Pair *)(u + other) = (Pair){b * b, 3 * b};
}

NOINLINE static double deeper(double *u, int n) {
  u[other] *= 1.1;
  return n > 0 ? u[3] * deeper(u, n - 1) + deeper(u, n - 2) : u[0];
}

static void recursion_between(double *u) {
  double *p = u + at;
  const double a = *p;
  const double b = deeper(u, moved);
  *p = a * b;
}

/// Iterations that meet each other, but not within one.
static void recurrence(double *u) {
  for (int i = 0; i + 1 < length; ++i) {
    const double a = u[i], b = u[i + 1];
    u[i] = a * b;
    u[i + 1] = b + 0.5 * a;
  }
}

/// A step that is only known when the program runs, and may be none.
static void apart_by(double *u) {
  for (int i = 0; i + other < N; ++i) {
    const double a = u[i], b = u[i + other];
    u[i] = 0.5 * a + b * b;
    u[i + other] = 0.9 * b + 0.1 * a;
  }
}

struct Point {
  double x, y;
};

/// As a whole, member by member, and in part.
static void points(double *u) {
  struct Point *p = (struct Point *)u + at / 2, *q = (struct Point *)u + 1;
  struct Point a = *p, b = *q;
  p->y = a.x * b.y;
  *q = (struct Point){a.y + q->x, b.x * b.x};
  p->x += a.x * a.y;
}

#define CHECK(f)                                                               \
  static double sum_##f(const double *x, UNUSED int n) {                       \
    double u[N];                                                               \
    memcpy(u, x, sizeof u);                                                    \
    f(u);                                                                      \
    return sum_of(u);                                                          \
  }                                                                            \
  NOINLINE static void root_##f(double *u) { f(u); }                           \
  static void check_##f(const double *x) {                                     \
    double g[N] = {0};                                                         \
    __enzyme_autodiff((void *)sum_##f, enzyme_dup, x, g, N);                   \
    GRADIENT(sum_##f, x, g, N);                                                \
    /* In the caller's memory, with its seed. */                               \
    double u[N], d[N];                                                         \
    memcpy(u, x, sizeof u);                                                    \
    for (int i = 0; i < N; ++i)                                                \
      d[i] = 1 + 0.3 * i;                                                      \
    __enzyme_autodiff_void((void *)root_##f, enzyme_dup, u, d);                \
    GRADIENT(sum_##f, x, d, N);                                                \
  }
CHECK(halves)
CHECK(two_places)
CHECK(exchange)
CHECK(stored_between)
CHECK(read_between)
CHECK(again)
CHECK(overwritten)
CHECK(pairs)
CHECK(called_between)
CHECK(moved_between)
CHECK(half_of_a_pair)
CHECK(recursion_between)
CHECK(recurrence)
CHECK(apart_by)
CHECK(points)

int main(void) {
  double x[N];
  for (int i = 0; i < N; ++i)
    x[i] = 0.4 + 0.5 * ((7 * i) % N) / N;
  for (length = 0; length <= 6; ++length) {
    check_halves(x);
    check_recurrence(x);
  }
  for (at = 0; at < 10; ++at)
    for (other = 0; other < 10; ++other) {
      moved = 1 + other % 2;
      check_two_places(x);
      check_exchange(x);
      check_stored_between(x);
      check_read_between(x);
      check_again(x);
      check_overwritten(x);
      check_pairs(x);
      check_called_between(x);
      check_moved_between(x);
      check_half_of_a_pair(x);
      check_recursion_between(x);
      check_apart_by(x);
      check_points(x);
    }
  return finish();
}
