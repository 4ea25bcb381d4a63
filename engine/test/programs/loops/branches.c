// Branches: nested, chained by short circuits, a switch that falls through, and
// selects whose arms would divide by zero if both were taken.
#include "../check.h"

static double f(double x, double y, int mode) {
  double r = x * y;
  if (x > y) {
    if (x > 2 * y || y < 0.1)
      r += sin(x);
    else
      r -= y * y * y;
  } else if (x > 0 && y / x < 3) {
    r *= x + y;
  }
  switch (mode) {
  case 0:
    r += x;
    /* fall through */
  case 1:
    r *= y;
    break;
  case 2:
    return r * r;
  default:
    r = x == 0 ? r : r / x;
  }
  return r;
}

typedef struct {
  double x, y;
} partials;
partials __enzyme_autodiff_xy(void *, ...);

/// f = s(x, y) after the ifs, then the switch: both by hand.
static partials by_hand(double x, double y, int mode) {
  double r = x * y, rx = y, ry = x;
  if (x > y) {
    if (x > 2 * y || y < 0.1) {
      r += sin(x);
      rx += cos(x);
    } else {
      r -= y * y * y;
      ry -= 3 * y * y;
    }
  } else if (x > 0 && y / x < 3) {
    double s = x + y;
    rx = rx * s + r;
    ry = ry * s + r;
    r *= s;
  }
  partials p;
  if (mode == 0) {
    p.x = (rx + 1) * y;
    p.y = ry * y + r + x;
  } else if (mode == 1) {
    p.x = rx * y;
    p.y = ry * y + r;
  } else if (mode == 2) {
    p.x = 2 * r * rx;
    p.y = 2 * r * ry;
  } else {
    p.x = x == 0 ? rx : rx / x - r / (x * x);
    p.y = x == 0 ? ry : ry / x;
  }
  return p;
}

int main(void) {
  const double points[][2] = {{3, 1},   {1.5, 1},  {0.4, 0.05}, {0.5, 1.2},
                              {0.2, 2}, {-1, 0.5}, {0, 0.7}};
  for (int k = 0; k < 7; ++k)
    for (int mode = 0; mode < 4; ++mode) {
      double x = points[k][0], y = points[k][1];
      partials g = __enzyme_autodiff_xy((void *)f, x, y, mode);
      partials e = by_hand(x, y, mode);
      NEAR(g.x, e.x, 1e-12);
      NEAR(g.y, e.y, 1e-12);
      NEAR(__enzyme_fwddiff((void *)f, x, 0.3, y, -0.8, mode),
           0.3 * e.x - 0.8 * e.y, 1e-12);
    }
  return finish();
}
