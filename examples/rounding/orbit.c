// A mass on its way around another one, and how far its energy has drifted.
#include <math.h>

static double energy(const double q[2], const double v[2]) {
  double r = sqrt(q[0] * q[0] + q[1] * q[1]);
  double kinetic = (v[0] * v[0] + v[1] * v[1]) / 2;
  double potential = -1 / r;
  return kinetic + potential;
}

double drift(const double start[4], double h, int steps) {
  double q[2] = {start[0], start[1]}, v[2] = {start[2], start[3]};
  double before = energy(q, v);
  for (int i = 0; i < steps; ++i) {
    double square = q[0] * q[0] + q[1] * q[1];
    double pull = h / (square * sqrt(square));
    v[0] -= pull * q[0];
    v[1] -= pull * q[1];
    q[0] += h * v[0];
    q[1] += h * v[1];
  }
  double after = energy(q, v);
  double gained = after - before;
  return gained / before;
}
