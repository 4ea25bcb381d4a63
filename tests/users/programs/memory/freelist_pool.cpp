// flags: -std=c++20
// free-list pool: a slot's memory holds a payload of doubles, then the next
// pointer of the free list, then a double again
#include "../user.h"
#include <vector>
struct Item {
  double v;
  double w;
  Item *next;
};
class Pool {
  union Cell {
    Item item;
    Cell *free;
    Cell() {}
  };
  std::vector<Cell *> chunks;
  Cell *head = nullptr;

public:
  int live = 0;
  Item *get(double v, double w, Item *next) {
    if (!head) {
      Cell *c = (Cell *)malloc(sizeof(Cell) * 4);
      chunks.push_back(c);
      for (int i = 3; i >= 0; --i) {
        c[i].free = head;
        head = c + i;
      }
    }
    Cell *c = head;
    head = c->free;
    ++live;
    return new (&c->item) Item{v, w, next};
  }
  void put(Item *p) {
    Cell *c = (Cell *)p;
    c->free = head;
    head = c;
    --live;
  }
  ~Pool() {
    for (Cell *c : chunks)
      free(c);
  }
};
struct List {
  Pool &pool;
  Item *first = nullptr;
  void push(double v, double w) { first = pool.get(v, w, first); }
  double pop() {
    Item *p = first;
    double r = p->v * p->w;
    first = p->next;
    pool.put(p);
    return r;
  }
  void reverse() {
    Item *r = nullptr;
    while (first) {
      Item *n = first->next;
      first->next = r;
      r = first;
      first = n;
    }
    first = r;
  }
  double sum() const {
    double s = 0, k = 1;
    for (Item *p = first; p; p = p->next)
      s += p->v * (k *= 0.9) + p->w;
    return s;
  }
};
static double f(const double *x, int n) {
  Pool pool;
  List a{pool}, b{pool};
  double s = 0;
  for (int i = 0; i < 3 * n + 2; ++i) {
    a.push(x[i % n], 0.5 + x[(i * 2) % n]);
    if (i % 3 == 2) {
      double p = a.pop(), q = a.pop();
      b.push(p + q, sin(p));
      s += q;
    }
    if (i % 4 == 3) {
      a.reverse();
      std::swap(a.first, b.first);
    }
    if (i % 5 == 4 && b.first)
      s += b.pop();
    s += 0.1 * a.sum() + 0.2 * b.sum();
  }
  while (a.first)
    s = 0.9 * s + a.pop();
  while (b.first)
    s = 0.9 * s + b.pop();
  return s + pool.live;
}
DERIVED(f)
