// Pointers to memory that the request marks constant lie beside pointers to
// active memory: only the running derivative knows which is which. Adjoints
// that were added to the constants would change them, and those of the others
// would be lost if all were taken for constant.
#include "../check.h"

struct node {
  double value;
  const struct node *next;
  int uses;
};

/// Nodes of the caller's, constant, and nodes of our own in one chain.
static double chain(const double *x, int n, struct node *fixed) {
  struct node *own = malloc(sizeof(struct node) * (size_t)n);
  const struct node *at[8];
  for (int i = 0; i < n; ++i) {
    own[i].value = x[i] * x[i];
    own[i].next = fixed->next; // a pointer out of constant memory
    own[i].uses = 0;
    at[2 * i] = own + i;
    at[2 * i + 1] = i % 2 ? fixed : fixed->next;
  }
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    const struct node *p = at[i];
    for (int k = 0; k < 3 && p; ++k, p = p->next)
      sum += p->value * (k + 1) * sin(sum);
  }
  free(own);
  return sum + x[0];
}
static struct node Last = {0.7, NULL, 0}, First = {-0.3, &Last, 0};
static double plain_chain(const double *x, int n) {
  return chain(x, n, &First);
}

/// Arrays that count who uses them, the caller's among them.
struct array {
  int count, n;
  double at[4];
};
static int Freed;
static struct array *make(int n) {
  struct array *a = calloc(1, sizeof *a);
  a->count = 1;
  a->n = n;
  return a;
}
NOINLINE static void drop(struct array *a) {
  if (--a->count == 0) {
    ++Freed;
    free(a);
  }
}
static struct array *scaled(struct array *a, double by) {
  struct array *r = make(a->n);
  for (int i = 0; i < a->n; ++i)
    r->at[i] = a->at[i] * by;
  return r;
}
static double counted(const double *x, int n, struct array *given) {
  struct array *all[3] = {given, make(n), NULL};
  ++given->count;
  memcpy(all[1]->at, x, sizeof(double) * (size_t)n);
  all[2] = scaled(x[0] > 0 ? all[1] : given, x[1]);
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n; ++i)
      sum += all[k]->at[i] * all[(k + 1) % 3]->at[i] * all[k]->at[0];
  for (int k = 0; k < 3; ++k)
    drop(all[k]);
  drop(given); // the caller's reference, too: the last one
  return sum;
}
static struct array *given(void) {
  struct array *a = make(4);
  for (int i = 0; i < 4; ++i)
    a->at[i] = 0.5 - 0.2 * i;
  return a;
}
static double plain_counted(const double *x, int n) {
  return counted(x, n, given());
}

/// Words of constant memory are copied, one at a time and over each other.
struct part {
  double a, b;
  const double *more;
};
static double copied(const double *x, int n, const struct part *fixed) {
  struct part own[4], *row[4];
  double heap[4];
  for (int i = 0; i < 4; ++i) {
    heap[i] = x[i % n] * 0.5;
    own[i].a = x[i % n];
    own[i].b = x[(i + 1) % n] * x[i % n];
    own[i].more = heap + i;
    row[i] = i % 2 ? own + i : (struct part *)fixed + i;
  }
  struct part to[4];
  for (int i = 0; i < 4; ++i)
    memcpy(to + i, row[i], sizeof *to);
  memmove(to + 1, to, 2 * sizeof *to); // 0 0 1 3
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += to[i].a * to[i].b + to[i].more[0] * sum + to[i].a;
    sum += sin(row[i]->a) * row[i]->more[0];
  }
  to[1] = *row[3];
  return sum + to[1].b * to[1].more[0];
}
static const double More[4] = {0.9, -0.8, 0.7, 0.6};
static const struct part Parts[4] = {{0.3, 0.4, More},
                                     {0.5, 0.6, More + 1},
                                     {-0.7, 0.8, More + 2},
                                     {0.9, 1.0, More + 3}};
static double plain_copied(const double *x, int n) {
  return copied(x, n, Parts);
}

