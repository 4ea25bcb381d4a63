// A program of the host's with kernels of both vendors.
#include "../programs/check.h"

double twice(double X);
double thrice(double X);

int main() {
  NEAR(twice(4), 8, 0);
  NEAR(thrice(4), 12, 0);
  return finish();
}
