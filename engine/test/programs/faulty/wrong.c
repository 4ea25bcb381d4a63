// A check that does not hold: the program must fail, and so must one without a
// check.
#include "../check.h"

int main(void) {
#ifdef NO_CHECK
  return finish();
#else
  NEAR(1 + 1e-6, 1, 1e-7);
  NEAR(1, 1, 0);
  return finish();
#endif
}
