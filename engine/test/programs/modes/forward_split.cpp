// Split mode in forward direction: the tangent of a second pass is that of
// forward mode, whatever happens to memory between the passes.
#include "split.h"

MARKERS(enzyme_width);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_fwdsplit(A...);

static int calls;

NOINLINE static double square_sum(const double *w, int n) {
  double s = 0;
  ++calls;
  for (int i = 0; i < n; ++i)
    s += w[i] > 0 ? w[i] * w[i] * gain : w[i];
  return s;
}

/// Memory of its own, loops and branches that memory decides.
static double run(double *x, int n, Item *list, double t) {
  double local[3] = {t, t * t, 1};
  const double s = walk<square_sum>(x, n, list, t, local);
  memcpy(x + 1, local, 2 * sizeof *x);
  x[0] = s * x[1];
  return s * local[1] + pow(x[0], 2);
}

/// A variable in whose shadow another request leaves an adjoint.
static double total = 2;
NOINLINE static double grow(double x) {
  total += x;
  return total * total;
}
static void growing() {
  NEAR(__enzyme_autodiff<double>((void *)grow, enzyme_out, 3.0), 10, 1e-14);
  Augmented a =
      __enzyme_augmentfwd<Augmented>((void *)grow, enzyme_dup, 3.0, 0.0);
  NEAR(__enzyme_fwdsplit<double>((void *)grow, enzyme_dup, 3.0, 1.0, a.tape),
       16, 1e-14);
}

struct State {
  double x[4] = {0.7, -0.4, 1.1, 0.2}, d[4] = {1, -2, 0.5, 0.3};
  Item a{0.9, &b}, b{-0.3, nullptr}, da{0.2, &db}, db{-1, nullptr};
  void spoil() {
    ::spoil(x, a, b);
    a.next = nullptr;
  }
};

/// A ring through a variable: its address, which the second pass has another
/// one of, is compared with what the first pass stored.
struct Link {
  Link *next;
  double value;
};
NOINLINE static double around(const Link *ring, double s) {
  for (const Link *p = ring->next; p != ring; p = p->next)
    s = s * 0.5 + p->value * p->value;
  return s;
}
static double linked(const double *x, int n) {
  Link ring{&ring, 0}, own{nullptr, x[0]};
  for (int i = 0; i < n; ++i)
    ring.next = new Link{ring.next, x[i] * x[0]};
  own.next = ring.next;
  ring.next = &own;
  double s = around(&ring, x[1]);
  ring.next = own.next;
  while (ring.next != &ring) {
    Link *p = ring.next;
    ring.next = p->next;
    s += p->value * x[0];
    delete p;
  }
  return s;
}
static void ring() {
  const double x[3] = {0.7, -0.4, 1.1}, v[3] = {1, 0.5, -2};
  Augmented a = __enzyme_augmentfwd<Augmented>((void *)linked, enzyme_dup, x, v,
                                               enzyme_const, 3);
  NEAR(a.value, linked(x, 3), 0);
  NEAR(__enzyme_fwdsplit<double>((void *)linked, enzyme_dup, x, v, enzyme_const,
                                 3, a.tape),
       slope(linked, x, v, 3), 1e-9);
}

int main() {
  State want, plain, s, r;
  double value = run(plain.x, 4, &plain.a, 0.8);
  double slope = __enzyme_fwddiff<double>(
      (void *)run, enzyme_dup, want.x, want.d, enzyme_const, 4, enzyme_dup,
      &want.a, &want.da, enzyme_dup, 0.8, -0.6);
  calls = 0;
  Augmented a = __enzyme_augmentfwd<Augmented>(
      (void *)run, enzyme_dup, s.x, s.d, enzyme_const, 4, enzyme_dup, &s.a,
      &s.da, enzyme_dup, 0.8, 0.0);
  Augmented b = __enzyme_augmentfwd<Augmented>(
      (void *)run, enzyme_dup, r.x, r.d, enzyme_const, 4, enzyme_dup, &r.a,
      &r.da, enzyme_dup, 0.8, 0.0);
  NEAR(calls, 4, 0);
  NEAR(a.value, value, 1e-14);
  for (int i = 0; i < 4; ++i)
    NEAR(s.x[i], plain.x[i], 1e-14);
  NEAR(s.d[0], 1, 0); // tangents are the business of the second pass
  s.spoil();
  r.spoil();
  gain = 77;
  double t = __enzyme_fwdsplit<double>((void *)run, enzyme_dup, s.x, s.d,
                                       enzyme_const, 4, enzyme_dup, &s.a, &s.da,
                                       enzyme_dup, 0.8, -0.6, a.tape);
  NEAR(calls, 4, 0); // the primal does not run again
  NEAR(t, slope, 1e-12);
  for (int i = 0; i < 4; ++i)
    NEAR(s.d[i], want.d[i], 1e-12);
  NEAR(s.da.value, want.da.value, 1e-12);
  NEAR(s.db.value, want.db.value, 1e-12);
  NEAR(s.x[2], 1e9, 0); // nor is its memory written
  t = __enzyme_fwdsplit<double>((void *)run, enzyme_dup, r.x, r.d, enzyme_const,
                                4, enzyme_dup, &r.a, &r.da, enzyme_dup, 0.8,
                                -0.6, b.tape);
  NEAR(t, slope, 1e-12);
  growing();
  ring();
  return finish();
}
