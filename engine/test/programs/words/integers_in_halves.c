// Two integers in the word of a union that holds a number or a pointer at other
// times. What is stored in the number's upper half makes another number of it,
// whose adjoint ends there: an older number in the place has none of it. And
// integers that are computed, or come from the other half, are no copies.
#include "../check.h"

typedef union {
  struct {
    int low, high;
  } halves;
  double number;
} word;

struct slot {
  int kind;
  word w;
};

static void set(word *w, int low, int high) {
  w->halves.low = low;
  w->halves.high = high;
}

/// Numbers of an input, used, and then replaced by 2 or 4.
static double replaced(const double *x, int n) {
  struct slot *s = malloc((size_t)n * sizeof *s);
  double sum = 0;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < n; ++i) {
      s[i].kind = i;
      s[i].w.number = x[i] * x[i];
      sum += s[i].w.number;
      if (i % 2)
        set(&s[i].w, 0, 0x40000000 + (k << 20));
      sum += s[i].w.number * s[i].w.number * x[0];
    }
  word v;
  v.number = x[1] * x[2];
  sum += v.number * 3;
  if (n % 4 == 0)
    set(&v, 0, 0x40000000);
  sum += v.number * v.number * x[3];
  free(s);
  return sum;
}

struct event {
  double time;
  unsigned kind;
  union {
    struct {
      int first, second;
    } pair;
    struct {
      double by;
      int who;
    } kick;
    const double *of;
  } what;
};

struct queue {
  struct event *items;
  int used;
};

static void push(struct queue *q, struct event e) {
  int i = q->used++;
  for (; i && e.time < q->items[i - 1].time; --i)
    q->items[i] = q->items[i - 1];
  q->items[i] = e;
}

static void push_next(struct queue *q, const struct event *e) {
  struct event next = {.time = 2 * e->time + 3, .kind = 0};
  next.what.pair.first = e->what.pair.second - 1;
  next.what.pair.second = e->what.pair.first;
  push(q, next);
}

static double events(const double *x, int n) {
  struct queue q = {malloc(2 * (size_t)n * sizeof *q.items), 0};
  for (int i = 0; i < n; ++i) {
    struct event e = {.time = x[i] * x[0], .kind = (unsigned)i % 3};
    if (e.kind == 0) {
      e.what.pair.first = i;
      e.what.pair.second = n - i;
    } else if (e.kind == 1) {
      e.what.kick.by = x[i] * x[i];
      e.what.kick.who = i;
    } else {
      e.what.of = x + i;
    }
    push(&q, e);
  }
  double sum = 0;
  for (int i = 0; i < q.used; ++i) {
    struct event e = q.items[i];
    double value = e.kind == 0   ? q.items[e.what.pair.first % n].time
                   : e.kind == 1 ? e.what.kick.by * e.what.kick.who
                                 : *e.what.of;
    sum += e.time * value * (i + 1);
    if (e.kind == 0 && q.used < 2 * n && e.time < 3)
      push_next(&q, &e);
  }
  free(q.items);
  return sum;
}

typedef double function(const double *, int);

static void compare(function *f, const double *x, int n) {
  double g[8] = {0};
  __enzyme_autodiff_void((void *)f, enzyme_dup, x, g, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    double y[8], t[8] = {0};
    memcpy(y, x, sizeof y);
    y[i] = x[i] + 1e-5;
    double up = f(y, n);
    y[i] = x[i] - 1e-5;
    NEAR(g[i], (up - f(y, n)) / 2e-5, 1e-7);
    t[i] = 1;
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, n), g[i],
         1e-12);
  }
}

int main(void) {
  const double x[8] = {0.4, -0.6, 0.9, 0.3, -0.8, 1.1, 0.7, -0.2};
  compare(replaced, x, 8);
  compare(replaced, x, 6);
  compare(events, x, 8);
  return finish();
}
