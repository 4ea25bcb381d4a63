// Pairs of floats, and a float beside an integer, that are copied as one word
// of which the halves are used: each half is moved by itself.
#include "../check.h"
#include <vector>
struct Pair {
  float x, y;
};
struct Body {
  Pair width, at;
  float mass, inertia;
};
#define CASE(N) NOINLINE static double f##N(float *p, int n)
static double use(const Pair &a) { return a.x * a.y + 3 * a.x; }
NOINLINE static void copy(Pair *to, const Pair *from) { *to = *from; }
CASE(1) {
  Body b{};
  Pair w{p[0] * p[1], p[2]};
  copy(&b.width, &w);
  b.at = Pair{b.width.y, b.width.x};
  copy(&w, &b.at);
  return use(w) * p[3];
}
NOINLINE static Pair chosen(const Pair *a, const Pair *b, int n) {
  return n & 1 ? *a : *b;
}
CASE(2) {
  Pair *q = (Pair *)p;
  Pair c = chosen(q, q + 1, n);
  return use(c) + c.y * p[3];
}
CASE(3) {
  Pair *q = (Pair *)p;
  Pair s = q[0];
  for (int i = 0; i < n; i++) {
    Pair t = q[i & 1];
    s = Pair{s.y + t.x, s.x * t.y};
    q[(i + 1) & 1] = s;
  }
  return use(s) + q[0].x;
}
CASE(4) {
  Pair v[4];
  for (int i = 0; i < 4; i++)
    v[i] = ((Pair *)p)[i & 1];
  v[2] = v[1];
  v[1] = v[0];
  return v[1].x * v[2].y + v[3].x;
}
CASE(5) {
  std::vector<Pair> v;
  for (int i = 0; i < n; i++)
    v.push_back(((Pair *)p)[i & 1]);
  double s = 0;
  for (auto &a : v)
    s += use(a);
  return s;
}
struct Mixed {
  int i;
  float x;
};
NOINLINE static void copy(Mixed *to, const Mixed *from) { *to = *from; }
CASE(6) {
  Mixed m{n, p[0] * p[1]}, k;
  copy(&k, &m);
  return k.x * k.x * k.i * p[2];
}
NOINLINE static Mixed given(Mixed m) { return Mixed{m.i + 1, m.x * m.x}; }
CASE(7) {
  Mixed m = given(Mixed{n, p[0]});
  return m.x * m.i * p[1];
}
CASE(8) {
  Pair *q = (Pair *)p;
  Pair t = q[0];
  q[0] = q[1];
  q[1] = t;
  return q[0].x * q[0].x * q[1].y;
}
struct Three {
  Pair a;
  float z;
};
CASE(9) {
  Three t{{p[0], p[1]}, p[2]}, u[3];
  for (int i = 0; i < 3; i++) {
    u[i] = t;
    t = Three{{t.a.y, t.z}, t.a.x};
  }
  return u[n % 3].a.x * u[1].z * u[2].a.y;
}
NOINLINE static double taken(Three t) { return t.a.x * t.z + t.a.y; }
CASE(10) {
  Three t{{p[0], p[1]}, p[2] * p[3]};
  return taken(t);
}
// as the program that copies through a pointer to memory that it also reads
CASE(11) {
  Pair w{p[0], p[1]};
  Body b[2] = {};
  for (int i = 0; i < n; i++) {
    Body *at = &b[i & 1];
    copy(&at->width, &w);
    at->at = Pair{at->width.y, at->width.x};
    w = Pair{at->at.x * p[2], at->at.y};
  }
  return use(b[0].width) + use(b[1].at) + w.x;
}
// of which only the type of the field says that it is two floats
NOINLINE static void set(Body *b, const Pair *w) { b->at = *w; }
CASE(12) {
  Body b{};
  Pair w{p[0] * p[1], p[2]}, *k = (Pair *)malloc(sizeof *k);
  set(&b, &w);
  *k = b.at;
  double r = use(*k) * p[3];
  free(k);
  return r;
}
template <double (*F)(float *, int)> static void check(int line) {
  for (int n = 1; n < 6; n += 1) {
    float x[4] = {0.8, 1.1, 0.9, 1.3};
    float d[4] = {0}, y[4];
    memcpy(y, x, sizeof x);
    __enzyme_autodiff((void *)F, enzyme_dup, y, d, enzyme_const, n);
    for (int i = 0; i < 4; ++i) {
      float t[4] = {0};
      t[i] = 1;
      const double want =
          central_difference([n](float *at) { return F(at, n); }, x, i, 1e-2);
      near_at(line, "reverse", d[i], want, 3e-3);
      memcpy(y, x, sizeof x);
      double tangent =
          __enzyme_fwddiff((void *)F, enzyme_dup, y, t, enzyme_const, n);
      near_at(line, "forward", tangent, want, 3e-3);
    }
  }
}
template <auto... F> static void checkAll() {
  int n = 0;
  (check<F>(++n), ...);
}
int main() {
  checkAll<f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12>();
  Body b{}, db{};
  Pair w{1, 2}, dw{};
  db.at = Pair{3, 4};
  __enzyme_autodiff_void((void *)set, enzyme_dup, &b, &db, enzyme_dup, &w, &dw);
  NEAR(dw.x, 3, 1e-6);
  NEAR(dw.y, 4, 1e-6);
  NEAR(db.at.x, 0, 1e-6);
  return finish();
}
