// Copies of texts, by strdup and strndup, in nodes that are found by a list
// inside them: a pointer that is read may be to a copy or to a node, which has
// numbers.
#include "../check.h"
#include <stddef.h>

struct link {
  struct link *next, *before;
};
struct entry {
  struct entry *next;
  char *key, *initial;
  struct link order;
  double value;
};
struct table {
  struct entry *slots[2];
  struct link order;
};

static struct entry *around(struct link *l) {
  return (struct entry *)((char *)l - offsetof(struct entry, order));
}
static void put_first(struct link *all, struct link *l) {
  l->next = all->next;
  l->before = all;
  all->next->before = l;
  all->next = l;
}
static struct entry *find(struct table *t, const char *key) {
  struct entry **slot = &t->slots[key[3] % 2];
  for (struct entry *e = *slot; e; e = e->next)
    if (strcmp(e->key, key) == 0)
      return e;
  struct entry *e = (struct entry *)malloc(sizeof *e);
  e->key = strdup(key);
  e->initial = strndup(key, 2);
  e->value = 1;
  e->next = *slot;
  *slot = e;
  put_first(&t->order, &e->order);
  return e;
}
static void clear(struct table *t) {
  for (int i = 0; i < 2; ++i)
    for (struct entry *e = t->slots[i], *next; e; e = next) {
      next = e->next;
      free(e->key);
      free(e->initial);
      free(e);
    }
}

static double listed(const double *x, int n) {
  struct table t = {{NULL, NULL}, {NULL, NULL}};
  char key[16];
  double r = 0;
  t.order.next = t.order.before = &t.order;
  for (int i = 0; i < n; ++i) {
    snprintf(key, sizeof key, "key%d", i % 4);
    find(&t, key)->value *= x[i];
  }
  int place = 1;
  for (struct link *l = t.order.next; l != &t.order; l = l->next) {
    struct entry *e = around(l);
    const int characters = (int)(strlen(e->key) * 10 + strlen(e->initial));
    r += e->value * e->value * characters * place++;
    r += e->value * (e->key[3] - '0') * (e->initial[1] == 'e');
  }
  clear(&t);
  return r;
}

int main(void) {
  const double x[] = {0.7, -0.4, 1.2, 0.9, -1.1, 0.3};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4};
  double g[6] = {0};
  BOTH_MODES(listed, x, g, v, 6);
  return finish();
}
