// Batch mode: many evaluations in one call, with control flow of their own.
#include "../check.h"

MARKERS(enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer);
template <typename R, typename... A> R __enzyme_batch(A...);

struct Three {
  double v[3];
};
struct ThreeFloats {
  float v[3];
};

static double run(double x, const double *p, int n) {
  double s = x;
  for (int i = 0; i < n && s < 10; ++i)
    s = s > p[i] ? s * x + p[i] : s + p[i] * p[i];
  return s;
}
static float single(float x, int n) { return n > 2 ? x * x : x + (float)n; }
static void store(double *out, double x) { *out = x * x; }
struct Cell {
  int id;
  float y;
  double x, result;
};
static void area(char *bytes, int scale) {
  Cell *c = reinterpret_cast<Cell *>(bytes);
  c->result = scale * c->x * static_cast<double>(c->y);
}
static double scaled(const double *x, const char *bytes, double k) {
  return x[0] * bytes[0] * k;
}

/// Without markers: pointers have one value a lane, and numbers the same for
/// all; or all of them have one a lane, or one for all.
static void unmarked() {
  Cell c[3] = {{1, 2, 3, 0}, {2, 4, 5, 0}, {3, 6, 7, 0}};
  char *b[3];
  for (int i = 0; i < 3; ++i)
    b[i] = reinterpret_cast<char *>(&c[i]);
  __enzyme_batch<void>((void *)area, enzyme_width, 3, b[0], b[1], b[2], 2);
  for (int i = 0; i < 3; ++i)
    NEAR(c[i].result, 2 * c[i].x * static_cast<double>(c[i].y), 0);
  __enzyme_batch<void>((void *)area, enzyme_width, 3, b[0], b[1], b[2], 4, 5,
                       6);
  for (int i = 0; i < 3; ++i)
    NEAR(c[i].result, (4 + i) * c[i].x * static_cast<double>(c[i].y), 0);
  __enzyme_batch<void>((void *)area, enzyme_width, 3, b[0], 7);
  NEAR(c[0].result, 42, 0);
  __enzyme_batch<void>((void *)area, enzyme_width, 3, enzyme_scalar, b[1],
                       enzyme_vector, 8, 8, 8);
  NEAR(c[1].result, 160, 0);
  const double x[3] = {2, 3, 5};
  const char bytes[3] = {1, 2, 3};
  Three r =
      __enzyme_batch<Three>((void *)scaled, enzyme_width, 3, enzyme_scalar, x,
                            bytes, bytes + 1, bytes + 2, 0.5);
  for (int i = 0; i < 3; ++i)
    NEAR(r.v[i], 2 * (i + 1) * 0.5, 0);
  r = __enzyme_batch<Three>((void *)scaled, enzyme_width, 3, x, x + 1, x + 2,
                            bytes, bytes, bytes, 0.5);
  for (int i = 0; i < 3; ++i)
    NEAR(r.v[i], x[i] * 0.5, 0);
}

/// Differentiated: the batch is part of what has a gradient.
static double total(const double *x, int n) {
  (void)n;
  Three r =
      __enzyme_batch<Three>((void *)run, enzyme_width, 3, enzyme_vector, x[0],
                            x[1], x[2], enzyme_scalar, x + 3, enzyme_scalar, 3);
  return r.v[0] * r.v[1] + r.v[2];
}

extern "C" double __enzyme_autodiff(void *, ...);

int main() {
  const double xs[3] = {0.5, 1.9, -1.2};
  const double p[3][4] = {
      {0.5, -1.2, 2, 9}, {0.3, 4, -0.7, 9}, {1.1, 0.2, 0.9, 9}};
  Three r = __enzyme_batch<Three>((void *)run, enzyme_width, 3, enzyme_vector,
                                  xs[0], xs[1], xs[2], enzyme_buffer,
                                  sizeof p[0], &p[0][0], enzyme_scalar, 3);
  Three q = __enzyme_batch<Three>((void *)run, enzyme_width, 3, enzyme_scalar,
                                  xs[1], enzyme_vector, p[0], p[1], p[2],
                                  enzyme_vector, 1, 2, 3);
  ThreeFloats s =
      __enzyme_batch<ThreeFloats>((void *)single, enzyme_width, 3,
                                  enzyme_scalar, 1.5f, enzyme_vector, 1, 2, 3);
  double out[3];
  __enzyme_batch<void>((void *)store, enzyme_width, 3, enzyme_vector, out,
                       out + 1, out + 2, enzyme_vector, 1.0, 2.0, 3.0);
  for (int k = 0; k < 3; ++k) {
    NEAR(r.v[k], run(xs[k], p[k], 3), 0);
    NEAR(q.v[k], run(xs[1], p[k], k + 1), 0);
    NEAR(s.v[k], single(1.5f, k + 1), 0);
    NEAR(out[k], (k + 1) * (k + 1), 0);
  }
  const double x[6] = {0.5, 1.1, -0.2, 0.3, 0.8, 0.4};
  double g[6] = {};
  __enzyme_autodiff((void *)total, enzyme_dup, x, g, enzyme_const, 6);
  GRADIENT(total, x, g, 6);
  unmarked();
  return finish();
}
