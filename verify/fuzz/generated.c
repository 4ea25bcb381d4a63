/* Judges the programs of a file: forward, reverse, vector and
 * forward-over-reverse mode against each other and against differences.
 *
 * It prints, for each program: BEGIN name; WRONG name what … for each claim
 * that does not hold; then VALUE name and numbers that another build must give
 * too, DIFFERENCES name decided doubtful, and END name. */
#include "generated.h"
#include <malloc.h>
#include <stdio.h>

enum { Most = 352, Few = 64, Lanes = 4, Points = 2 };

static uint64_t state;
static double uniform(double low, double high) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}
static void start(const char *name) {
  state = 88172645463325252u;
  for (; *name; ++name)
    state = (state ^ (uint64_t)*name) * 1099511628211u;
  for (int k = 0; k < 8; ++k)
    uniform(0, 1);
}
static double inner(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

static const struct fz_program *p;
static int wrong, decided, doubtful;

static void expect(const char *what, int i, double got, double want,
                   double tolerance) {
  /* Written so that a NaN fails. */
  if (fabs(got - want) <= tolerance)
    return;
  if (wrong++ < 4)
    printf("WRONG %s %s[%d] is %.17g, expected %.17g (tolerance %.3g)\n",
           p->name, what, i, got, want, tolerance);
}

/* ---- differences */

/* Of w . call, or of u . reverse with weights w, at a + h v. */
static double along(const double *a, const double *v, const double *w,
                    const double *u, double h) {
  double at[Most], y[Most];
  for (int i = 0; i < p->inputs; ++i)
    at[i] = a[i] + h * v[i];
  if (u) {
    p->reverse(at, w, y);
    return inner(u, y, p->inputs);
  }
  p->call(at, y);
  return inner(w, y, p->outputs);
}

/* Central differences, extrapolated, of the step that agrees best with its
 * neighbours; *error is that disagreement, *kink how one-sided ones differ,
 * *fine a difference over much less, which sees no steps of the function. */
static double differences(const double *a, const double *v, const double *w,
                          const double *u, double *error, double *kink,
                          double *fine) {
  enum { Steps = 16 };
  double c[Steps], r[Steps], best = 0, h = 0x1p-5;
  const double middle = along(a, v, w, u, 0);
  *kink = 0;
  for (int k = 0; k < Steps; ++k, h *= 0.5) {
    volatile double up = along(a, v, w, u, h), down = along(a, v, w, u, -h);
    c[k] = (up - down) / (2 * h);
    r[k] = k ? (4 * c[k] - c[k - 1]) / 3 : c[k];
    if (k == 12)
      *kink = fabs((up - middle) / h - (middle - down) / h);
  }
  *fine = (along(a, v, w, u, 0x1p-28) - along(a, v, w, u, -0x1p-28)) * 0x1p27;
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

static void against_differences(const char *what, int i, double got,
                                double scale, const double *a, const double *v,
                                const double *w, const double *u) {
  double error, kink, fine;
  const double fd = differences(a, v, w, u, &error, &kink, &fine);
  scale = fmax(scale, fabs(fd)) + 1;
  /* Too steep for the steps, or no limit in sight. */
  if (scale > (p->single ? 0x1p9 : 0x1p17) || !(error <= 1e-2 * scale) ||
      kink > 1e-2 * scale + 10 * error) {
    ++doubtful;
    return;
  }
  const double bound = (p->single ? 3e-2 : 2e-6) * scale + 20 * error;
  if (fabs(got - fd) <= bound) {
    ++decided;
    return;
  }
  /* A function that moves in steps has the derivative of a step. */
  if (fabs(fd - fine) > 2e-3 * scale && fabs(got - fine) <= 1e-3 * scale) {
    ++doubtful;
    return;
  }
  expect(what, i, got, fd, bound);
}

/* ---- memory */

extern size_t __sanitizer_get_current_allocated_bytes(void)
    __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));

