// Memory that the request marks constant carries no derivative, whatever the
// function stores there, because the program says so.
// OPTIONS: -mllvm -retro-trust-const
#include "../check.h"

/// Old values are read, and new ones written, to an array that nobody seeds.
static double step(const double *x, double *kept, const int *list, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    const int i = list[k];
    const double now = 0.5 * (kept[i] + x[i] * x[i]);
    sum += now * x[i];
    kept[i] = now;
  }
  return sum;
}
/// What goes through the constant memory and comes back is a constant; so is
/// what is copied there and back at once.
static double there_and_back(const double *x, double *kept, double *block,
                             int n) {
  double sum = 0, own[4];
  memcpy(block, x, sizeof own);
  for (int i = 0; i < n; ++i)
    kept[i] = x[i] * x[i];
  memcpy(own, block, sizeof own);
  for (int i = 0; i < n; ++i)
    sum += kept[i] * x[i] + own[i] * x[i] * x[i];
  return sum;
}
struct State {
  double last, *history;
  int steps;
};
NOINLINE static void note(struct State *s, double value) {
  s->last = value;
  s->history[s->steps++] = value * value;
}
/// A struct of the caller's, reached through calls.
static double noted(const double *x, struct State *s, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    note(s, sum + x[i]);
    sum += x[i] * s->last;
  }
  return sum + s->history[0];
}

int main(void) {
  const double x[4] = {1, 2, 3, 0.5}, v[4] = {0.3, -0.2, 0.9, 0.4};
  const int list[4] = {2, 0, 3, 1};
  {
    double kept[4] = {1, 2, 3, 4}, again[4] = {1, 2, 3, 4}, g[4] = {0};
    __enzyme_autodiff_void((void *)step, enzyme_dup, x, g, enzyme_const, kept,
                           enzyme_const, list, enzyme_const, 4);
    for (int i = 0; i < 4; ++i) {
      const double old = i + 1;
      NEAR(g[i], 0.5 * old + 1.5 * x[i] * x[i], 1e-14);
      NEAR(kept[i], 0.5 * (old + x[i] * x[i]), 1e-15);
    }
    NEAR(__enzyme_fwddiff((void *)step, enzyme_dup, x, v, enzyme_const, again,
                          enzyme_const, list, enzyme_const, 4),
         dot(g, v, 4), 1e-14);
  }
  {
    double kept[4], block[4], g[4] = {0};
    __enzyme_autodiff_void((void *)there_and_back, enzyme_dup, x, g,
                           enzyme_const, kept, enzyme_const, block,
                           enzyme_const, 4);
    for (int i = 0; i < 4; ++i)
      NEAR(g[i], x[i] * x[i] + 2 * x[i] * x[i], 1e-14);
    NEAR(__enzyme_fwddiff((void *)there_and_back, enzyme_dup, x, v,
                          enzyme_const, kept, enzyme_const, block, enzyme_const,
                          4),
         dot(g, v, 4), 1e-14);
  }
  {
    double history[8], g[4] = {0}, sum = 0;
    struct State s = {0, history, 0}, t = {0, history, 0};
    __enzyme_autodiff_void((void *)noted, enzyme_dup, x, g, enzyme_const, &s,
                           enzyme_const, 4);
    for (int i = 0; i < 4; ++i) {
      const double last = sum + x[i];
      NEAR(g[i], last, 1e-14);
      sum += x[i] * last;
    }
    NEAR(s.steps, 4, 0);
    NEAR(__enzyme_fwddiff((void *)noted, enzyme_dup, x, v, enzyme_const, &t,
                          enzyme_const, 4),
         dot(g, v, 4), 1e-14);
  }
  return finish();
}
