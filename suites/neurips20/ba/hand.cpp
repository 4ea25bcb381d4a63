// Jacobian of bundle adjustment by hand: the projection once per observation,
// then two reverse sweeps through it.
#include "model.h"

namespace RETRO_MODEL {

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Adjoint of y = R(r) x. Sets rb and xb (3 each).
struct Rotation {
  double cosine = 1, sine = 0, inverse = 0, along = 0;
  double axis[3] = {0, 0, 0}, axis_cross_x[3];
  bool identity;

  Rotation(const double *r, const double *x, double *y) {
    const double theta = std::sqrt(dot(r, r));
    identity = theta == 0;
    if (identity) {
      cross(r, x, axis_cross_x);
      for (int i = 0; i < 3; ++i)
        y[i] = x[i] + axis_cross_x[i];
      return;
    }
    cosine = std::cos(theta);
    sine = std::sin(theta);
    inverse = 1 / theta;
    for (int i = 0; i < 3; ++i)
      axis[i] = r[i] * inverse;
    cross(axis, x, axis_cross_x);
    along = dot(axis, x);
    for (int i = 0; i < 3; ++i)
      y[i] = x[i] * cosine + axis_cross_x[i] * sine +
             axis[i] * (along * (1 - cosine));
  }

  void reverse(const double *r, const double *x, const double *yb, double *rb,
               double *xb) const {
    double x_cross_yb[3], yb_cross_axis[3];
    cross(x, yb, x_cross_yb);
    if (identity) {
      double yb_cross_r[3];
      cross(yb, r, yb_cross_r);
      for (int i = 0; i < 3; ++i) {
        xb[i] = yb[i] + yb_cross_r[i];
        rb[i] = x_cross_yb[i];
      }
      return;
    }
    cross(yb, axis, yb_cross_axis);
    const double axis_yb = dot(axis, yb);
    const double thetab =
        cosine * dot(yb, axis_cross_x) - sine * (dot(yb, x) - axis_yb * along);
    double axisb[3];
    for (int i = 0; i < 3; ++i) {
      xb[i] = cosine * yb[i] + sine * yb_cross_axis[i] +
              (1 - cosine) * axis_yb * axis[i];
      axisb[i] = sine * x_cross_yb[i] +
                 (1 - cosine) * (along * yb[i] + axis_yb * x[i]);
    }
    // axis = r / theta, theta = |r|
    const double radial = thetab - inverse * dot(axisb, axis);
    for (int i = 0; i < 3; ++i)
      rb[i] = inverse * axisb[i] + radial * axis[i];
  }
};

/// Both rows of one observation.
static void rows_of_observation(const double *camera, const double *point,
                                double w, const double *feature, double *rows) {
  double centred[3], y[3];
  for (int i = 0; i < 3; ++i)
    centred[i] = point[i] - camera[at_centre + i];
  const Rotation rotation(camera, centred, y);
  const double f = camera[at_focal], k1 = camera[at_distortion],
               k2 = camera[at_distortion + 1];
  const double p[2] = {y[0] / y[2], y[1] / y[2]};
  const double rho = p[0] * p[0] + p[1] * p[1];
  const double factor = 1 + k1 * rho + k2 * rho * rho;
  for (int r = 0; r < 2; ++r) {
    double *row = rows + 15 * r;
    // The residual is w (f factor p_r + principal_r - feature_r).
    const double rhob = w * f * p[r] * (k1 + 2 * k2 * rho);
    double pb[2] = {2 * p[0] * rhob, 2 * p[1] * rhob};
    pb[r] += w * f * factor;
    const double yb[3] = {pb[0] / y[2], pb[1] / y[2],
                          -(pb[0] * p[0] + pb[1] * p[1]) / y[2]};
    double xb[3];
    rotation.reverse(camera, centred, yb, row, xb);
    for (int i = 0; i < 3; ++i) {
      row[at_centre + i] = -xb[i];
      row[11 + i] = xb[i];
    }
    row[at_focal] = w * factor * p[r];
    row[at_principal] = r == 0 ? w : 0;
    row[at_principal + 1] = r == 1 ? w : 0;
    row[at_distortion] = w * f * p[r] * rho;
    row[at_distortion + 1] = w * f * p[r] * rho * rho;
    row[14] = f * factor * p[r] + camera[at_principal + r] - feature[r];
  }
}

static void rows_of_all(int p, const double *cameras, const double *points,
                        const double *weights, const int *observations,
                        const double *features, double *jacobian) {
  for (int i = 0; i < p; ++i)
    rows_of_observation(&cameras[11 * observations[2 * i]],
                        &points[3 * observations[2 * i + 1]], weights[i],
                        &features[2 * i], &jacobian[30l * i]);
  for (int i = 0; i < p; ++i)
    jacobian[30l * p + i] = -2 * weights[i];
}

extern "C" void
RETRO_SYMBOL(ba_jacobian)(int p, const double *cameras, const double *points,
                          const double *weights, const int *observations,
                          const double *features, double *jacobian) {
  rows_of_all(p, cameras, points, weights, observations, features, jacobian);
}

extern "C" void RETRO_SYMBOL(ba_jacobian_vector)(
    int p, const double *cameras, const double *points, const double *weights,
    const int *observations, const double *features, double *jacobian) {
  rows_of_all(p, cameras, points, weights, observations, features, jacobian);
}

} // namespace RETRO_MODEL
