/* C: a sparse matrix as crossed lists of cells that have their links in them,
 * cells from blocks and a free list, ranks sorted by qsort */
#include "../user.h"
#include <stddef.h>
typedef struct Link {
  struct Link *prev, *next;
} Link;
typedef struct {
  Link in_row, in_col;
  int i, j;
  double v;
  float age;
} Cell;
typedef struct Block {
  struct Block *next;
  int used;
  Cell cell[5];
} Block;
typedef struct {
  Link *row, *col;
  int n;
  Block *blocks;
  Link *spare;
} Sparse;
typedef struct {
  int at;
  double key;
} Rank;
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
#define each(it, head)                                                         \
  for (Link *it = (head)->next; it != (head); it = it->next)
static void init(Link *l) { l->prev = l->next = l; }
static void insert_before(Link *at, Link *l) {
  l->prev = at->prev, l->next = at, at->prev->next = l, at->prev = l;
}
static void unlink_(Link *l) {
  l->prev->next = l->next, l->next->prev = l->prev;
}
static Sparse make(int n) {
  Sparse s = {malloc(n * sizeof(Link)), malloc(n * sizeof(Link)), n, NULL,
              NULL};
  for (int i = 0; i < n; ++i)
    init(&s.row[i]), init(&s.col[i]);
  return s;
}
static Cell *fresh(Sparse *s) {
  if (s->spare) {
    Cell *c = container_of(s->spare, Cell, in_row);
    s->spare = s->spare->next;
    return c;
  }
  if (!s->blocks || s->blocks->used == 5) {
    Block *b = malloc(sizeof *b);
    b->next = s->blocks, b->used = 0, s->blocks = b;
  }
  return &s->blocks->cell[s->blocks->used++];
}
static double *at(Sparse *s, int i, int j) {
  Link *r = s->row[i].next, *c = s->col[j].next;
  for (; r != &s->row[i]; r = r->next) {
    Cell *k = container_of(r, Cell, in_row);
    if (k->j == j)
      return &k->v;
    if (k->j > j)
      break;
  }
  for (; c != &s->col[j] && container_of(c, Cell, in_col)->i < i; c = c->next) {
  }
  Cell *k = fresh(s);
  k->i = i, k->j = j, k->v = 0, k->age = (float)(i + j);
  insert_before(r, &k->in_row), insert_before(c, &k->in_col);
  return &k->v;
}
static void erase(Sparse *s, Cell *c) {
  unlink_(&c->in_row), unlink_(&c->in_col);
  c->in_row.next = s->spare, s->spare = &c->in_row;
}
static int drop_small(Sparse *s, double eps) {
  int n = 0;
  for (int i = 0; i < s->n; ++i)
    for (Link *l = s->row[i].next, *next; l != &s->row[i]; l = next) {
      next = l->next;
      Cell *c = container_of(l, Cell, in_row);
      if (c->i != c->j && fabs(c->v) < eps)
        erase(s, c), ++n;
    }
  return n;
}
static void sweep(Sparse *s, const double *b, double *x) {
  for (int i = 0; i < s->n; ++i) {
    double r = b[i], d = 1;
    each(l, &s->row[i]) {
      Cell *c = container_of(l, Cell, in_row);
      if (c->j == i)
        d = c->v;
      else
        r -= c->v * x[c->j];
    }
    x[i] = r / d;
  }
}
static int by_key(const void *a, const void *b) {
  double x = ((const Rank *)a)->key, y = ((const Rank *)b)->key;
  return x < y ? -1 : x > y;
}
static double solve(const double *x0, int size) {
  const int n = size + 6;
  double p[32];
  for (int i = 0; i < n; ++i)
    p[i] = x0[i % size] * (1 + 0.1 * (i / size));
  Sparse s = make(n);
  for (int i = 0; i < n; ++i) {
    *at(&s, i, i) += 4 + p[i] * p[i];
    for (int k = 1; k < 4; ++k)
      *at(&s, i, (i + k * k) % n) += 0.4 * p[(i + k) % n];
  }
  int dropped = drop_small(&s, 0.08);
  *at(&s, 0, n - 1) -= 0.5 * p[0], *at(&s, 2, 0) += p[1] * p[2];
  double *b = malloc(n * sizeof *b), *x = calloc(n, sizeof *x);
  for (int i = 0; i < n; ++i)
    b[i] = 1 + p[n - 1 - i];
  for (int k = 0; k < 5; ++k)
    sweep(&s, b, x);
  Rank *rank = malloc(n * sizeof *rank);
  for (int j = 0; j < n; ++j) {
    rank[j] = (Rank){j, 0};
    each(l, &s.col[j]) {
      Cell *c = container_of(l, Cell, in_col);
      rank[j].key += c->v * c->v * x[c->i] + 0.01 * c->age;
    }
  }
  qsort(rank, n, sizeof *rank, by_key);
  double r = dropped;
  for (int j = 0; j < n; ++j)
    r += (j + 1) * rank[j].key * x[rank[j].at];
  for (int i = 0; i < n; ++i)
    r += x[i] * x[i];
  for (Block *k = s.blocks, *next; k; k = next)
    next = k->next, free(k);
  free(s.row), free(s.col), free(b), free(x), free(rank);
  return r;
}
DERIVED(solve)
