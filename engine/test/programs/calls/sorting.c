// Sorting and searching of active data by a callback.
#include "../check.h"

enum { N = 7 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double sorted(const double *x, int n) {
  double v[N], s = 0;
  for (int i = 0; i < n; ++i)
    v[i] = x[i] * x[(i + 1) % n];
  qsort(v, (size_t)n, sizeof *v, ascending);
  for (int i = 0; i < n; ++i)
    s += (i + 1) * v[i] * v[i];
  return s;
}

// Elements with a key and more than one number; equal keys keep their order.
struct entry {
  int key;
  float weight;
  double value;
};
static int by_key(const void *a, const void *b) {
  return ((const struct entry *)b)->key - ((const struct entry *)a)->key;
}
static double entries(const double *x, int n) {
  struct entry *e = (struct entry *)malloc(sizeof *e * (size_t)n);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    e[i].key = i * 5 % 4;
    e[i].weight = (float)i;
    e[i].value = x[i] * x[i];
  }
  qsort(e, (size_t)n, sizeof *e, by_key);
  for (int i = 0; i < n; ++i)
    s += (i + 1) * e[i].value * e[(i + 2) % n].value + e[i].weight;
  free(e);
  return s;
}

// Pointers to the numbers are sorted, and the order decides what is read.
static int by_target(const void *a, const void *b) {
  return ascending(*(double *const *)a, *(double *const *)b);
}
static double pointers(const double *x, int n) {
  const double *p[N];
  double s = 0;
  for (int i = 0; i < n; ++i)
    p[i] = &x[i];
  qsort(p, (size_t)n, sizeof *p, by_target);
  for (int i = 0; i + 1 < n; ++i)
    s += *p[i] * (i + 1) * *p[i + 1];
  return s;
}

// A sort in a loop: each one has an order of its own.
static double repeated(const double *x, int n) {
  double v[N], s = 0;
  memcpy(v, x, sizeof *v * (size_t)n);
  for (int k = 0; k < 3; ++k) {
    qsort(v, (size_t)n, sizeof *v, ascending);
    for (int i = 0; i < n; ++i) {
      s += v[i] * (i + k);
      v[i] = sin(3 * v[i]) * v[(i + 1) % n];
    }
  }
  return s;
}

// The element that is found is used, and overwritten.
static int near_key(const void *k, const void *e) {
  return *(const int *)k - ((const struct entry *)e)->key;
}
static double searched(const double *x, int n) {
  struct entry e[N];
  double s = 0;
  for (int i = 0; i < n; ++i) {
    e[i].key = 2 * i;
    e[i].value = x[i];
  }
  for (int k = 0; k < 2 * n; k += 3) {
    struct entry *f =
        (struct entry *)bsearch(&k, e, (size_t)n, sizeof *e, near_key);
    if (f) {
      s += f->value * f->value * (k + 1);
      f->value = s * 0.1;
    }
  }
  return s + e[3].value;
}

static double none(const double *x, int n) {
  double v[N];
  memcpy(v, x, sizeof v);
  qsort(v, 0, sizeof *v, ascending);
  return v[0] * v[1] + n;
}

static double along(const double *x, const double *v, int n) {
  return __enzyme_fwddiff((void *)sorted, enzyme_dup, x, v, enzyme_const, n);
}

#define CHECK(f)                                                               \
  do {                                                                         \
    double d[N] = {0};                                                         \
    __enzyme_autodiff_void((void *)f, enzyme_dup, x, d, enzyme_const, N);      \
    GRADIENT(f, x, d, N);                                                      \
    NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, N),       \
         dot(d, v, N), 1e-12);                                                 \
  } while (0)

int main(void) {
  double x[N] = {1.3, -0.4, 0.9, 0.2, -1.1, 0.7, 0.5};
  double v[N] = {1, -2, 0.5, 3, 0.25, -1, 2}, h[N] = {0};
  CHECK(sorted);
  CHECK(entries);
  CHECK(pointers);
  CHECK(repeated);
  CHECK(searched);
  CHECK(none);
  // Second derivatives: the order is found again.
  __enzyme_autodiff_void((void *)along, enzyme_dup, x, h, enzyme_const, v,
                         enzyme_const, N);
  for (int i = 0; i < N; ++i) {
    double y[N], step = 1e-5, d[2];
    for (int side = 0; side < 2; ++side) {
      memcpy(y, x, sizeof x);
      y[i] += side ? -step : step;
      d[side] = along(y, v, N);
    }
    NEAR(h[i], (d[0] - d[1]) / (2 * step), 1e-7);
  }
  return finish();
}
