/* A loop whose trip count is not known on entry, left by two exits: the tape
 * grows, and is freed whichever way the loop ends. */
#include "check.h"

/* x^(2^k), where k is how often x can be squared before it exceeds limit, at
 * most 40 times. */
static double square_up(double x, double limit) {
  int i = 0;
  while (x < limit) {
    if (++i > 40)
      return 3 * x;
    x = x * x;
  }
  return x;
}

int main(void) {
  /* 1.5^(2^5) = 1.5^32 is the first above 1e3. */
  check(
      "first exit",
      __enzyme_autodiff((void *)square_up, enzyme_out, 1.5, enzyme_const, 1e3),
      32 * pow(1.5, 31));
  check(
      "second exit",
      __enzyme_autodiff((void *)square_up, enzyme_out, 1.0, enzyme_const, 2.0),
      3 * pow(2, 40));
  check(
      "no iteration",
      __enzyme_autodiff((void *)square_up, enzyme_out, 7.0, enzyme_const, 2.0),
      1);
  return 0;
}