static size_t allocated(void) {
  if (__sanitizer_get_current_allocated_bytes)
    return __sanitizer_get_current_allocated_bytes();
  const struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

/* What a call leaves allocated each time: at least as much as 16 bytes by each
 * call of the second and third eight, and by each of two hundred more where
 * these say so. What stays for the next call (a pool, the lists of what the
 * allocator has free, which it counts) is no leak. */
#define LEAK(name, call)                                                       \
  do {                                                                         \
    size_t at[4];                                                              \
    for (int k = 0; k < 20; ++k) {                                             \
      call;                                                                    \
      if (k % 8 == 3)                                                          \
        at[k / 8] = allocated();                                               \
    }                                                                          \
    const double first = (double)at[1] - at[0], last = (double)at[2] - at[1];  \
    if (fmin(first, last) < 8 * 16)                                            \
      break;                                                                   \
    for (int k = 0; k < 200; ++k) {                                            \
      call;                                                                    \
      if (k % 100 == 99)                                                       \
        at[2 + k / 100] = allocated();                                         \
    }                                                                          \
    const double more = ((double)at[3] - at[2]) / 100;                         \
    if (more >= 16)                                                            \
      expect("memory of " name, 0, fmin(first, last) / 8, 0, 0);               \
  } while (0)

static void leaks(const double *in, const double *w, const double *v,
                  double *out, double *jv, double *hv) {
  /* The runtime of OpenMP allocates when it likes. */
  if (omp_get_max_threads)
    return;
  if (p->forward)
    LEAK("forward", p->forward(in, v, out, jv));
  LEAK("reverse", p->reverse(in, w, jv));
  if (p->forwards)
    LEAK("vector forward", p->forwards(in, v, out, jv));
  if (p->reverses)
    LEAK("vector reverse", p->reverses(in, w, jv));
  if (p->second)
    LEAK("second", p->second(in, w, v, out, hv));
}

/* ---- one program at one point */

static double size_of(const double *a, int n) {
  double most = 0;
  for (int i = 0; i < n; ++i)
    most = isfinite(a[i]) ? fmax(most, fabs(a[i])) : HUGE_VAL;
  return most;
}

static void at_point(double *value) {
  const int n = p->inputs, m = p->outputs;
  const double eps = p->single ? 2e-3 : 1e-9;
  double in[Most], out[Most], w[Lanes * Most], v[Lanes * Most], g[Most];
  double gs[Lanes * Most], jv[Lanes * Most], again[Most], hv[2 * Most];
  for (int i = 0; i < n; ++i) {
    in[i] = uniform(0.15, 1.4);
    if (uniform(0, 1) < 0.4)
      in[i] = -in[i];
    if (p->single)
      in[i] = (float)in[i];
  }
  /* A program is judged at the same points whatever the others' sizes. */
  const int most = n <= Few && m <= Few ? Few : Most;
  for (int i = 0; i < Lanes * most; ++i) {
    w[i] = (float)uniform(-1, 1);
    v[i] = (float)uniform(-1, 1);
  }
  for (int k = 0; k < Lanes && p->returns; ++k)
    w[k * m] = 1;
  p->call(in, out);
  value[0] = inner(out, w, m);
  const double of_out = size_of(out, m);
  if (!(of_out < 1e3))
    expect("primal", 0, of_out, 0, 1e3);
  if (!p->reverse)
    return;
  p->reverse(in, w, g);
  value[1] = inner(g, v, n);
  /* Entry by entry. */
  double scale = 1 + size_of(g, n), steep = scale;
  for (int i = 0; p->forward && i < n; ++i) {
    double e[Most] = {0};
    e[i] = 1;
    p->forward(in, e, again, jv);
    steep = fmax(steep, size_of(jv, m));
    for (int j = p->returns; j < m; ++j)
      expect("primal beside forward", j, again[j], out[j], eps);
    expect("reverse against forward", i, g[i], inner(w, jv, m),
           eps * fmax(steep, scale));
  }
  if (p->reverses) {
    p->reverses(in, w, gs);
    for (int k = 0; k < p->lanes; ++k) {
      p->reverse(in, w + k * m, again);
      for (int i = 0; i < n; ++i)
        expect("vector reverse", k * n + i, gs[k * n + i], again[i],
               eps * steep);
    }
  }
  if (p->forwards && p->forward) {
    p->forwards(in, v, again, gs);
    for (int j = p->returns; j < m; ++j)
      expect("primal beside vector forward", j, again[j], out[j], eps);
    for (int k = 0; k < p->lanes; ++k) {
      p->forward(in, v + k * n, again, jv);
      for (int j = 0; j < m; ++j)
        expect("vector forward", k * m + j, gs[k * m + j], jv[j], eps * steep);
    }
  }
  for (int d = 0; d < 2; ++d)
    against_differences("gradient", d, inner(g, v + d * n, n), scale, in,
                        v + d * n, w, 0);
  leaks(in, w, v, again, gs, hv);
  if (!p->second)
    return;
  /* The second derivatives: along a direction, and symmetric. */
  double hu[2 * Most], along_v[2 * Most];
  memset(hv, 0, sizeof hv);
  memset(hu, 0, sizeof hu);
  memset(along_v, 0, sizeof along_v);
  memset(again, 0, sizeof again);
  p->second(in, w, v, again, hv);
  value[2] = inner(hv, v + n, n);
  for (int i = 0; i < n; ++i)
    expect("gradient beside its tangent", i, again[i], g[i], eps * steep);
  const double *u = p->outer > 1 ? v + n : v + 2 * n;
  memset(again, 0, sizeof again);
  p->second(in, w, p->outer > 1 ? v + n : v + 2 * n, again, hu);
  const double of_hv = 1 + size_of(hv, n) + size_of(hu, n);
  /* Tangents of what is overwritten later may have left the range of floats. */
  if (p->single && !isfinite(of_hv)) {
    ++doubtful;
    return;
  }
  if (p->outer > 1)
    for (int i = 0; i < n; ++i)
      expect("second lane", i, hv[n + i], hu[i], eps * (of_hv + steep * steep));
  expect("symmetry", 0, inner(u, hv, n), inner(v, hu, n),
         eps * (of_hv + steep * steep));
  against_differences("second", 0, inner(u, hv, n), of_hv + steep, in, v, w, u);
}

int main(int argc, char **argv) {
  int bad = 0;
  for (int k = argc > 1 ? atoi(argv[1]) : 0; k < fz_count; ++k) {
    p = fz_programs[k];
    wrong = decided = doubtful = 0;
    printf("BEGIN %s %d\n", p->name, k);
    fflush(stdout);
    start(p->name);
    for (int point = 0; point < Points; ++point) {
      double value[3] = {0};
      at_point(value);
      printf("VALUE %s %d %.17g %.17g %.17g\n", p->name, point, value[0],
             value[1], value[2]);
    }
    printf("DIFFERENCES %s %d %d\n", p->name, decided, doubtful);
    printf("END %s\n", p->name);
    fflush(stdout);
    bad += wrong != 0;
  }
  return bad != 0;
}
