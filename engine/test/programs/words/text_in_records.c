// Text that lies beside active numbers, in records, arrays of them and unions:
// what the functions of text write leaves the numbers alone.
#include "../check.h"

typedef struct {
  char name[16];
  double value;
  int order;
  char unit[4];
  double weight;
} record;

/// All of them write into the records.
static double written(const double *x, int n) {
  record r[8];
  double s = 0;
  memset(r, 0, sizeof r);
  for (int i = 0; i < n; ++i) {
    r[i].value = x[i] * x[i];
    r[i].weight = sin(x[(i + 1) % n]);
    r[i].order = i;
    strcpy(r[i].name, i % 2 ? "odd" : "even");
    strncpy(r[i].unit, "kg", sizeof r[i].unit);
    strcat(r[i].name, "-");
    snprintf(r[i].name + strlen(r[i].name), 8, "%d", i);
  }
  for (int i = 0; i + 1 < n; ++i) {
    strncpy(r[i].name, r[i + 1].name, sizeof r[i].name);
    stpcpy(r[i].unit, "m");
  }
  for (int i = 0; i < n; ++i)
    s += r[i].value * r[i].weight * (double)strlen(r[i].name) *
         (r[i].unit[0] == 'm' ? 2 : 3);
  return s;
}

/// On the heap, copied whole, sorted by name.
static double sorted(const double *x, int n) {
  record *r = malloc(sizeof *r * (size_t)n), t;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    sprintf(r[i].name, "%c%d", 'a' + (i * 5) % n, i);
    r[i].value = exp(0.3 * x[i]);
    r[i].weight = x[i];
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k + 1 < n; ++k)
      if (strcmp(r[k].name, r[k + 1].name) > 0) {
        t = r[k];
        r[k] = r[k + 1];
        r[k + 1] = t;
      }
  for (int i = 0; i < n; ++i)
    s += r[i].value * r[i].weight * (i + 1) * strtod(r[i].name + 1, NULL);
  free(r);
  return s;
}

/// A number at one time, and a text or more values at another.
typedef struct value value;
struct value {
  int kind;
  union {
    double number;
    char *text;
    struct {
      value **item;
      int n;
    } list;
  } as;
};
static value *make(int kind) {
  value *v = calloc(1, sizeof *v);
  v->kind = kind;
  return v;
}
static value *text(const char *s) {
  value *v = make(1);
  v->as.text = malloc(strlen(s) + 1);
  strcpy(v->as.text, s);
  return v;
}
static void push(value *list, value *v) {
  list->as.list.item =
      realloc(list->as.list.item, sizeof v * (size_t)(list->as.list.n + 1));
  list->as.list.item[list->as.list.n++] = v;
}
static value *copy(const value *v) {
  if (v->kind == 1)
    return text(v->as.text);
  value *c = make(v->kind);
  if (v->kind == 0)
    c->as.number = v->as.number;
  else
    for (int i = 0; i < v->as.list.n; ++i)
      push(c, copy(v->as.list.item[i]));
  return c;
}
static double total(const value *v) {
  if (v->kind == 0)
    return v->as.number * v->as.number;
  if (v->kind == 1)
    return (double)strlen(v->as.text);
  double s = 0;
  for (int i = 0; i < v->as.list.n; ++i)
    s = 0.5 * s + total(v->as.list.item[i]);
  return s;
}
static void drop(value *v) {
  if (v->kind == 1)
    free(v->as.text);
  if (v->kind == 2) {
    for (int i = 0; i < v->as.list.n; ++i)
      drop(v->as.list.item[i]);
    free(v->as.list.item);
  }
  free(v);
}
static double tree(const double *x, int n) {
  value *all = make(2);
  for (int i = 0; i < n; ++i) {
    value *pair = make(2), *v = make(0);
    v->as.number = x[i] * x[0];
    push(pair, text(i % 2 ? "left" : "right"));
    push(pair, v);
    push(all, pair);
  }
  value *c = copy(all);
  c->as.list.item[0]->as.list.item[1]->as.number *= 3;
  double s = total(all) * total(c);
  drop(all);
  drop(c);
  return s;
}

#define CHECK(f)                                                               \
  do {                                                                         \
    const double x[6] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};                      \
    double g[6] = {0};                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, 6);           \
    GRADIENT(f, x, g, 6);                                                      \
    for (int i = 0; i < 6; ++i) {                                              \
      double v[6] = {0};                                                       \
      v[i] = 1;                                                                \
      NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, 6),     \
           g[i], 1e-10);                                                       \
    }                                                                          \
  } while (0)

int main(void) {
  CHECK(written);
  CHECK(sorted);
  CHECK(tree);
  return finish();
}
