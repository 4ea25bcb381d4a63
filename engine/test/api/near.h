// What two of these programs check themselves by. It is included behind the
// headers that they test, as in programs that declare nothing themselves.
#include <cmath>
#include <cstdio>

static int checks, failures;
static void near_at(int line, double got, double want) {
  ++checks;
  if (std::fabs(got - want) <= 1e-14 * std::fabs(want))
    return;
  ++failures;
  std::printf("line %d: %.17g, expected %.17g\n", line, got, want);
}
#define NEAR(got, want) near_at(__LINE__, got, want)
