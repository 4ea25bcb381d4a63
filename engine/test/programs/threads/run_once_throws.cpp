// OPTIONS: -pthread
// A call that threw runs again, whoever called it.
#include "../check.h"

#include <mutex>
#include <stdexcept>

/// The first two attempts throw, after they have written.
static double thrown_first(const double *x, int n) {
  std::once_flag once;
  double s = x[0];
  int attempts = 0;
  for (int i = 0; i < n; ++i)
    try {
      std::call_once(once, [&] {
        s *= x[1];
        if (++attempts < 3)
          throw std::runtime_error("again");
        s += x[2] * x[2];
      });
      s += x[i];
    } catch (const std::runtime_error &) {
      s *= s;
    }
  return s * attempts;
}

int main() {
  check_modes<thrown_first>();
  return finish();
}
