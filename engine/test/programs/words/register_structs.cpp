// Structs by value that travel in registers are one argument of a request, in
// each mode: marker, value and shadow are of all of it.
#include "../check.h"

#include <array>
#include <complex>

MARKERS(enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer, enzyme_dupv,
        enzyme_interleave, enzyme_byref, enzyme_primal_return);
template <typename R, typename... A> R __enzyme_batch(A...);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

struct Point {
  double x, y;
};
struct Counted {
  double x;
  long n;
};
struct Metre {
  double v;
};
struct Pixel {
  float r, g;
};
struct Placed {
  const double *at;
  double scale;
};
struct Two {
  double v[2];
};
struct Three {
  double v[3];
};
struct TwoPixels {
  Pixel v[2];
};
struct TwoArrays {
  std::array<double, 5> v[2];
};
struct ThreePoints {
  Point v[3];
};

static double power(Point p) { return p.x * p.y * p.y; }
static double counted(Counted c, double k) {
  return c.x * c.x * static_cast<double>(c.n) * k;
}
static double metres(Metre a, Metre b, Metre c) { return a.v * b.v * c.v; }
static double between(double a, Point p, Point q, double b) {
  return a * p.x + p.y * q.x * b + q.y * q.y;
}
static double many(double a, double b, double c, double d, double e, Point p,
                   Point q) {
  return a + b * c + d * e + p.x * q.y - p.y * q.x;
}
static double complexes(std::complex<double> z, double k) {
  return std::norm(z) * k;
}
static float brightness(Pixel p, float k) { return p.r * p.r * k + p.g; }
static double placed(Placed p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p.at[i] * p.scale;
  return s;
}

static void forward() {
  const Point p{2, 3}, dp{0.5, 1}, q{5, 7}, dq{1, -1};
  NEAR(__enzyme_fwddiff<double>((void *)power, enzyme_dup, p, dp), 16.5, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)power, p, dp), 16.5, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)power, enzyme_const, p), 0, 0);
  NEAR(__enzyme_fwddiff<double>((void *)power, p, enzyme_interleave, dp) * 0 +
           __enzyme_fwddiff<double>((void *)power, enzyme_byref, sizeof p, &p,
                                    &dp),
       16.5, 1e-14);
  const Counted c{3, 2}, dc{0.5, 0};
  NEAR(__enzyme_fwddiff<double>((void *)counted, enzyme_dup, c, dc,
                                enzyme_const, 4.0),
       24, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)counted, enzyme_const, c, enzyme_dup,
                                4.0, 1.0),
       18, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)metres, Metre{2}, Metre{1}, Metre{3},
                                Metre{10}, Metre{5}, Metre{100}),
       15 + 100 + 600, 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)between, enzyme_const, 11.0, enzyme_dup,
                                p, dp, enzyme_dup, q, dq, enzyme_const, 13.0),
       5.5 + (5 + 3) * 13 - 14, 1e-14);
  // More than there are registers for.
  NEAR(__enzyme_fwddiff<double>((void *)many, 1., 0., 2., 0., 3., 0., 4., 0.,
                                5., 0., p, dp, q, dq),
       0.5 * 7 - 2 - (5 + 3), 1e-14);
  NEAR(__enzyme_fwddiff<double>((void *)complexes, enzyme_dup,
                                std::complex<double>(3, 4),
                                std::complex<double>(1, 2), enzyme_const, 2.0),
       2 * (6 + 16), 1e-14);
  NEAR(__enzyme_fwddiff<float>((void *)brightness, enzyme_dup, Pixel{3, 4},
                               Pixel{1, 10}, enzyme_const, 2.0f),
       22, 1e-6);
  const double at[2] = {2, 3}, dat[2] = {1, 10};
  NEAR(__enzyme_fwddiff<double>((void *)placed, enzyme_dup, Placed{at, 4},
                                Placed{dat, 100}, enzyme_const, 2),
       44 + 500, 1e-14);
  Two w = __enzyme_fwddiff<Two>((void *)power, enzyme_width, 2, enzyme_dup, p,
                                dp, Point{0, 1});
  NEAR(w.v[0], 16.5, 1e-14);
  NEAR(w.v[1], 12, 1e-14);
  const Point block[2] = {dp, {1, 0}};
  w = __enzyme_fwddiff<Two>((void *)power, enzyme_width, 2, enzyme_dupv,
                            sizeof(Point), p, block);
  NEAR(w.v[0], 16.5, 1e-14);
  NEAR(w.v[1], 9, 1e-14);
}

static void reverse() {
  const Point p{2, 3}, q{5, 7};
  Point g = __enzyme_autodiff<Point>((void *)power, enzyme_out, p);
  NEAR(g.x, 9, 1e-14);
  NEAR(g.y, 12, 1e-14);
  g = __enzyme_autodiff<Point>((void *)between, enzyme_const, 11.0,
                               enzyme_const, p, enzyme_out, q, enzyme_const,
                               13.0);
  NEAR(g.x, 39, 1e-14);
  NEAR(g.y, 14, 1e-14);
  // The integer beside the number has no derivative, the factor has one.
  g = __enzyme_autodiff<Point>((void *)counted, enzyme_out, Counted{3, 2},
                               enzyme_out, 4.0);
  NEAR(g.x, 48, 1e-14);
  NEAR(g.y, 18, 1e-14);
  NEAR(__enzyme_autodiff<double>((void *)counted, enzyme_const, Counted{3, 2},
                                 enzyme_out, 4.0),
       18, 1e-14);
}

