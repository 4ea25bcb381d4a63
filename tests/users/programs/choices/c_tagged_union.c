/* C: cells with a tagged union of double / float / int / double pointer /
 * nested pointer, copied, swapped, stack in malloc memory */
#include "../user.h"
enum { NUL, DBL, FLT, INT, PTR, PAIR };
typedef struct cell {
  int tag;
  union {
    double d;
    float f;
    int i;
    const double *p;
    struct {
      struct cell *a, *b;
    } pair;
  } u;
} cell;
typedef struct {
  cell *mem;
  int used, cap;
} heap;
static cell *fresh(heap *h) { return &h->mem[h->used++]; }
static double value(const cell *c) {
  switch (c->tag) {
  case DBL:
    return c->u.d;
  case FLT:
    return c->u.f;
  case INT:
    return c->u.i;
  case PTR:
    return c->u.p[0] * c->u.p[0];
  case PAIR:
    return value(c->u.pair.a) * 0.5 + sin(value(c->u.pair.b));
  }
  return 0;
}
static double f(const double *x, int n) {
  heap h = {(cell *)malloc(sizeof(cell) * (4 * n + 20)), 0, 4 * n + 20};
  cell regs[4];
  double s = 0;
  memset(regs, 0, sizeof regs);
  for (int i = 0; i < 2 * n + 4; ++i) {
    cell *r = &regs[i % 4];
    switch ((i + i / 4) % 6) {
    case 0:
      r->tag = DBL;
      r->u.d = x[i % n];
      break;
    case 1:
      r->tag = INT;
      r->u.i = i;
      break;
    case 2:
      r->tag = PTR;
      r->u.p = x + (i * 3) % n;
      break;
    case 3:
      r->tag = FLT;
      r->u.f = 0.25f * i;
      break;
    case 4: {
      cell *a = fresh(&h), *b = fresh(&h);
      *a = regs[0];
      memcpy(b, &regs[1], sizeof *b);
      cell c;
      c.tag = PAIR;
      c.u.pair.a = a;
      c.u.pair.b = b;
      *r = c;
      break;
    }
    default:
      r->tag = DBL;
      r->u.d = value(&regs[(i + 1) % 4]) * x[i % n];
      break;
    }
    if (i % 3 == 2) {
      cell t = regs[0];
      regs[0] = regs[3];
      regs[3] = t;
    }
    for (int k = 0; k < 4; ++k)
      s += value(&regs[k]) * (k + 1) * 0.1;
  }
  free(h.mem);
  return s;
}
DERIVED(f)
