/* C: dynamic array grown with realloc of struct {char tag; double v; float w;
 * char name[12];}, qsort, bsearch, strings */
#include "../user.h"
typedef struct {
  char tag;
  double v;
  float w;
  char name[12];
} rec;
typedef struct {
  rec *a;
  int n, cap;
} list;
static void push(list *l, rec r) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 2;
    l->a = (rec *)realloc(l->a, l->cap * sizeof(rec));
  }
  l->a[l->n++] = r;
}
static int by_v(const void *p, const void *q) {
  double a = ((const rec *)p)->v, b = ((const rec *)q)->v;
  return (a > b) - (a < b);
}
static int by_name(const void *p, const void *q) {
  return strcmp(((const rec *)p)->name, ((const rec *)q)->name);
}
static int by_ptr(const void *p, const void *q) {
  return by_v(*(rec *const *)p, *(rec *const *)q);
}
static double f(const double *x, int n) {
  list l = {NULL, 0, 0};
  double s = 0;
  for (int i = 0; i < n; ++i) {
    rec r;
    memset(&r, 0, sizeof r);
    r.tag = 'a' + i % 3;
    r.v = x[i] * x[(i * 2) % n];
    r.w = 0.5f * i;
    snprintf(r.name, sizeof r.name, "n%d", (i * 7) % 50);
    push(&l, r);
    if (i % 2) {
      r.v = sin(x[i]);
      r.name[0] = 'm';
      push(&l, r);
    }
  }
  qsort(l.a, l.n, sizeof(rec), by_v);
  for (int i = 0; i < l.n; ++i)
    s += l.a[i].v * (i + 1) + l.a[i].w * 0.01;
  qsort(l.a, l.n, sizeof(rec), by_name);
  for (int i = 0; i < l.n; ++i) {
    s = 0.9 * s + l.a[i].v * l.a[i].v;
    l.a[i].v *= 1.5;
  }
  rec key;
  strcpy(key.name, "n0");
  rec *hit = (rec *)bsearch(&key, l.a, l.n, sizeof(rec), by_name);
  if (hit)
    s += hit->v * 3;
  rec **p = (rec **)malloc(l.n * sizeof(rec *));
  for (int i = 0; i < l.n; ++i)
    p[i] = &l.a[i];
  qsort(p, l.n, sizeof *p, by_ptr);
  for (int i = 0; i < l.n; ++i)
    s += p[i]->v * (p[i]->tag - 'a' + 0.2 * i);
  free(p);
  free(l.a);
  return s;
}
DERIVED(f)
