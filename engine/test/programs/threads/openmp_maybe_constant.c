// FLAGS: -fopenmp
// Threads add to the shadows of what is active and to none of what is constant,
// though only the running derivative knows which is which.
#include "../check.h"

struct row {
  double at[4];
};

static double total(const double *x, int n, const struct row *fixed) {
  struct row *own = calloc(4, sizeof *own);
  const struct row *rows[64];
  double out[64], sum = 0;
  for (int i = 0; i < 16; ++i)
    own[i / 4].at[i % 4] = x[i % n] * (i + 1);
  for (int i = 0; i < 64; ++i)
    rows[i] = i % 3 ? own + i % 4 : fixed + i % 4;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 64; ++i)
    out[i] = rows[i]->at[i % 4] * rows[(i * 7 + 1) % 64]->at[0] * x[i % n];
  for (int i = 0; i < 64; ++i)
    sum += out[i];
  free(own);
  return sum * 0.01;
}
static const struct row Fixed[4] = {{{0.1, 0.2, 0.3, 0.4}},
                                    {{0.5, 0.6, 0.7, 0.8}},
                                    {{0.9, 1.0, 1.1, 1.2}},
                                    {{-1, -2, -3, -4}}};
static double plain(const double *x, int n) { return total(x, n, Fixed); }

int main(void) {
  const double x[4] = {0.6, -0.4, 1.1, 0.9}, v[4] = {1, 0.5, -2, 3};
  BOTH_MODES_GIVEN(total, plain, x, v, 4, Fixed);
  return finish();
}
