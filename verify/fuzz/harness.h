/* Included last by a mutant. It defines fz_inputs, fz_outputs, fz_names and
 *   fz_call   (x, y)        y = f(x)
 *   fz_reverse(x, w, g)     g = J' w
 *   fz_forward(x, v, jv)    jv = J v
 * and this compares them along random directions with differences of f. A line
 * for each comparison; the fuzzer judges. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t fz_state = 88172645463325252u;
static double fz_random(void) { /* in [0, 1) */
  fz_state ^= fz_state << 13;
  fz_state ^= fz_state >> 7;
  fz_state ^= fz_state << 17;
  return (double)(fz_state >> 11) * 0x1p-53;
}

static double fz_at(const double *x, const double *v, const double *w,
                    double h) {
  double *at = (double *)malloc(sizeof(double) * (fz_inputs + 1));
  double *y = (double *)calloc(fz_outputs + 1, sizeof(double));
  double sum = 0;
  for (int i = 0; i < fz_inputs; ++i)
    at[i] = x[i] + h * v[i];
  fz_call(at, y);
  for (int i = 0; i < fz_outputs; ++i)
    sum += w[i] * y[i];
  free(at);
  free(y);
  return sum;
}

/* Central differences, extrapolated, of the step that agrees best with its
 * neighbours; *error is that disagreement, *kink how one-sided ones differ,
 * *fine a difference over much less, which sees no steps of the function. */
static double fz_differences(const double *x, const double *v, const double *w,
                             double *error, double *kink, double *fine) {
  enum { Steps = 16 };
  double c[Steps], r[Steps], best = 0, h = 0x1p-4, middle = fz_at(x, v, w, 0);
  for (int k = 0; k < Steps; ++k, h *= 0.5) {
    volatile double up = fz_at(x, v, w, h), down = fz_at(x, v, w, -h);
    c[k] = (up - down) / (2 * h);
    r[k] = k ? (4 * c[k] - c[k - 1]) / 3 : c[k];
    if (k == 13)
      *kink = fabs((up - middle) / h - (middle - down) / h);
  }
  *fine = (fz_at(x, v, w, 0x1p-28) - fz_at(x, v, w, -0x1p-28)) * 0x1p27;
  *error = HUGE_VAL;
  for (int k = 2; k + 1 < Steps; ++k) {
    double e = fmax(fabs(r[k] - r[k - 1]), fabs(r[k] - r[k + 1]));
    if (e < *error) {
      *error = e;
      best = r[k];
    }
  }
  return best;
}

static double fz_inner(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

int main(int argc, char **argv) {
  int points = argc > 1 ? atoi(argv[1]) : 2, directions = 3;
  double *x = (double *)malloc(sizeof(double) * (fz_inputs + 1)),
         *v = (double *)malloc(sizeof(double) * (fz_inputs + 1));
  double *g = (double *)malloc(sizeof(double) * (fz_inputs + 1)),
         *y = (double *)malloc(sizeof(double) * (fz_outputs + 1));
  double *w = (double *)malloc(sizeof(double) * (fz_outputs + 1)),
         *jv = (double *)malloc(sizeof(double) * (fz_outputs + 1));
  for (int p = 0; p < points; ++p) {
    for (int i = 0; i < fz_inputs; ++i)
      x[i] = 0.3 + 1.2 * fz_random();
    for (int i = 0; i < fz_outputs; ++i)
      w[i] = i == 0 && fz_returns ? 1 : 2 * fz_random() - 1;
    memset(y, 0, sizeof(double) * fz_outputs);
    fz_call(x, y);
    double size = 0;
    for (int i = 0; i < fz_outputs; ++i)
      size += fabs(w[i] * y[i]);
    if (!(size < 1e12)) {
      printf("DOMAIN %d\n", p);
      continue;
    }
#ifndef FZ_PRIMAL
    memset(g, 0, sizeof(double) * fz_inputs);
    fz_reverse(x, w, g);
#endif
    for (int d = 0; d < directions; ++d) {
      double error = 0, kink = 0, fine = 0, scale = 0;
      for (int i = 0; i < fz_inputs; ++i)
        v[i] = 2 * fz_random() - 1;
      double fd = fz_differences(x, v, w, &error, &kink, &fine);
#ifndef FZ_PRIMAL
      memset(jv, 0, sizeof(double) * fz_outputs);
      fz_forward(x, v, jv);
      for (int i = 0; i < fz_inputs; ++i)
        scale += fabs(g[i] * v[i]);
      printf("COMPARE %d %d reverse %.17g forward %.17g differences %.17g "
             "error %.3g kink %.3g fine %.17g scale %.3g size %.3g\n",
             p, d, fz_inner(g, v, fz_inputs), fz_inner(w, jv, fz_outputs), fd,
             error, kink, fine, scale, size);
#else
      printf("DIFFERENCES %.17g\n", fd);
#endif
    }
  }
  puts("END");
  return 0;
}
