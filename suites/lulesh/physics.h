//===- physics.h - LULESH: the formulas of one element ----------*- C++ -*-===//
//
// Sections of the specification are quoted by number. Everything works on local
// copies of an element's eight corners.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LULESH_PHYSICS_H
#define SUITES_LULESH_PHYSICS_H

#include "../common/kernel.h"
#include "boundary.h"
#include "types.h"

#include <cmath>
#include <cstdlib>

#ifdef LULESH_MPI
#include <mpi.h>
#endif

#define LULESH_INLINE [[gnu::always_inline]] RETRO_HD static inline

namespace RETRO_MODEL {

using namespace suites::lulesh;

// 2.2
constexpr double e_cut = 1e-7, p_cut = 1e-7, q_cut = 1e-7, u_cut = 1e-7;
constexpr double v_cut = 1e-10;
constexpr double hourglass_coefficient = 3.0;
constexpr double q_stop = 1e12;
constexpr double q_linear = 0.5, q_quadratic = 2.0 / 3.0;
constexpr double q_courant = 256.0; // 64 qqc^2
constexpr double v_max = 1e9, v_min = 1e-9;
constexpr double p_min = 0.0, e_min = -1e15;
constexpr double volume_change_limit = 0.1;
constexpr double reference_density = 1.0;
constexpr double tiny = 1e-36;
constexpr double dt_max = 1e-2, no_limit = 1e20;
constexpr double growth_low = 1.1, growth_high = 1.2;

enum Failure : int { bad_volume = -1, bad_viscosity = -2 };

/// Ends the program: the mesh is tangled or the viscosity has run away.
[[noreturn, gnu::cold, gnu::noinline]] RETRO_HD static void
fail([[maybe_unused]] Failure code) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __builtin_trap();
#else
#ifdef LULESH_MPI
  MPI_Abort(MPI_COMM_WORLD, code);
#endif
  std::exit(code);
#endif
}

struct Vector {
  double x, y, z;
};

LULESH_INLINE Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
LULESH_INLINE Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
LULESH_INLINE Vector operator*(double c, Vector a) {
  return {c * a.x, c * a.y, c * a.z};
}
LULESH_INLINE void operator+=(Vector &a, Vector b) { a = a + b; }
LULESH_INLINE double dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
LULESH_INLINE Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LULESH_INLINE double determinant(Vector a, Vector b, Vector c) {
  return dot(a, cross(b, c));
}

// ---- sums over the corners with the signs of 3.2

LULESH_INLINE Vector signed_xi(const Vector *r) {
  return (r[1] + r[2] + r[5] + r[6]) - (r[0] + r[3] + r[4] + r[7]);
}
LULESH_INLINE Vector signed_eta(const Vector *r) {
  return (r[2] + r[3] + r[6] + r[7]) - (r[0] + r[1] + r[4] + r[5]);
}
LULESH_INLINE Vector signed_zeta(const Vector *r) {
  return (r[4] + r[5] + r[6] + r[7]) - (r[0] + r[1] + r[2] + r[3]);
}

// ---- 4.5: volume and characteristic length

LULESH_INLINE double volume_of(const Vector *r) {
  return (determinant((r[3] - r[1]) + (r[7] - r[2]), r[6] - r[3], r[2] - r[0]) +
          determinant((r[4] - r[3]) + (r[5] - r[7]), r[6] - r[4], r[7] - r[0]) +
          determinant((r[1] - r[4]) + (r[2] - r[5]), r[6] - r[1],
                      r[5] - r[0])) *
         (1.0 / 12.0);
}

LULESH_INLINE double face_area(Vector a, Vector b, Vector c, Vector d) {
  const Vector f = (c - a) - (d - b), g = (c - a) + (d - b);
  const double mixed = dot(f, g);
  return dot(f, f) * dot(g, g) - mixed * mixed;
}

LULESH_INLINE double larger(double a, double b) { return a > b ? a : b; }

LULESH_INLINE double characteristic_length(const Vector *r, double volume) {
  double area = larger(face_area(r[0], r[1], r[2], r[3]), 0.0);
  area = larger(face_area(r[4], r[5], r[6], r[7]), area);
  area = larger(face_area(r[0], r[1], r[5], r[4]), area);
  area = larger(face_area(r[1], r[2], r[6], r[5]), area);
  area = larger(face_area(r[2], r[3], r[7], r[6]), area);
  area = larger(face_area(r[3], r[0], r[4], r[7]), area);
  return 4.0 * volume / std::sqrt(area);
}

// ---- 4.6: strain rate

/// The Jacobian at the centre: C.x = (C^x_xi, C^y_xi, C^z_xi) and so on.
struct Jacobian {
  Vector xi, eta, zeta;
  double volume;
};

LULESH_INLINE Jacobian jacobian_of(const Vector *r) {
  const Vector a = 0.125 * signed_xi(r), b = 0.125 * signed_eta(r),
               c = 0.125 * signed_zeta(r);
  Jacobian j;
  j.xi = cross(b, c);
  j.eta = cross(c, a);
  j.zeta = cross(a, b);
  j.volume = 8.0 * dot(b, j.eta);
  return j;
}

