// Boxes that touch: edges that are clipped against each other, as 2D physics
// engines do. Pairs of floats live in vectors of two.
#include "../check.h"
#include <utility>
struct Vec2 {
  float x, y;
};
static Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
static Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
static Vec2 operator*(float s, Vec2 a) { return {s * a.x, s * a.y}; }
static float dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
struct ClipVertex {
  Vec2 v;
  int id = 0;
};
static int clip(ClipVertex out[2], const ClipVertex in[2], Vec2 normal,
                float offset, int edge) {
  int n = 0;
  float d0 = dot(normal, in[0].v) - offset, d1 = dot(normal, in[1].v) - offset;
  if (d0 <= 0)
    out[n++] = in[0];
  if (d1 <= 0)
    out[n++] = in[1];
  if (d0 * d1 < 0) {
    float t = d0 / (d0 - d1);
    out[n].v = in[0].v + t * (in[1].v - in[0].v);
    out[n].id = edge;
    ++n;
  }
  return n;
}
struct Edge {
  Vec2 a, b;
};
// p: two edges and a third one
static float depth(const float *p, int flip) {
  Edge first{{p[0], p[1]}, {p[2], p[3]}}, second{{p[4], p[5]}, {p[6], p[7]}};
  if (flip) {
    std::swap(first, second);
    std::swap(first.a, first.b);
  }
  Vec2 along = second.b - second.a;
  Vec2 normal{along.y, 0.0f - along.x};
  ClipVertex in[2], one[2], two[2];
  in[0].v = first.a;
  in[1].v = first.b;
  in[1].id = 1;
  if (clip(one, in, along, dot(along, second.b), 1) < 2)
    return 0;
  if (clip(two, one, Vec2{-along.x, -along.y}, -dot(along, second.a), 2) < 2)
    return 0;
  float sum = 0;
  for (int i = 0; i < 2; ++i) {
    float s = dot(normal, two[i].v - second.a);
    if (s <= 0)
      sum += s * s * (i + 1);
  }
  return sum;
}
static double f(const double *x, int flip) {
  float p[8];
  for (int i = 0; i < 8; ++i)
    p[i] = (float)x[i];
  return depth(p, flip);
}
typedef float F2 __attribute__((vector_size(8)));
typedef float F4 __attribute__((vector_size(16)));
// vectors that are filled lane by lane, from nothing and from zeros
static double g(const double *x, int n) {
  F2 none, a = {0, 0};
  F4 b = {};
  a[0] = (float)x[0];
  for (int i = 0; i < n; ++i)
    b[i & 3] += (float)x[i & 7] * a[0];
  a[1] = b[1];
  none[1] = (float)x[2];
  none[0] = a[1] * none[1];
  F4 c = __builtin_shufflevector(a, none, 0, 2, 1, 3);
  std::swap(b, c);
  return b[0] * b[1] + b[2] * b[3] + c[0] + c[3] * c[2];
}
int main() {
  const double at[2][8] = {{0.1, -0.2, 1.4, -0.3, 0, 0.05, 1, -0.1},
                           {0, 0.05, 1, -0.1, 0.1, -0.2, 1.4, -0.3}};
  for (int flip = 0; flip < 2; ++flip)
    for (int k = 0; k < 2; ++k) {
      double x[8], d[8] = {0};
      memcpy(x, at[k], sizeof x);
      __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, flip);
      for (int i = 0; i < 8; ++i) {
        double t[8] = {0};
        t[i] = 1;
        const double want = central_difference(
            [flip](const double *p) { return f(p, flip); }, x, i, 1e-2);
        NEAR(d[i], want, 2e-1 * fmax(1, 0.1 / fmax(fabs(want), 1e-2)));
        NEAR(__enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, flip),
             d[i], 1e-5);
      }
    }
  double x[8] = {0.5, 0.25, 1.5, -0.75, 0.125, 2, 1, 0.5}, d[8] = {0};
  __enzyme_autodiff((void *)g, enzyme_dup, x, d, enzyme_const, 8);
  for (int i = 0; i < 8; ++i) {
    double t[8] = {0};
    t[i] = 1;
    NEAR(d[i],
         central_difference([](const double *p) { return g(p, 8); }, x, i,
                            1.0 / 64),
         1e-2);
    NEAR(__enzyme_fwddiff((void *)g, enzyme_dup, x, t, enzyme_const, 8), d[i],
         1e-5);
  }
  return finish();
}
