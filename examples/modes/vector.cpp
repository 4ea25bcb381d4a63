// Vector mode: several directions, or several adjoints, from one sweep.
#include "check.h"

extern int enzyme_const, enzyme_dup, enzyme_dupv, enzyme_out,
    enzyme_primal_return, enzyme_width;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);

/// From polar to cartesian coordinates, with a scale.
static double map(const double *p, double scale, double *x) {
  x[0] = scale * p[0] * std::cos(p[1]);
  x[1] = scale * p[0] * std::sin(p[1]);
  return scale * p[0];
}

struct Two {
  double lane[2];
};
struct ValueAndTwo {
  double value, lane[2];
};

int main() {
  const double p[2] = {1.5, 0.7}, s = 2, c = std::cos(p[1]), n = std::sin(p[1]);
  double x[2];

  // Forward: an argument's value, then a shadow a lane.
  const double e0[2] = {1, 0}, e1[2] = {0, 1};
  double d0[2], d1[2];
  auto f =
      __enzyme_fwddiff<Two>((void *)map, enzyme_width, 2, enzyme_dup, p, e0, e1,
                            enzyme_dup, s, 0.0, 0.0, enzyme_dup, x, d0, d1);
  expect("dx/dr", d0[0], s * c);
  expect("dy/dr", d0[1], s * n);
  expect("dx/dphi", d1[0], -s * p[0] * n);
  expect("dy/dphi", d1[1], s * p[0] * c);
  expect("lane 0 of the result", f.lane[0], s);
  expect("lane 1 of the result", f.lane[1], 0);

  // The same, with the shadows as rows of matrices: enzyme_dupv and the bytes
  // from a row to the next, then the value and one pointer.
  const double e[2][2] = {{1, 0}, {0, 1}};
  double J[2][2];
  auto v = __enzyme_fwddiff<ValueAndTwo>(
      (void *)map, enzyme_primal_return, enzyme_width, 2, enzyme_dupv,
      sizeof e[0], p, e, enzyme_const, s, enzyme_dupv, sizeof J[0], x, J);
  for (int i = 0; i < 2; ++i) {
    expect("J", J[0][i], d0[i]);
    expect("J", J[1][i], d1[i]);
  }
  expect("value", v.value, s * p[0]);
  expect("lane 0 of the result", v.lane[0], s);

  // Reverse: an adjoint of the outputs a lane, a gradient a lane. The returned
  // number's adjoint is one in each lane.
  double g0[2] = {}, g1[2] = {}, w0[2] = {1, 0}, w1[2] = {0, 1};
  auto r = __enzyme_autodiff<Two>((void *)map, enzyme_width, 2, enzyme_dup, p,
                                  g0, g1, enzyme_out, s, enzyme_dup, x, w0, w1);
  expect("d(x + result)/dr", g0[0], s * c + s);
  expect("d(x + result)/dphi", g0[1], -s * p[0] * n);
  expect("d(y + result)/dr", g1[0], s * n + s);
  expect("d(y + result)/dphi", g1[1], s * p[0] * c);
  expect("d(x + result)/dscale", r.lane[0], p[0] * c + p[0]);
  expect("d(y + result)/dscale", r.lane[1], p[0] * n + p[0]);
  return finish();
}