/// d_xx + d_yy + d_zz of positions r and velocities u.
LULESH_INLINE double strain_rate(const Vector *r, const Vector *u) {
  const Jacobian j = jacobian_of(r);
  const Vector b0 = Vector{0, 0, 0} - j.xi - j.eta - j.zeta;
  const Vector b1 = j.xi - j.eta - j.zeta;
  const Vector b2 = j.xi + j.eta - j.zeta;
  const Vector b3 = j.eta - j.xi - j.zeta;
  return (dot(b0, u[0] - u[6]) + dot(b1, u[1] - u[7]) + dot(b2, u[2] - u[4]) +
          dot(b3, u[3] - u[5])) /
         j.volume;
}

// ---- 4.2: corner forces

LULESH_INLINE void add_face_normal(const Vector *r, Vector *normal, int n0,
                                   int n1, int n2, int n3) {
  const Vector a = 0.5 * (r[n3] + r[n2] - r[n1] - r[n0]);
  const Vector b = 0.5 * (r[n2] + r[n1] - r[n3] - r[n0]);
  const Vector area = 0.25 * cross(a, b);
  normal[n0] += area;
  normal[n1] += area;
  normal[n2] += area;
  normal[n3] += area;
}

LULESH_INLINE void corner_normals(const Vector *r, Vector *normal) {
  for (int a = 0; a < corners; ++a)
    normal[a] = {0, 0, 0};
  add_face_normal(r, normal, 0, 1, 2, 3);
  add_face_normal(r, normal, 0, 4, 5, 1);
  add_face_normal(r, normal, 1, 5, 6, 2);
  add_face_normal(r, normal, 2, 6, 7, 3);
  add_face_normal(r, normal, 3, 7, 4, 0);
  add_face_normal(r, normal, 4, 7, 6, 5);
}

/// The derivative of the volume with respect to a corner whose neighbours are
/// n0 to n5.
LULESH_INLINE Vector volume_derivative(Vector n0, Vector n1, Vector n2,
                                       Vector n3, Vector n4, Vector n5) {
  const Vector sum = cross(n1 + n2, n0 + n1) + cross(n0 + n4, n3 + n4) -
                     cross(n2 + n5, n3 + n5);
  return (1.0 / 12.0) * sum;
}

/// The hourglass mode shapes Gamma.
constexpr double modes[4][corners] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                      {1, -1, -1, 1, -1, 1, 1, -1},
                                      {1, -1, 1, -1, 1, -1, 1, -1},
                                      {-1, 1, -1, 1, 1, -1, 1, -1}};

LULESH_INLINE void volume_gradient(const Vector *r, Vector *g) {
  g[0] = volume_derivative(r[1], r[2], r[3], r[4], r[5], r[7]);
  g[1] = volume_derivative(r[2], r[3], r[0], r[5], r[6], r[4]);
  g[2] = volume_derivative(r[3], r[0], r[1], r[6], r[7], r[5]);
  g[3] = volume_derivative(r[0], r[1], r[2], r[7], r[4], r[6]);
  g[4] = volume_derivative(r[7], r[6], r[5], r[0], r[3], r[1]);
  g[5] = volume_derivative(r[4], r[7], r[6], r[1], r[0], r[2]);
  g[6] = volume_derivative(r[5], r[4], r[7], r[2], r[1], r[3]);
  g[7] = volume_derivative(r[6], r[5], r[4], r[3], r[2], r[0]);
}

/// Adds the force against one hourglass mode; `volume` and `coefficient` are
/// those of the element.
LULESH_INLINE void add_mode_force(const double *mode, const Vector *r,
                                  const Vector *u, const Vector *gradient,
                                  double inverse_volume, double coefficient,
                                  Vector *force) {
  Vector position = {0, 0, 0};
  for (int a = 0; a < corners; ++a)
    position += mode[a] * r[a];
  double shape[corners];
  Vector motion = {0, 0, 0};
  for (int a = 0; a < corners; ++a) {
    shape[a] = mode[a] - inverse_volume * dot(gradient[a], position);
    motion += shape[a] * u[a];
  }
  for (int a = 0; a < corners; ++a)
    force[a] += coefficient * (shape[a] * motion);
}

/// Adds the force that damps the hourglass modes (Flanagan and Belytschko).
LULESH_INLINE void add_hourglass_force(const Vector *r, const Vector *u,
                                       double volume, double ss, double mass,
                                       Vector *force) {
  Vector gradient[corners];
  volume_gradient(r, gradient);
  const double inverse = 1.0 / volume;
  const double coefficient =
      -hourglass_coefficient * 0.01 * ss * mass / std::cbrt(volume);
  add_mode_force(modes[0], r, u, gradient, inverse, coefficient, force);
  add_mode_force(modes[1], r, u, gradient, inverse, coefficient, force);
  add_mode_force(modes[2], r, u, gradient, inverse, coefficient, force);
  add_mode_force(modes[3], r, u, gradient, inverse, coefficient, force);
}

