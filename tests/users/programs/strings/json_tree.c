/* C: a JSON-like value: tagged union of number, string, array of values, object
 * of key/value; parsed, cloned, deleted */
#include "../user.h"
typedef struct value value;
typedef struct {
  char *key;
  value *val;
} member;
struct value {
  int type;
  union {
    double num;
    char *str;
    struct {
      value **item;
      int n;
    } arr;
    struct {
      member *m;
      int n;
    } obj;
  } as;
};
enum { NUM, STR, ARR, OBJ };
static value *mk(int t) {
  value *v = (value *)calloc(1, sizeof *v);
  v->type = t;
  return v;
}
static value *num(double d) {
  value *v = mk(NUM);
  v->as.num = d;
  return v;
}
static char *dup_(const char *s) {
  char *p = (char *)malloc(strlen(s) + 1);
  strcpy(p, s);
  return p;
}
static void push(value *a, value *v) {
  a->as.arr.item =
      (value **)realloc(a->as.arr.item, sizeof(value *) * (a->as.arr.n + 1));
  a->as.arr.item[a->as.arr.n++] = v;
}
static void set(value *o, const char *k, value *v) {
  o->as.obj.m =
      (member *)realloc(o->as.obj.m, sizeof(member) * (o->as.obj.n + 1));
  o->as.obj.m[o->as.obj.n].key = dup_(k);
  o->as.obj.m[o->as.obj.n++].val = v;
}
static value *get(value *o, const char *k) {
  for (int i = 0; i < o->as.obj.n; ++i)
    if (!strcmp(o->as.obj.m[i].key, k))
      return o->as.obj.m[i].val;
  return NULL;
}
static value *clone(const value *v) {
  value *r = mk(v->type);
  switch (v->type) {
  case NUM:
    r->as.num = v->as.num;
    break;
  case STR:
    r->as.str = dup_(v->as.str);
    break;
  case ARR:
    for (int i = 0; i < v->as.arr.n; ++i)
      push(r, clone(v->as.arr.item[i]));
    break;
  case OBJ:
    for (int i = 0; i < v->as.obj.n; ++i)
      set(r, v->as.obj.m[i].key, clone(v->as.obj.m[i].val));
    break;
  }
  return r;
}
static double total(const value *v) {
  double s = 0;
  switch (v->type) {
  case NUM:
    return sin(v->as.num) + v->as.num;
  case STR:
    return 0.1 * (double)strlen(v->as.str);
  case ARR:
    for (int i = 0; i < v->as.arr.n; ++i)
      s = 0.9 * s + total(v->as.arr.item[i]);
    return s;
  default:
    for (int i = 0; i < v->as.obj.n; ++i)
      s += total(v->as.obj.m[i].val) * (i + 1);
    return s;
  }
}
static void drop(value *v) {
  if (v->type == STR)
    free(v->as.str);
  if (v->type == ARR) {
    for (int i = 0; i < v->as.arr.n; ++i)
      drop(v->as.arr.item[i]);
    free(v->as.arr.item);
  }
  if (v->type == OBJ) {
    for (int i = 0; i < v->as.obj.n; ++i) {
      free(v->as.obj.m[i].key);
      drop(v->as.obj.m[i].val);
    }
    free(v->as.obj.m);
  }
  free(v);
}
static double f(const double *x, int n) {
  value *o = mk(OBJ), *a = mk(ARR);
  for (int i = 0; i < n; ++i) {
    push(a, num(x[i]));
    if (i % 3 == 2) {
      value *in = mk(OBJ);
      set(in, "w", num(x[i] * x[0]));
      set(in, "t", num(2));
      push(a, in);
    }
  }
  set(o, "data", a);
  value *t = mk(STR);
  t->as.str = dup_("hello");
  set(o, "name", t);
  value *c = clone(o), *d = get(c, "data");
  d->as.arr.item[0]->as.num *= 2;
  value tmp = *d->as.arr.item[0];
  *d->as.arr.item[0] = *d->as.arr.item[n - 1];
  *d->as.arr.item[n - 1] = tmp;
  t = get(c, "name");
  free(t->as.str);
  t->type = NUM;
  t->as.num = x[n - 1];
  double s = total(o) * 0.5 + total(c);
  drop(o);
  drop(c);
  return s;
}
DERIVED(f)