static Point turned(double x, double y) { return {2 * x - y, x + y}; }
static std::array<double, 5> large(double x, int k) {
  return {x, x * x, k * x, 3, x + k};
}
static Pixel swapped(Pixel p) { return {p.g, p.r}; }
static double scaled(Point p, double s) { return s * p.x + p.y; }

static void batches() {
  const Point p[3] = {{1, 2}, {3, 4}, {-1, 0.5}};
  Three r =
      __enzyme_batch<Three>((void *)scaled, enzyme_width, 3, enzyme_vector,
                            p[0], p[1], p[2], enzyme_scalar, 2.0);
  Three s = __enzyme_batch<Three>((void *)scaled, enzyme_width, 3,
                                  enzyme_scalar, p[1], 1.0, 2.0, 3.0);
  Three b =
      __enzyme_batch<Three>((void *)scaled, enzyme_width, 3, enzyme_buffer,
                            sizeof(Point), p, enzyme_vector, 1.0, 2.0, 3.0);
  Two whole = __enzyme_batch<Two>((void *)power, enzyme_width, 2, p[0], p[1]);
  ThreePoints t = __enzyme_batch<ThreePoints>((void *)turned, enzyme_width, 3,
                                              enzyme_vector, 1.0, 2.0, 3.0,
                                              enzyme_vector, 0.5, -1.0, 2.0);
  const double y[3] = {0.5, -1, 2};
  for (int i = 0; i < 3; ++i) {
    NEAR(r.v[i], scaled(p[i], 2), 0);
    NEAR(s.v[i], scaled(p[1], i + 1), 0);
    NEAR(b.v[i], scaled(p[i], i + 1), 0);
    NEAR(t.v[i].x, turned(i + 1, y[i]).x, 0);
    NEAR(t.v[i].y, turned(i + 1, y[i]).y, 0);
  }
  NEAR(whole.v[0], power(p[0]), 0);
  NEAR(whole.v[1], power(p[1]), 0);
  // Results in memory, and in half a register.
  TwoArrays a =
      __enzyme_batch<TwoArrays>((void *)large, enzyme_width, 2, enzyme_vector,
                                2.0, 3.0, enzyme_scalar, 4);
  for (int i = 0; i < 2; ++i)
    for (size_t k = 0; k < 5; ++k)
      NEAR(a.v[i][k], large(i + 2, 4)[k], 0);
  TwoPixels x = __enzyme_batch<TwoPixels>((void *)swapped, enzyme_width, 2,
                                          Pixel{1, 2}, Pixel{3, 4});
  NEAR(x.v[0].r + 10 * x.v[0].g, 12, 0);
  NEAR(x.v[1].r + 10 * x.v[1].g, 34, 0);
  // A function of the library, without a body here: one call a lane.
  Two h = __enzyme_batch<Two>((void *)(double (*)(double, double))hypot,
                              enzyme_width, 2, enzyme_vector, 3.0, 5.0,
                              enzyme_vector, 4.0, 12.0);
  NEAR(h.v[0], 5, 1e-15);
  NEAR(h.v[1], 13, 1e-15);
}

/// A batch inside of what is differentiated, with structs, and derivatives
/// inside of a batch.
static double of_batch(const double *x) {
  Two r = __enzyme_batch<Two>((void *)power, enzyme_width, 2, Point{x[0], x[1]},
                              Point{x[1], 3});
  return r.v[0] * r.v[1];
}
static double slopes(double x, double y) {
  return __enzyme_fwddiff<double>((void *)power, Point{x, y}, Point{1, 0}) +
         __enzyme_autodiff<Point>((void *)power, Point{x, y}).y;
}
static void nested() {
  const double x[2] = {2, 3}, v[2] = {1, 0.5};
  double g[2] = {};
  __enzyme_autodiff<void>((void *)of_batch, enzyme_dup, x, g);
  // x0 x1^2 times 9 x1
  NEAR(g[0], 9 * 27, 1e-13);
  NEAR(g[1], 9 * 2 * 3 * 9, 1e-13);
  NEAR(__enzyme_fwddiff<double>((void *)of_batch, enzyme_dup, x, v),
       9 * 27 + 9 * 27, 1e-13);
  Two r = __enzyme_batch<Two>((void *)slopes, enzyme_width, 2, enzyme_vector,
                              2.0, 3.0, enzyme_scalar, 5.0);
  NEAR(r.v[0], 25 + 20, 1e-13);
  NEAR(r.v[1], 25 + 30, 1e-13);
}

int main() {
  forward();
  reverse();
  batches();
  nested();
  return finish();
}
