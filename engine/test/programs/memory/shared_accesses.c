// NOT-SANITIZED: what is behind the checks of a copy's pointers has no type
// that is found (refused) A field of an object and an element of an array,
// loaded or stored on two ways that go on alike: LLVM makes one access of them,
// at an address that is chosen. They are no memory of one kind: integers beside
// the field are not numbers.
#include "../check.h"

struct tensor {
  int *where;
  double *data;
  union {
    struct {
      int offset, step;
    } view;
    struct {
      const int *index;
      double fill;
    } sparse;
  };
};

/// What is loaded last is an element or the field.
static double get(const struct tensor *t, int i, int sparse) {
  if (!sparse)
    return t->data[t->view.offset + i * t->view.step];
  for (int k = 0; k < 2; ++k)
    if (t->sparse.index[k] == i)
      return t->data[k];
  return t->sparse.fill;
}

/// What is stored last is an element or the field.
static void set(struct tensor *t, int i, double v, int sparse) {
  if (sparse)
    t->sparse.fill = v;
  else
    t->data[t->view.offset + i * t->view.step] = v;
}

static void reverse(struct tensor *out, const struct tensor *in, int last) {
  *out = *in;
  out->view.offset += last * in->view.step;
  out->view.step *= -1;
}

/// Both ways come out of one loop, and no other.
static double *found(struct tensor *t, int i) {
  for (int k = 0;; ++k) {
    if (t->where[k] == i)
      return &t->data[k];
    if (t->where[k] < 0)
      return &t->sparse.fill;
  }
}

static double combined(const double *x, int n) {
  static const int index[2] = {0, 2};
  static int where[3] = {2, 0, -1};
  struct tensor t[3];
  memset(t, 0, sizeof t);
  t[0].data = malloc((size_t)n * sizeof(double));
  t[2].data = malloc(2 * sizeof(double));
  memcpy(t[0].data, x, (size_t)n * sizeof(double));
  t[0].view.step = 1;
  t[2].sparse.index = index;
  t[2].where = where;
  t[2].data[0] = x[0] * x[1];
  t[2].data[1] = x[2];
  reverse(&t[1], &t[0], n - 1);
  set(&t[2], 0, x[1] * x[1], n > 0);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const int k = 1 + i % 2;
    sum += (i + 1) * get(&t[k], i, k == 2) * get(&t[2], i, 1);
    set(&t[k], i, x[i] * sum, k == 2);
  }
  for (int i = 0; i < n; ++i)
    sum += t[0].data[i] * *found(&t[2], i);
  free(t[0].data);
  free(t[2].data);
  return sum;
}

int main(void) {
  const int n = 6;
  double x[6] = {0.4, -0.6, 0.9, 0.3, -0.8, 1.1}, g[6] = {0};
  __enzyme_autodiff_void((void *)combined, enzyme_dup, x, g, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    const double at = x[i];
    x[i] = at + 1e-5;
    double up = combined(x, n);
    x[i] = at - 1e-5;
    NEAR(g[i], (up - combined(x, n)) / 2e-5, 1e-7);
    x[i] = at;
  }
  return finish();
}
