// FLAGS: -fopenmp
// NOT-SANITIZED: at O0 the checks hide what is copied
// A checkpointed loop with threads in its steps.
#include "../check.h"

#include <retrograde/checkpoint.h>

enum { cells = 60, steps = 30 };

#define DIFFUSE(Name, MARKS)                                                   \
  static double Name(double *u, double *v) {                                   \
    double sum = 0;                                                            \
    for (int t = 0; t < steps; ++t) {                                          \
      MARKS;                                                                   \
      _Pragma("omp parallel for") for (int i = 0; i < cells; ++i) v[i] =       \
          0.5 * sin(u[i]) + 0.3 * u[(i + 1) % cells] * u[i];                   \
      _Pragma("omp parallel for") for (int i = 0; i < cells; ++i) u[i] +=      \
          0.1 * v[i] - 0.1 * u[i];                                             \
      sum += u[t];                                                             \
    }                                                                          \
    return sum;                                                                \
  }
DIFFUSE(taped, )
DIFFUSE(kept, retro_checkpoint(4);
        retro_checkpoint_state(u, cells * sizeof(double));
        retro_checkpoint_state(v, 0))

static double u[cells], v[cells], du[cells], dv[cells], want[cells];

static void fill(void) {
  for (int i = 0; i < cells; ++i)
    u[i] = 1 + 0.2 * cos(i), v[i] = du[i] = dv[i] = 0;
}

int main() {
  fill();
  __enzyme_autodiff((void *)taped, u, du, v, dv);
  memcpy(want, du, sizeof want);
  fill();
  __enzyme_autodiff((void *)kept, u, du, v, dv);
  for (int i = 0; i < cells; ++i)
    NEAR(du[i], want[i], 1e-14);
  NEAR(want[3] > 0.1 || want[3] < -0.1, 1, 0);
  return finish();
}