// ---- 4.7, 4.8: monotonic artificial viscosity

struct Slopes {
  double delx_xi, delx_eta, delx_zeta, delv_xi, delv_eta, delv_zeta;
};

LULESH_INLINE Slopes slopes_of(const Vector *r, const Vector *u,
                               double volume) {
  const Vector xi = 0.25 * signed_xi(r), eta = 0.25 * signed_eta(r),
               zeta = 0.25 * signed_zeta(r);
  const Vector a = cross(eta, zeta), b = cross(zeta, xi), c = cross(xi, eta);
  const double norm = 1.0 / (volume + tiny);
  return {volume / std::sqrt(dot(a, a) + tiny),
          volume / std::sqrt(dot(b, b) + tiny),
          volume / std::sqrt(dot(c, c) + tiny),
          dot(norm * a, 0.25 * signed_xi(u)),
          dot(norm * b, 0.25 * signed_eta(u)),
          dot(norm * c, 0.25 * signed_zeta(u))};
}

/// The limiter phi of one direction, from the element's own slope and those of
/// its two neighbours.
LULESH_INLINE double limiter(double own, double lower, double upper) {
  const double norm = 1.0 / (own + tiny);
  const double below = lower * norm, above = upper * norm;
  double phi = 0.5 * (below + above);
  if (2.0 * below < phi)
    phi = 2.0 * below;
  if (2.0 * above < phi)
    phi = 2.0 * above;
  if (phi < 0.0)
    phi = 0.0;
  if (phi > 1.0)
    phi = 1.0;
  return phi;
}

// ---- 4.9: equation of state

struct Material {
  double e, p, q, ss;
};

struct Compression {
  double v;      ///< new relative volume, clamped
  double factor; ///< (2/3) (compression + 1) of the last pressure
};

LULESH_INLINE double pressure_of(Compression &c, double compression, double e) {
  c.factor = (2.0 / 3.0) * (compression + 1.0);
  double p = c.factor * e;
  if (std::fabs(p) < p_cut || c.v >= v_max)
    p = 0.0;
  return p < p_min ? p_min : p;
}

LULESH_INLINE double sound_speed(const Compression &c, double e, double v,
                                 double p) {
  const double square =
      ((2.0 / 3.0) * e + v * v * c.factor * p) / reference_density;
  return square <= 0.1111111e-36 ? 0.3333333e-18 : std::sqrt(square);
}

LULESH_INLINE double cut_energy(double e) {
  if (std::fabs(e) < e_cut)
    e = 0.0;
  return e < e_min ? e_min : e;
}

LULESH_INLINE Material equation_of_state(double e0, double p0, double q0,
                                         double delv, double vnew, double ql,
                                         double qq) {
  Compression c;
  c.v = vnew < v_min ? v_min : vnew > v_max ? v_max : vnew;
  double compression = 1.0 / c.v - 1.0;
  double half = 1.0 / (c.v - delv * 0.5) - 1.0; // in the middle of the cycle
  if (c.v <= v_min)
    half = compression;
  if (c.v >= v_max) {
    p0 = 0.0;
    compression = 0.0;
    half = 0.0;
  }
  const bool expands = delv > 0.0;

  double e = e0 - 0.5 * delv * (p0 + q0);
  if (e < e_min)
    e = e_min;
  const double p_half = pressure_of(c, half, e);
  const double v_half = 1.0 / (1.0 + half);
  double q = expands ? 0.0 : sound_speed(c, e, v_half, p_half) * ql + qq;
  e = cut_energy(e + 0.5 * delv * (3.0 * (p0 + q0) - 4.0 * (p_half + q)));

  double p = pressure_of(c, compression, e);
  const double q_trial = expands ? 0.0 : sound_speed(c, e, c.v, p) * ql + qq;
  e = cut_energy(e - (7.0 * (p0 + q0) - 8.0 * (p_half + q) + (p + q_trial)) *
                         delv * (1.0 / 6.0));

  p = pressure_of(c, compression, e);
  if (!expands) {
    q = sound_speed(c, e, c.v, p) * ql + qq;
    if (std::fabs(q) < q_cut)
      q = 0.0;
  }
  return {e, p, q, sound_speed(c, e, c.v, p)};
}

// ---- 4.11: limits of the time step

LULESH_INLINE double courant_limit(double ss, double length, double vdov) {
  double square = ss * ss;
  if (vdov < 0.0)
    square += q_courant * length * length * vdov * vdov;
  return length / std::sqrt(square);
}

LULESH_INLINE double volume_limit(double vdov) {
  return volume_change_limit / (std::fabs(vdov) + 1e-20);
}

} // namespace RETRO_MODEL

#endif // SUITES_LULESH_PHYSICS_H
