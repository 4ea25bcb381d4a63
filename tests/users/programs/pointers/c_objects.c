/* C: objects with a table of functions first and counted references, made by
 * a constructor with '...', in a growing table by text */
#include "../user.h"
#include <stdarg.h>
struct Shape;
typedef struct Class {
  const char *name;
  double (*area)(const struct Shape *);
  void (*scale)(struct Shape *, double);
  void (*drop)(struct Shape *);
} Class;
typedef struct Shape {
  const Class *is;
  int refs;
  double density;
} Shape;
typedef struct {
  Shape base;
  double r;
} Disk;
typedef struct {
  Shape base;
  double *side;
  int n;
} Poly;
typedef struct {
  Shape base;
  Shape *inner, *outer;
} Ring;
static Shape *retain(Shape *s) {
  s->refs++;
  return s;
}
static void release(Shape *s) {
  if (--s->refs == 0) {
    if (s->is->drop)
      s->is->drop(s);
    free(s);
  }
}
static double disk_area(const Shape *s) {
  const Disk *d = (const Disk *)s;
  return 3.14159265358979 * d->r * d->r;
}
static void disk_scale(Shape *s, double f) { ((Disk *)s)->r *= f; }
static double poly_area(const Shape *s) {
  const Poly *p = (const Poly *)s;
  double a = 0;
  for (int i = 0; i < p->n; ++i)
    a += p->side[i] * p->side[(i + 1) % p->n];
  return a / 2;
}
static void poly_scale(Shape *s, double f) {
  Poly *p = (Poly *)s;
  for (int i = 0; i < p->n; ++i)
    p->side[i] *= f;
}
static void poly_drop(Shape *s) { free(((Poly *)s)->side); }
static double ring_area(const Shape *s) {
  const Ring *r = (const Ring *)s;
  return r->outer->is->area(r->outer) - r->inner->is->area(r->inner);
}
static void ring_scale(Shape *s, double f) {
  Ring *r = (Ring *)s;
  r->inner->is->scale(r->inner, f);
  r->outer->is->scale(r->outer, f);
}
static void ring_drop(Shape *s) {
  release(((Ring *)s)->inner);
  release(((Ring *)s)->outer);
}
static const Class disk_class = {"disk", disk_area, disk_scale, NULL},
                   poly_class = {"poly", poly_area, poly_scale, poly_drop},
                   ring_class = {"ring", ring_area, ring_scale, ring_drop};
static Shape *new_disk(double r) {
  Disk *d = calloc(1, sizeof *d);
  d->base.is = &disk_class;
  d->base.refs = 1;
  d->r = r;
  return &d->base;
}
static Shape *new_poly(const double *x, int n, ...) {
  Poly *p = malloc(sizeof *p);
  va_list l;
  va_start(l, n);
  p->base = (Shape){&poly_class, 1, 0};
  p->side = malloc(n * sizeof *p->side), p->n = n;
  for (int i = 0; i < n; ++i)
    p->side[i] = x[va_arg(l, int)] + 1;
  va_end(l);
  return &p->base;
}
static Shape *new_ring(Shape *in, Shape *out) {
  Ring *r = malloc(sizeof *r);
  *r = (Ring){.base = {.is = &ring_class, .refs = 1},
              .inner = retain(in),
              .outer = retain(out)};
  return (Shape *)r;
}
typedef struct Entry {
  char key[24];
  void *value;
  struct Entry *next;
  unsigned hash;
} Entry;
typedef struct {
  Entry **bucket;
  unsigned size, used;
} Table;
static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s)
    h = h * 33 ^ (unsigned char)*s++;
  return h;
}
static void grow(Table *t) {
  Table n = {calloc(t->size ? 2 * t->size : 2, sizeof(Entry *)),
             t->size ? 2 * t->size : 2, t->used};
  for (unsigned i = 0; i < t->size; ++i)
    for (Entry *e = t->bucket[i], *next; e; e = next) {
      next = e->next;
      e->next = n.bucket[e->hash % n.size];
      n.bucket[e->hash % n.size] = e;
    }
  free(t->bucket);
  *t = n;
}
static void **slot(Table *t, const char *key) {
  unsigned h = hash(key);
  if (t->size)
    for (Entry *e = t->bucket[h % t->size]; e; e = e->next)
      if (e->hash == h && !strcmp(e->key, key))
        return &e->value;
  if (t->used >= t->size)
    grow(t);
  Entry *e = malloc(sizeof *e);
  snprintf(e->key, sizeof e->key, "%s", key);
  e->value = NULL, e->hash = h, e->next = t->bucket[h % t->size];
  t->bucket[h % t->size] = e, t->used++;
  return &e->value;
}
static double weigh(const double *x, int n) {
  Table t = {0};
  char key[24];
  for (int i = 0; i < n + 3; ++i) {
    const double v = x[i % n];
    snprintf(key, sizeof key, "shape-%d", i % 4);
    Shape **s = (Shape **)slot(&t, key);
    if (!*s)
      *s =
          i % 2 ? new_poly(x, 3, i % n, (i + 2) % n, 0) : new_disk(v * v + 0.5);
    else
      (*s)->is->scale(*s, 1 + 0.1 * v);
    (*s)->density += 0.3 * v;
  }
  Shape *ring = new_ring(*slot(&t, "shape-0"), *slot(&t, "shape-1"));
  ring->is->scale(ring, x[n / 2]);
  ring->density = x[n - 1];
  *slot(&t, "ring") = ring;
  double total = 0;
  for (unsigned i = 0; i < t.size; ++i)
    for (Entry *e = t.bucket[i], *next; e; e = next) {
      Shape *s = e->value;
      next = e->next;
      total += s->density * s->is->area(s) * (s->is == &ring_class ? 3 : 1) +
               strlen(s->is->name);
      release(s);
      free(e);
    }
  free(t.bucket);
  return total;
}
DERIVED(weigh)
