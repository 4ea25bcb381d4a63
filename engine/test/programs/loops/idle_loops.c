// Sums of which one is chosen, the least or the greatest, or the first above a
// bound: those that are not chosen have no derivative, also where they are
// infinite, and what else their loops do is done.
#include "../check.h"

enum { N = 12, POINTS = 7, CENTRES = 4, D = 3 };

static double point(int i, int d) { return sin(i * 2.3 + d * 1.1); }

/// The centre that is nearest to each point.
static double nearest(const double *c, int n) {
  double cost = 0;
  const int centres = n / D;
  for (int i = 0; i < POINTS; ++i) {
    double best = 1e300;
    for (int k = 0; k < centres; ++k) {
      double s = 0;
      for (int d = 0; d < n / CENTRES; ++d) {
        double t = point(i, d) - c[k * D + d];
        s += t * t * (1 + 0.1 * d);
      }
      if (s < best)
        best = s;
    }
    cost += best;
  }
  return cost;
}
/// The greatest, of which a product is added to all that follow.
static double greatest(const double *c, int n) {
  double most = -1e300, sum = 0;
  for (int k = 0; k < CENTRES; ++k) {
    double s = 0;
    for (int d = 0; d < n / CENTRES; ++d)
      s += sin(c[k * D + d]) * c[(k + 1) % CENTRES * D + d];
    sum += s * 0.3;
    most = s > most ? s + 0.1 * sum : most;
  }
  return most * most + sum;
}
/// Those that are not chosen divide by 0.
static double divided(const double *c, int n) {
  double best = 1e300;
  for (int k = 0; k < CENTRES + 1; ++k) {
    double s = 0;
    for (int d = 0; d < n / CENTRES; ++d)
      s += 1 /
           (c[k % CENTRES * D + d] * c[k % CENTRES * D + d] * (k == 2 ? 0 : 1));
    if (s < best)
      best = s;
  }
  return best;
}
/// Two choices of one condition, and what is carried from place to place.
static double carried(const double *c, int n) {
  double a = 0, b = 0;
  for (int k = 0; k < CENTRES; ++k) {
    double s = 0, p = 1;
    for (int d = 0; d < n / CENTRES; ++d) {
      s += c[k * D + d] * c[d];
      p *= 1 + 0.3 * c[k * D + d];
    }
    if (s > 0.02) {
      a = s + 0.5 * a;
      b = p;
    }
  }
  return a * b;
}

#define CHECK(f, x)                                                            \
  do {                                                                         \
    double g[N] = {0};                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, N);           \
    GRADIENT(f, x, g, N);                                                      \
  } while (0)

int main(void) {
  double x[N];
  for (int i = 0; i < N; ++i)
    x[i] = 0.9 * sin(i * 1.7 + 0.3);
  CHECK(nearest, x);
  CHECK(greatest, x);
  CHECK(carried, x);
  for (int i = 0; i < N; ++i)
    x[i] = 1.2 + 0.3 * cos(i);
  CHECK(divided, x);
  return finish();
}
