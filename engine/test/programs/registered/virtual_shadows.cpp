// Shadows of tables and functions, from __enzyme_virtualreverse: of a vtable
// that is loaded, of a pointer from a phi, a parameter or a table of the
// program's own.
#include "../check.h"

template <typename T> T __enzyme_virtualreverse(T);

struct Law {
  virtual double eval(double v) const = 0;
  virtual ~Law() {}
  double k = 0;
};
struct Linear : Law {
  double eval(double v) const override { return k * v; }
};
struct Power : Law {
  double eval(double v) const override { return v * v * k + v; }
};
static double eval(const Law &law, double v) { return law.eval(v); }
static double both(const Law *const *laws, double v) {
  return laws[0]->eval(v) * laws[1]->eval(v);
}

static NOINLINE Law *make(int kind) {
  return kind ? static_cast<Law *>(new Power) : new Linear;
}
/// The shadow of an object whose class is known when the program runs.
static NOINLINE Law *shadow_of(const Law *law) {
  Law *shadow = static_cast<Law *>(calloc(1, sizeof(Power)));
  *(void **)shadow = __enzyme_virtualreverse(*(void *const *)law);
  return shadow;
}

static void objects() {
  Law *laws[2] = {make(0), make(1)}, *shadows[2];
  for (int i = 0; i < 2; ++i)
    shadows[i] = shadow_of(laws[i]);
  laws[0]->k = 2, laws[1]->k = 3;
  NEAR(__enzyme_autodiff((void *)eval, enzyme_dup, laws[0], shadows[0],
                         enzyme_out, 10.0),
       2, 0);
  NEAR(shadows[0]->k, 10, 0);
  NEAR(__enzyme_autodiff((void *)eval, enzyme_dup, laws[1], shadows[1],
                         enzyme_out, 3.0),
       19, 0);
  NEAR(shadows[1]->k, 9, 0);
  shadows[0]->k = shadows[1]->k = 0;
  // 2 v (3 v^2 + v)
  NEAR(__enzyme_autodiff((void *)both, enzyme_dup, laws, shadows, enzyme_out,
                         2.0),
       18 * 4 + 4 * 2, 0);
  NEAR(shadows[0]->k, 2 * 14, 0);
  NEAR(shadows[1]->k, 4 * 4, 0);
  shadows[0]->k = 1, shadows[1]->k = 10;
  NEAR(__enzyme_fwddiff((void *)both, enzyme_dup, laws, shadows, enzyme_dup,
                        2.0, 0.0),
       28 + 160, 0);
  for (int i = 0; i < 2; ++i) {
    delete laws[i];
    free(shadows[i]);
  }
}

typedef double Function(double);
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static Function *const Table[2] = {square, cube};
struct Rule {
  Function *fn;
  double at;
};
static double apply(Rule *r) { return r->fn(r->at); }
static NOINLINE Function *shadow(Function *f) {
  return __enzyme_virtualreverse(f);
}

static void functions(int kind) {
  Function *f = kind ? cube : square;
  const double want = kind ? 27 : 6;
  Rule r{f, 3}, phi{__enzyme_virtualreverse(f), 0}, parameter{shadow(f), 0},
      loaded{__enzyme_virtualreverse(Table[kind]), 0};
  Rule *const all[] = {&phi, &parameter, &loaded};
  for (Rule *d : all) {
    __enzyme_autodiff((void *)apply, enzyme_dup, &r, d);
    NEAR(d->at, want, 0);
    d->at = 2;
    NEAR(__enzyme_fwddiff((void *)apply, enzyme_dup, &r, d), 2 * want, 0);
  }
}

int main() {
  objects();
  for (int kind = 0; kind < 2; ++kind)
    functions(kind);
  return finish();
}
