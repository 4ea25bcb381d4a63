// Globals with shadows that the program registers: inputs, results and state
// like what arguments point to. Nothing clears the shadows.
#include "../check.h"

static double weight[3] = {0.5, -1.5, 2}, weight_shadow[3];
static double result, result_shadow;
static double state[4], state_shadow[4];
static double *table, *table_shadow;
static UNUSED void *__enzyme_register_shadow_weight[] = {weight, weight_shadow};
void *__enzyme_register_shadow_result[] = {&result, &result_shadow};
void *__enzyme_register_shadow_state[] = {state, state_shadow};
void *__enzyme_register_shadow_table[] = {&table, &table_shadow};

/// Nothing in the program stores to weight, and nothing reads result.
static void weighted(const double *x) {
  result = 0;
  for (int i = 0; i < 3; ++i)
    result += weight[i] * x[i] * x[i];
}

static void input_and_result(void) {
  const double x[3] = {1.25, 0.75, -2};
  double dx[3] = {0, 0, 0};
  for (int again = 1; again <= 2; ++again) {
    result_shadow = 3;
    __enzyme_autodiff_void((void *)weighted, x, dx);
    NEAR(result_shadow, 0, 0);
    for (int i = 0; i < 3; ++i) {
      NEAR(weight_shadow[i], again * 3 * x[i] * x[i], 1e-14);
      NEAR(dx[i], again * 6 * weight[i] * x[i], 1e-14);
    }
  }
  const double v[3] = {1, -0.5, 0.25};
  double want = 0;
  for (int i = 0; i < 3; ++i) {
    weight_shadow[i] = 0.1 * (i + 1);
    want += weight_shadow[i] * x[i] * x[i] + 2 * weight[i] * x[i] * v[i];
  }
  __enzyme_fwddiff_void((void *)weighted, x, v);
  NEAR(result_shadow, want, 1e-14);
}

/// State, and what a table points to.
static NOINLINE double advance(double x) {
  for (int i = 0; i < 4; ++i)
    state[i] = state[i] * state[(i + 1) % 4] + table[i] * x;
  return state[0] * state[3];
}
static double advance_of(const double *p, int n) {
  (void)n;
  memcpy(state, p, sizeof state);
  table = (double *)p + 4;
  return advance(p[8]);
}

static void state_and_table(void) {
  double p[9] = {0.3, 0.9, 1.2, -0.4, 0.7, 1.1, -0.6, 0.8, 0.5}, g[9] = {0};
  memcpy(state, p, sizeof state);
  memset(state_shadow, 0, sizeof state_shadow);
  table = p + 4;
  table_shadow = g + 4;
  g[8] = __enzyme_autodiff((void *)advance, p[8]);
  memcpy(g, state_shadow, sizeof state_shadow);
  GRADIENT(advance_of, p, g, 9);
}
int main(void) {
  input_and_result();
  state_and_table();
  return finish();
}
