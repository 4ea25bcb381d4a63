// OPTIONS: -mllvm -retro-inline-budget=60
// A function that has no room for more inlined calls: what was inlined before
// may clean up behind calls, and these stay calls.
#include "../check.h"

#include <stdexcept>

template <typename R, typename... A> R __enzyme_autodiff(A...);

static int cleaned;
struct Cleaner {
  ~Cleaner() { ++cleaned; }
};

template <int K> NOINLINE static void step(double *x, int n) {
  if (n < 0)
    throw std::runtime_error("negative");
  for (int i = 0; i < n; ++i)
    x[i] = sin(x[i] + 0.1 * K) * x[(i + 1) % n];
}

template <int K> NOINLINE static void guarded(double *x, int n) {
  Cleaner c;
  step<K>(x, n);
  if (x[0] > 1e10)
    step<K + 100>(x, n - 1);
}

/// Of recursive functions, the calls stay calls in any case.
NOINLINE static double nested(double *x, int n, int depth) {
  if (depth == 0)
    return x[0];
  guarded<9>(x, n);
  return x[1] * nested(x, n, depth - 1);
}

static double run(const double *from, int n) {
  double x[8];
  for (int i = 0; i < n; ++i)
    x[i] = from[i];
  guarded<1>(x, n);
  guarded<2>(x, n);
  guarded<3>(x, n);
  guarded<4>(x, n);
  double s = nested(x, n, 2);
  for (int i = 0; i < n; ++i)
    s += x[i] * (i + 1);
  return s;
}

int main() {
  const double x[5] = {0.9, 1.3, -0.4, 1.1, 0.7};
  double g[5] = {};
  __enzyme_autodiff<void>((void *)run, enzyme_dup, x, g, enzyme_const, 5);
  GRADIENT(run, x, g, 5);
  return finish();
}
