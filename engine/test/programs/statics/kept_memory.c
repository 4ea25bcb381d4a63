// Workspaces and histories that static variables keep from call to call: other
// code allocates them, changes their sizes, and calls what is differentiated.
#include "../check.h"

#define POINTS 3000

static double *work;
static int capacity;

static double grown(const double *x, int n) {
  if (n > capacity) {
    work = realloc(work, (size_t)n * sizeof *work);
    capacity = n;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    work[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += work[i] * x[i];
  return s;
}

static void check_grown(int n) {
  static double x[POINTS], d[POINTS], t[POINTS];
  double directional = 0;
  for (int i = 0; i < n; i++) {
    x[i] = 0.5 + i % 7;
    t[i] = i % 3;
    d[i] = 0;
    directional += 3 * x[i] * x[i] * t[i];
  }
  __enzyme_autodiff((void *)grown, enzyme_dup, x, d, enzyme_const, n);
  for (int i = 0; i < n; i += 1 + i / 8)
    NEAR(d[i], 3 * x[i] * x[i], 1e-14);
  NEAR(__enzyme_fwddiff((void *)grown, enzyme_dup, x, t, enzyme_const, n),
       directional, 1e-12);
}

/// What the last call left is a constant of this one.
static struct history {
  double *past;
  double last;
} seen, many[90];

static double follows(double *x) {
  if (!seen.past)
    seen.past = calloc(2, sizeof(double));
  double s = seen.past[1] * x[0] + seen.last * x[0] * x[0];
  seen.past[1] = x[0] * x[0];
  seen.last = x[0] * x[0] * x[0];
  return s;
}

static double follows_many(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += many[i].last * *many[i].past * x[i];
    many[i].last = x[i] * x[i];
  }
  return s;
}

static void check_history(void) {
  for (int k = 0; k < 3; k++) {
    double x[1] = {3}, d[1] = {0}, past = k ? 7 : 0;
    if (k)
      seen.past[1] = past;
    seen.last = 5;
    __enzyme_autodiff((void *)follows, enzyme_dup, x, d);
    NEAR(d[0], past + 5 * 2 * 3, 1e-14);
    NEAR(seen.last, 27, 0);
  }
  static double one = 1;
  double x[90], d[90];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 90; i++) {
      x[i] = i;
      d[i] = 0;
      many[i] = (struct history){&one, 2 + i};
    }
    __enzyme_autodiff((void *)follows_many, enzyme_dup, x, d, enzyme_const, 90);
    for (int i = 0; i < 90; i += 7)
      NEAR(d[i], 2 + i, 1e-14);
  }
}

/// The block is another one at the same place, or none for a while.
static double *buffer;
static double replaced(const double *x, int n) {
  if (!buffer)
    buffer = malloc((size_t)n * sizeof *buffer);
  for (int i = 0; i < n; i++)
    buffer[i] = x[i] * (i ? buffer[i - 1] : 1);
  return buffer[n - 1];
}

static void check_replaced(void) {
  for (int n = 2; n < 6; n++) {
    double x[6], d[6] = {0}, product = 1;
    for (int i = 0; i < n; i++)
      product *= x[i] = 1 + 0.5 * i;
    if (n % 2)
      replaced(x, n);
    __enzyme_autodiff((void *)replaced, enzyme_dup, x, d, enzyme_const, n);
    for (int i = 0; i < n; i++)
      NEAR(d[i], product / x[i], 1e-14);
    free(buffer);
    buffer = NULL;
  }
}

/// It is freed, and the pointer stays: the next call does not look at it.
static double *scratch;
static double left(const double *x, int n) {
  scratch = malloc((size_t)n * sizeof *scratch);
  for (int i = 0; i < n; i++)
    scratch[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += scratch[i] * scratch[n - 1 - i];
  free(scratch);
  return s;
}

static void check_left(void) {
  double x[4] = {1, 2, 3, 4};
  left(x, 4);
  for (int k = 0; k < 3; k++) {
    double d[4] = {0};
    __enzyme_autodiff((void *)left, enzyme_dup, x, d, enzyme_const, 4);
    for (int i = 0; i < 4; i++)
      NEAR(d[i], 4 * x[i] * x[3 - i] * x[3 - i], 1e-14);
  }
}

/// Numbers beside pointers, in a gradient that is differentiated.
static double through_many(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += many[i].last * *many[i].past * x * x;
    many[i].last = x;
  }
  return s;
}
static double slope_through(double x, int n) {
  return __enzyme_autodiff((void *)through_many, x, enzyme_const, n);
}
static void check_second(void) {
  static double one = 1;
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int i = 0; i < 90; i++) {
      many[i] = (struct history){&one, 2 + i};
      sum += 2 + i;
    }
    NEAR(__enzyme_fwddiff((void *)slope_through, enzyme_dup, 1.5, 1.0,
                          enzyme_const, 90),
         2 * sum, 1e-14);
  }
}

int main(void) {
  double x[4] = {1, 2, 3, 4};
  NEAR(grown(x, 4), 100, 1e-14);
  check_grown(4); // ordinary code has allocated it
  check_grown(20);
  static double more[POINTS];
  grown(more, POINTS); // and has made it larger
  check_grown(POINTS);
  check_grown(3);
  check_history();
  check_replaced();
  check_left();
  check_second();
  free(work);
  free(seen.past);
  return finish();
}
