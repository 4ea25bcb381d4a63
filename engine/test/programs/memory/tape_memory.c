// FLAGS: -pthread
// The memory of a tape is kept for the next call, whichever derivative that is
// of: from the second call on the system gives no new pages. Its content is
// that of the call, also where several threads call, and in second derivatives.
#include "../check.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/// The product of n factors next to one, each of which the tape keeps.
static double product(const double *x, int n) {
  double y = 1;
  for (int i = 0; i < n; ++i)
    y = y * x[i % 4];
  return y;
}

/// What the derivative with respect to x[0] is, with n a multiple of four.
static double first(const double *x, int n) {
  return n / 4 * product(x, n) / x[0];
}

static double second(const double *x, int n) {
  return (n / 4 - 1) * first(x, n) / x[0];
}

static long faults(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_minflt;
}

static long resident(void) {
  long all = 0, here = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f) {
    NEAR(fscanf(f, "%ld %ld", &all, &here), 2, 0);
    fclose(f);
  }
  return here * sysconf(_SC_PAGESIZE);
}

/// What does not fill a huge page is in small ones: 4.9 MB are not 6.3.
static void fitting(const double *x) {
  double dx[4] = {0};
  resident();
  const long before = resident();
  __enzyme_autodiff((void *)product, enzyme_dup, x, dx, enzyme_const, 612500);
  const long more = resident() - before;
  printf("%ld bytes more\n", more);
#if !__has_feature(address_sanitizer) // its malloc takes more
  NEAR(more < 5600000, 1, 0);
#endif
}

static void steady(const double *x) {
  enum { N = 6000000 };
  long had[5];
  for (int call = 0; call < 5; ++call) {
    const double y[4] = {x[0] + call * 1e-9, x[1], x[2], x[3]};
    double dy[4] = {0};
    const long before = faults();
    __enzyme_autodiff((void *)product, enzyme_dup, y, dy, enzyme_const, N);
    had[call] = faults() - before;
    NEAR(dy[0], first(y, N), 1e-9);
    NEAR(dy[3], N / 4 * product(y, N) / y[3], 1e-9);
  }
  printf("%ld %ld %ld\n", had[0], had[1], had[4]);
  for (int call = 1; call < 5; ++call)
    NEAR(had[call] < 300, 1, 0);
}

static void *callers(void *seed) {
  const int k = *(int *)seed;
  double worst = 0;
  for (int call = 0; call < 60; ++call) {
    const int n = 4 * (2000 + 9000 * ((call * 7 + k) % 11));
    double x[4] = {1 + 1e-5 * k, 1 - 1e-5, 1 + 2e-5, 1 - 1.5e-5}, dx[4] = {0};
    __enzyme_autodiff((void *)product, enzyme_dup, x, dx, enzyme_const, n);
    worst = fmax(worst, fabs(dx[0] / first(x, n) - 1));
  }
  // Written so that a NaN fails.
  *(int *)seed = worst <= 1e-9 ? 0 : 1;
  return NULL;
}

static void gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)product, enzyme_dup, x, dx, enzyme_const, n);
}

int main(void) {
  const double x[4] = {1 + 1e-7, 1 - 2e-7, 1 + 3e-7, 1 - 1.5e-7};
  fitting(x);
  steady(x);

  pthread_t threads[4];
  int seeds[4] = {1, 2, 3, 4};
  for (int t = 0; t < 4; ++t)
    pthread_create(&threads[t], NULL, callers, &seeds[t]);
  for (int t = 0; t < 4; ++t) {
    pthread_join(threads[t], NULL);
    NEAR(seeds[t], 0, 0);
  }

  for (int call = 0; call < 3; ++call) {
    const int n = 400000;
    double v[4] = {1, 0, 0, 0}, dx[4] = {0}, ddx[4] = {0};
    __enzyme_fwddiff_void((void *)gradient, enzyme_dup, x, v, enzyme_dup, dx,
                          ddx, enzyme_const, n);
    NEAR(dx[0], first(x, n), 1e-9);
    NEAR(ddx[0], second(x, n), 1e-9);
    NEAR(ddx[1], n / 4 * first(x, n) / x[1], 1e-9);
    double w[4] = {1, 0, 0, 0}, dw[4] = {0}, bx[4] = {0};
    memset(dx, 0, sizeof dx);
    memcpy(dw, w, sizeof w);
    __enzyme_autodiff_void((void *)gradient, enzyme_dup, x, bx, enzyme_dup, dx,
                           dw, enzyme_const, n);
    NEAR(bx[0], second(x, n), 1e-9);
    NEAR(bx[1], n / 4 * first(x, n) / x[1], 1e-9);
  }
  return finish();
}
