/* Morse's potential: a well of depth well[0] at distance well[1]. */
#include <math.h>

double potential(double r, const double *well) {
  double e = 1 - exp(-2 * (r - well[1]));
  return well[0] * (e * e - 1);
}
