// Functions that return pointers: the shadow of the pointer is returned too,
// and what lies behind it is a result.
#include "../check.h"

struct Node {
  double value;
  struct Node *next;
};
struct View {
  double *data;
  long size;
};
struct Both {
  void *primal, *shadow;
};
struct Passes {
  void *tape;
  double *primal, *shadow;
};
MARKERS(enzyme_primal_return);
void *__enzyme_fwddiff_pointer(void *, ...);
struct Both __enzyme_fwddiff_both(void *, ...);
struct View __enzyme_fwddiff_view(void *, ...);
struct Passes __enzyme_augmentfwd_passes(void *, ...);
double __enzyme_reverse(void *, ...);

static double *powers(double x, int n) {
  double *p = (double *)malloc(sizeof(double) * (size_t)n);
  double y = 1;
  for (int i = 0; i < n; ++i)
    p[i] = y *= x;
  return p;
}

static struct Node *multiples(double x, int n) {
  struct Node *head = NULL;
  for (int i = 1; i <= n; ++i) {
    struct Node *node = (struct Node *)malloc(sizeof *node);
    node->value = x * i;
    node->next = head;
    head = node;
  }
  return head;
}

static struct View squares(double x, struct View into) {
  struct View v = {into.data, into.size};
  for (long i = 0; i < v.size; ++i)
    v.data[i] = x * x * (double)i;
  return v;
}
static struct View over(double x, double *into, long n) {
  return squares(x, (struct View){into, n});
}

/// Nothing is read or written.
static double *choose(double *a, double *b, int second) {
  return second ? b : a;
}

static void release(struct Node *n) {
  while (n) {
    struct Node *next = n->next;
    free(n);
    n = next;
  }
}

int main(void) {
  struct Both r = __enzyme_fwddiff_both((void *)powers, enzyme_primal_return,
                                        enzyme_dup, 3.0, 2.0, enzyme_const, 3);
  double *t = (double *)r.shadow;
  near_at(__LINE__, "a tangent", t != NULL, 1, 0);
  if (t) {
    NEAR(t[0], 2, 0);
    NEAR(t[1], 12, 1e-15);
    NEAR(t[2], 54, 1e-15);
  }
  free(t);
  free(r.primal);
  r = __enzyme_fwddiff_both((void *)multiples, enzyme_primal_return, enzyme_dup,
                            3.0, 1.0, enzyme_const, 3);
  struct Node *l = (struct Node *)r.shadow;
  near_at(__LINE__, "a tangent", l != NULL, 1, 0);
  if (l) {
    NEAR(l->value, 3, 0);
    NEAR(l->next->next->value, 1, 0);
  }
  release(l);
  release((struct Node *)r.primal);
  double room[3], tangents[3] = {0};
  struct View v =
      __enzyme_fwddiff_view((void *)over, enzyme_dup, 3.0, 1.0, enzyme_dup,
                            room, tangents, enzyme_const, 3L);
  near_at(__LINE__, "the shadow", v.data == tangents, 1, 0);
  NEAR(tangents[2], 12, 1e-15);
  double a, b, da, db;
  NEAR(__enzyme_fwddiff_pointer((void *)choose, &a, &da, &b, &db, 1) == &db, 1,
       0);
  NEAR(__enzyme_fwddiff_pointer((void *)choose, &a, &da, &b, &db, 0) == &da, 1,
       0);

  struct Passes p = __enzyme_augmentfwd_passes((void *)powers, enzyme_out, 3.0,
                                               enzyme_const, 3);
  NEAR(p.primal[2], 27, 1e-15);
  p.shadow[0] = 1;
  p.shadow[1] = 10;
  p.shadow[2] = 100;
  NEAR(__enzyme_reverse((void *)powers, enzyme_out, 3.0, enzyme_const, 3,
                        p.tape),
       1 + 10 * 6 + 100 * 27, 1e-15);
  free(p.primal);
  free(p.shadow);
  return finish();
}
