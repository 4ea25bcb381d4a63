// Bundle adjustment: reprojection and weight residuals, specification
// section 4.
#pragma once

#include "common/kernel.h"

#include <cmath>

namespace RETRO_MODEL {

// Camera: rotation (axis-angle), centre, focal length, principal point, radial
// distortion.
constexpr int at_centre = 3, at_focal = 6, at_principal = 7, at_distortion = 9;

inline void cross(const double *RETRO_RESTRICT a,
                  const double *RETRO_RESTRICT b, double *RETRO_RESTRICT out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/// out = R(r) x, by the formula of Rodrigues.
inline void rotate(const double *RETRO_RESTRICT r,
                   const double *RETRO_RESTRICT x, double *RETRO_RESTRICT out) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  double axis_cross_x[3];
  if (square != 0) {
    const double theta = std::sqrt(square);
    const double cosine = std::cos(theta), sine = std::sin(theta);
    const double inverse = 1.0 / theta;
    double axis[3];
    for (int i = 0; i < 3; ++i)
      axis[i] = r[i] * inverse;
    cross(axis, x, axis_cross_x);
    const double along =
        (axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2]) * (1.0 - cosine);
    for (int i = 0; i < 3; ++i)
      out[i] = x[i] * cosine + axis_cross_x[i] * sine + axis[i] * along;
  } else {
    cross(r, x, axis_cross_x);
    for (int i = 0; i < 3; ++i)
      out[i] = x[i] + axis_cross_x[i];
  }
}

inline void distort(const double *RETRO_RESTRICT coefficients,
                    double *RETRO_RESTRICT p) {
  const double rho = p[0] * p[0] + p[1] * p[1];
  const double factor = 1 + coefficients[0] * rho + coefficients[1] * rho * rho;
  p[0] *= factor;
  p[1] *= factor;
}

inline void project(const double *RETRO_RESTRICT camera,
                    const double *RETRO_RESTRICT x,
                    double *RETRO_RESTRICT out) {
  double centred[3], rotated[3];
  for (int i = 0; i < 3; ++i)
    centred[i] = x[i] - camera[at_centre + i];
  rotate(camera, centred, rotated);
  out[0] = rotated[0] / rotated[2];
  out[1] = rotated[1] / rotated[2];
  distort(&camera[at_distortion], out);
  for (int i = 0; i < 2; ++i)
    out[i] = out[i] * camera[at_focal] + camera[at_principal + i];
}

/// camera: 11; x: 3; w: 1; feature: 2; residual: 2.
void reprojection_residual(const double *RETRO_RESTRICT camera,
                           const double *RETRO_RESTRICT x,
                           const double *RETRO_RESTRICT w,
                           const double *RETRO_RESTRICT feature,
                           double *RETRO_RESTRICT residual) {
  double projected[2];
  project(camera, x, projected);
  residual[0] = *w * (projected[0] - feature[0]);
  residual[1] = *w * (projected[1] - feature[1]);
}

void weight_residual(const double *RETRO_RESTRICT w,
                     double *RETRO_RESTRICT residual) {
  *residual = 1 - *w * *w;
}

} // namespace RETRO_MODEL
