// Split mode: two passes give what the combined gradient gives, whatever
// happens to memory between them, in any order of several.
#include "split.h"

MARKERS(enzyme_width, enzyme_tape, enzyme_allocated, enzyme_nofree);
template <typename R, typename... A> R __enzyme_augmentsize(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);

NOINLINE static double square_sum(const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i] * gain;
  return s;
}

/// Memory of its own, records of unknown number, a list of the caller's.
static double run(double *x, int n, Item *list, double t) {
  double local[3] = {t, t * t, 1};
  const double s = walk<square_sum>(x, n, list, t, local);
  x[0] = s * x[1];
  return s * local[1];
}

static const double X[4] = {0.7, -0.4, 1.1, 0.2};

struct State {
  double x[4], d[4];
  Item a, b, da, db;
  State() : a{0.9, &b}, b{-0.3, nullptr}, da{0.2, &db}, db{-1, nullptr} {
    for (int i = 0; i < 4; ++i) {
      x[i] = X[i];
      d[i] = 0.1 * i;
    }
  }
  /// What the second pass must not read.
  void spoil() { ::spoil(x, a, b); }
};

static void same(const State &s, const State &want, double dt, double want_dt) {
  NEAR(dt, want_dt, 1e-12);
  for (int i = 0; i < 4; ++i)
    NEAR(s.d[i], want.d[i], 1e-12);
  NEAR(s.da.value, want.da.value, 1e-12);
  NEAR(s.db.value, want.db.value, 1e-12);
}

static double combined(State &s, double t) {
  return __enzyme_autodiff<double>((void *)run, enzyme_dup, s.x, s.d,
                                   enzyme_const, 4, enzyme_dup, &s.a, &s.da,
                                   enzyme_out, t);
}

static Augmented first(State &s, double t) {
  return __enzyme_augmentfwd<Augmented>((void *)run, enzyme_dup, s.x, s.d,
                                        enzyme_const, 4, enzyme_dup, &s.a,
                                        &s.da, enzyme_out, t);
}

static double second(State &s, double t, double seed, void *tape) {
  return __enzyme_reverse<double>((void *)run, enzyme_dup, s.x, s.d,
                                  enzyme_const, 4, enzyme_dup, &s.a, &s.da,
                                  enzyme_out, t, seed, tape);
}

static void apart() {
  State want, plain, s;
  double want_dt = combined(want, 0.8);
  double value = run(plain.x, 4, &plain.a, 0.8);
  Augmented a = first(s, 0.8);
  NEAR(a.value, value, 1e-14);
  NEAR(s.x[0], plain.x[0], 1e-14);
  s.spoil();
  gain = 77;
  double dt = second(s, 0.8, 1, a.tape);
  gain = 1.5;
  same(s, want, dt, want_dt);
}

/// Three first passes, then the second ones in another order.
static void interleaved() {
  State want[3], s[3];
  Augmented a[3];
  double t[3] = {0.5, 0.8, -0.6}, want_dt[3];
  for (int k = 0; k < 3; ++k) {
    want_dt[k] = combined(want[k], t[k]);
    a[k] = first(s[k], t[k]);
  }
  const int order[3] = {1, 2, 0};
  for (int k : order)
    same(s[k], want[k], second(s[k], t[k], 1, a[k].tape), want_dt[k]);
}

/// The tape in the caller's memory; the second pass twice.
static void memory_of_the_caller() {
  size_t need = __enzyme_augmentsize<size_t>(
      (void *)run, enzyme_dup, enzyme_const, enzyme_dup, enzyme_out);
  NEAR(need > 0 && need <= 512, 1, 0);
  struct {
    double before;
    char memory[512];
    double after;
  } m;
  m.before = m.after = 77;
  State want, s;
  double want_dt = combined(want, 0.8);
  __enzyme_augmentfwd<void>((void *)run, enzyme_allocated, 512, enzyme_tape,
                            (void *)m.memory, enzyme_dup, s.x, s.d,
                            enzyme_const, 4, enzyme_dup, &s.a, &s.da,
                            enzyme_out, 0.8);
  s.spoil();
  double dt = __enzyme_reverse<double>(
      (void *)run, enzyme_allocated, 512, enzyme_tape, (void *)m.memory,
      enzyme_dup, s.x, s.d, enzyme_const, 4, enzyme_dup, &s.a, &s.da,
      enzyme_out, 0.8, 1.0);
  same(s, want, dt, want_dt);
  NEAR(m.before, 77, 0);
  NEAR(m.after, 77, 0);
}

/// Each lane has a seed of its own.
static void lanes() {
  State one, two, s;
  double e[4] = {}, dt[2];
  for (double &v : one.d)
    v = 0;
  for (double &v : two.d)
    v = 0;
  for (double &v : s.d)
    v = 0;
  one.da.value = one.db.value = two.da.value = two.db.value = 0;
  s.da.value = s.db.value = 0;
  Item fa{0, nullptr}, fb{0, nullptr};
  fa.next = &fb;
  dt[0] = second(one, 0.8, 2, first(one, 0.8).tape);
  dt[1] = second(two, 0.8, -0.5, first(two, 0.8).tape);
  void *tape = __enzyme_augmentfwd<void *>(
      (void *)run, enzyme_width, 2, enzyme_dup, s.x, s.d, e, enzyme_const, 4,
      enzyme_dup, &s.a, &s.da, &fa, enzyme_out, 0.8);
  s.spoil();
  Two r = __enzyme_reverse<Two>((void *)run, enzyme_width, 2, enzyme_dup, s.x,
                                s.d, e, enzyme_const, 4, enzyme_dup, &s.a,
                                &s.da, &fa, enzyme_out, 0.8, 2.0, -0.5, tape);
  NEAR(r.v[0], dt[0], 1e-12);
  NEAR(r.v[1], dt[1], 1e-12);
  for (int i = 0; i < 4; ++i) {
    NEAR(s.d[i], one.d[i], 1e-12);
    NEAR(e[i], two.d[i], 1e-12);
  }
  NEAR(s.db.value, one.db.value, 1e-12);
  NEAR(fb.value, two.db.value, 1e-12);
}

/// One first pass, several second ones from the same tape.
static void repeated() {
  State s;
  double g[2][4];
  Augmented a = __enzyme_augmentfwd<Augmented>(
      (void *)run, enzyme_nofree, enzyme_dup, s.x, s.d, enzyme_const, 4,
      enzyme_dup, &s.a, &s.da, enzyme_out, 0.8);
  for (int k = 0; k < 2; ++k) {
    for (double &v : s.d)
      v = 0;
    s.da.value = s.db.value = 0;
    __enzyme_reverse<double>((void *)run, enzyme_nofree, enzyme_dup, s.x, s.d,
                             enzyme_const, 4, enzyme_dup, &s.a, &s.da,
                             enzyme_out, 0.8, 1.0 + 2 * k, a.tape);
    memcpy(g[k], s.d, sizeof g[k]);
  }
  for (int i = 0; i < 4; ++i)
    NEAR(g[1][i], 3 * g[0][i], 1e-12);
  // The last second pass gives the tape back.
  second(s, 0.8, 0, a.tape);
}

int main() {
  apart();
  interleaved();
  memory_of_the_caller();
  lanes();
  repeated();
  return finish();
}
