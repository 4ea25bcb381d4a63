// What the function throws while it is differentiated, the program catches
// where it made the request.
#include "../check.h"
#include <stdexcept>
#include <string>
#include <vector>

MARKERS(enzyme_primal_return);
template <typename R, typename... A> R __enzyme_augmentfwd(A...);
template <typename R, typename... A> R __enzyme_reverse(A...);

struct Taped {
  void *tape;
  double value;
};

static NOINLINE double root(double x) {
  if (x < 0)
    throw std::domain_error("at " + std::to_string(x));
  if (x > 1e6)
    throw 7;
  return sqrt(x);
}
static double f(double x, double y) { return 2 * root(x) + root(y); }

static int released;
struct Counted {
  std::vector<double> kept;
  ~Counted() { released += static_cast<int>(kept.size()); }
};

/// One handler for several requests; which one threw is known from `at`.
static double several(double x, double y) {
  int at = 0;
  double sum = 0;
  try {
    at = 1;
    sum += __enzyme_autodiff((void *)f, x, enzyme_const, y);
    at = 2;
    sum += __enzyme_fwddiff((void *)f, enzyme_const, x, y, 1.0);
  } catch (const std::domain_error &) {
    return -at - sum;
  } catch (int code) {
    return -10 * code - at - sum;
  }
  return sum;
}

/// The request is in a block with something to release.
static double owned(double x) {
  Counted c{{1, 2, 3}};
  return __enzyme_autodiff((void *)root, x) * c.kept[1];
}

static double in_two_passes(double x) {
  try {
    Taped t = __enzyme_augmentfwd<Taped>((void *)root, x);
    return t.value + __enzyme_reverse<double>((void *)root, x, 1.0, t.tape);
  } catch (...) {
    return -1;
  }
}

int main() {
  NEAR(several(4, 9), 0.5 + 1.0 / 6, 1e-15);
  NEAR(several(-4, 9), -1, 0);
  NEAR(several(4, -9), -1, 0);
  NEAR(several(4e6, 9), -71, 0);
  NEAR(several(4, 9e6), -71, 0);

  NEAR(owned(4), 0.5, 1e-15);
  NEAR(released, 3, 0);
  bool caught = false;
  try {
    owned(-1);
  } catch (const std::domain_error &e) {
    caught = e.what() == std::string("at -1.000000");
  }
  NEAR(caught, 1, 0);
  NEAR(released, 6, 0);

  NEAR(in_two_passes(4), 2.25, 1e-15);
  return finish();
}