/// What has no derivative may be written to constant memory: counts, numbers
/// that depend on no input, and zeros. Of callbacks each gets what it is for.
struct cell {
  double value, last;
  int reads;
};
struct hook {
  double (*f)(struct cell *, double);
  struct cell *of;
};
NOINLINE static double times(struct cell *c, double x) {
  ++c->reads;
  c->last = c->reads;
  return c->value * x * x;
}
NOINLINE static double plus(struct cell *c, double x) {
  ++c->reads;
  c->last = 0;
  return c->value + sin(x) + c->last;
}
static double hooked(const double *x, int n, struct cell *fixed, int first) {
  struct cell own = {x[0] * x[1], 0, 0};
  struct hook *hooks = malloc(sizeof(struct hook));
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    hooks = realloc(hooks, sizeof(struct hook) * (size_t)(i + 1));
    hooks[i].f = i % 2 ? times : plus;
    hooks[i].of = (i + first) % 3 ? &own : fixed;
  }
  for (int i = 0; i < n; ++i)
    sum += hooks[i].f(hooks[i].of, x[i] + 0.1 * sum);
  free(hooks);
  return sum;
}
static double plain_hooked(const double *x, int n) {
  struct cell fixed = {1.3, 0, 0};
  return hooked(x, n, &fixed, 0);
}
static double plain_hooked_1(const double *x, int n) {
  struct cell fixed = {1.3, 0, 0};
  return hooked(x, n, &fixed, 1);
}

/// Words that are a number or a pointer, in constant memory and beside it: the
/// bits of a constant number are no shadow.
struct variant {
  int is_array;
  union {
    double number;
    struct array *array;
  } u;
};
NOINLINE static double reading(const struct variant *v) {
  return v->is_array ? v->u.array->at[0] * v->u.array->at[1] : v->u.number;
}
static double varied(const double *x, int n, const struct variant *fixed) {
  struct array *own = make(n);
  memcpy(own->at, x, sizeof(double) * (size_t)n);
  struct variant *all = malloc(sizeof *all * 8), kept;
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    if (i % 4 == 0)
      all[i] = fixed[i / 4];
    else if (i % 4 == 1)
      all[i] = (struct variant){1, {.array = own}};
    else if (i % 4 == 2)
      all[i] = (struct variant){0, {.number = x[i / 4] * x[2]}};
    else
      memcpy(all + i, fixed + 1 - i / 4, sizeof *all);
  }
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 8; ++i) {
      const struct variant *p = (i + k) % 3 ? all + i : fixed + i % 2;
      kept = *p;
      sum += reading(&kept) * (1 + sin(sum)) + reading(p);
      if (!all[i].is_array)
        all[i].u.number *= x[i % n];
    }
  free(all);
  free(own);
  return sum;
}
static struct array Two = {1, 2, {0.6, -0.5, 0, 0}};
static const struct variant Fixed[2] = {{0, {.number = 1.75}},
                                        {1, {.array = &Two}}};
static double plain_varied(const double *x, int n) {
  return varied(x, n, Fixed);
}

int main(void) {
  const double x[4] = {0.6, -0.4, 1.1, 0.9}, v[4] = {1, 0.5, -2, 3};
  {
    struct node last = {0.7, NULL, 0}, first = {-0.3, &last, 0};
    BOTH_MODES_GIVEN(chain, plain_chain, x, v, 4, &first);
    NEAR(first.value, -0.3, 0);
    NEAR(last.value, 0.7, 0);
  }
  for (int side = 0; side < 2; ++side) {
    double g[4] = {0};
    double y[4] = {side ? 0.6 : -0.6, -0.4, 1.1, 0.9};
    Freed = 0;
    __enzyme_autodiff((void *)counted, enzyme_dup, y, g, enzyme_const, 4,
                      enzyme_const, given());
    NEAR(Freed, 3, 0);
    GRADIENT(plain_counted, y, g, 4);
    NEAR(__enzyme_fwddiff((void *)counted, enzyme_dup, y, v, enzyme_const, 4,
                          enzyme_const, given()),
         dot(g, v, 4), 1e-12);
  }
  {
    BOTH_MODES_GIVEN(copied, plain_copied, x, v, 4, Parts);
  }
  for (int first = 0; first < 2; ++first) {
    double g[4] = {0};
    struct cell fixed = {1.3, 0, 0};
    __enzyme_autodiff((void *)hooked, enzyme_dup, x, g, enzyme_const, 4,
                      enzyme_const, &fixed, enzyme_const, first);
    if (first)
      GRADIENT(plain_hooked_1, x, g, 4);
    else
      GRADIENT(plain_hooked, x, g, 4);
    NEAR(fixed.value, 1.3, 0);
    NEAR(fixed.reads, first ? 1 : 2, 0);
    NEAR(__enzyme_fwddiff((void *)hooked, enzyme_dup, x, v, enzyme_const, 4,
                          enzyme_const, &fixed, enzyme_const, first),
         dot(g, v, 4), 1e-12);
  }
  // Not under AddressSanitizer with UndefinedBehaviorSanitizer: there the
  // shadow of such a pointer is lost, and the program ends.
  if (!__has_feature(address_sanitizer)) {
    BOTH_MODES_GIVEN(varied, plain_varied, x, v, 4, Fixed);
    NEAR(Two.at[0], 0.6, 0);
    NEAR(Fixed[0].u.number, 1.75, 0);
  }
  return finish();
}
