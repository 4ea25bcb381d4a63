// What one core can do at most with the flags of the suites: bytes a second
// from memory, operations a second in registers. Prints both.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORDS = 1 << 24, SUMS = 12, ROUNDS = 5 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// a = b + s c: two reads and a write of eight bytes each.
static double bandwidth(void) {
  double *a = malloc(WORDS * sizeof *a), *b = malloc(WORDS * sizeof *b),
         *c = malloc(WORDS * sizeof *c), best = 0;
  if (!a || !b || !c)
    exit(1);
  for (int i = 0; i < WORDS; i++)
    a[i] = 0, b[i] = i, c[i] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now(), s = 1.5 + round;
    for (int i = 0; i < WORDS; i++)
      a[i] = b[i] + s * c[i];
    const double rate = 24.0 * WORDS / (now() - start);
    best = rate > best ? rate : best;
  }
  if (a[WORDS / 2] < 0)
    puts("");
  free(a), free(b), free(c);
  return best;
}

// Independent multiplications and additions in as many registers as there are
// without AVX, enough to fill the pipelines.
typedef double Pair __attribute__((vector_size(16)));

static double arithmetic(void) {
  double best = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Pair sums[SUMS], total = {0, 0};
    const Pair factor = {0.999999, 0.999998}, term = {1e-6, 2e-6};
    for (int i = 0; i < SUMS; i++)
      sums[i] = (Pair){i, i + round};
    const double start = now();
    const int steps = 10000000;
    for (int step = 0; step < steps; step++) {
#pragma clang loop unroll(full)
      for (int i = 0; i < SUMS; i++)
        sums[i] = sums[i] * factor + term;
    }
    const double rate = 4.0 * SUMS * steps / (now() - start);
    best = rate > best ? rate : best;
    for (int i = 0; i < SUMS; i++)
      total += sums[i];
    if (total[0] + total[1] < 0)
      puts("");
  }
  return best;
}

int main(void) {
  printf("{\"bytes\": %.6g, \"flops\": %.6g}\n", bandwidth(), arithmetic());
}
