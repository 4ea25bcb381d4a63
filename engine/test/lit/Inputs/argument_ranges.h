// What the tests of ranges of arguments run: gradients whose arrays and shadows
// lie anywhere in two arrays of NUMBERS numbers, and one line of what is in
// these afterwards.
#include <stdio.h>

static double at[NUMBERS], d[NUMBERS];
static void fill(void) {
  for (int i = 0; i < NUMBERS; ++i)
    at[i] = 0.3 + 0.01 * (i * 37 % 101), d[i] = 0.1 + 0.01 * (i * 11 % 17);
}
static void run(const char *name, void *f, int x, int y, int dx, int dy, int n,
                int m, long s) {
  fill();
  __enzyme_autodiff(f, enzyme_const, n, enzyme_const, m, enzyme_const, s,
                    at + x, d + dx, at + y, d + dy);
  double sum = 0, shadows = 0;
  for (int i = 0; i < NUMBERS; ++i)
    sum += at[i] * (i % 7), shadows += d[i] * (1 + i % 13);
  printf("%s %d %d %d %d, %d %d %ld: %.12g %.12g\n", name, x, y, dx, dy, n, m,
         s, sum, shadows);
}
