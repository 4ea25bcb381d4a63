// FLAGS: -fopenmp
// The memory of the tapes of a team is kept for the next call: from the third
// on, when each tape lies in one piece, the system gives no new pages. Its
// content is that of the call.
#include "../check.h"

#include <omp.h>
#include <sys/resource.h>

enum { N = 1000000 };

static void squares(double *restrict x) {
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    x[i] = x[i] * x[i];
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    x[i] = 3 * x[i] * x[i];
}

static long faults(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_minflt;
}

static double x[N], dx[N];

int main(void) {
  omp_set_num_threads(2);
  long had[6];
  for (int call = 0; call < 6; ++call) {
    for (int i = 0; i < N; ++i) {
      x[i] = call + i % 3;
      dx[i] = 1;
    }
    const long before = faults();
    __enzyme_autodiff_void((void *)squares, enzyme_dup, x, dx);
    had[call] = faults() - before;
    for (int i = 0; i < N; i += 997) {
      const double v = call + i % 3;
      NEAR(dx[i], 12 * v * v * v, 1e-14);
    }
  }
  // Two tapes of 8 megabytes, in pages of 4 kilobytes or of two megabytes.
  NEAR(had[0] > 4, 1, 0);
  for (int call = 2; call < 6; ++call)
    NEAR(had[call] < 500, 1, 0);
  printf("%ld %ld %ld\n", had[0], had[1], had[2]);
  return finish();
}
