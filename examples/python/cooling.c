// A body that cools: dT/dt = -k (T - air), by many small steps.
#include <math.h>

void temperatures(const double p[3], int n, const double t[n], double T[n]) {
  double k = p[0], air = p[1], start = p[2];
  for (int i = 0; i < n; ++i) {
    double now = start;
    for (int step = 0; step < 100; ++step)
      now -= k * (now - air) * t[i] / 100;
    T[i] = now;
  }
}

double misfit(const double p[3], int n, const double t[n], const double y[n]) {
  double T[n], sum = 0;
  temperatures(p, n, t, T);
  for (int i = 0; i < n; ++i)
    sum += (T[i] - y[i]) * (T[i] - y[i]);
  return sum / 2;
}
