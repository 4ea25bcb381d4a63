//===- hand.cpp - miniBUDE: the hand-written adjoint ----------------------===//
//
// Section 6.2. A pair's energy depends on the poses and the protein through one
// distance; pairs without a slope are skipped.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::minibude;

namespace RETRO_MODEL {

template <class Real> struct Pose {
  Real sx, cx, sy, cy, sz, cz;
  Real rotation[3][3], shift[3];
};

template <class Real> static Pose<Real> pose_at(const Case<Real> &c, int i) {
  const auto value = [&](int k) { return c.poses[k * c.n_poses + i]; };
  Pose<Real> p{std::sin(value(0)),
               std::cos(value(0)),
               std::sin(value(1)),
               std::cos(value(1)),
               std::sin(value(2)),
               std::cos(value(2)),
               {},
               {value(3), value(4), value(5)}};
  const Real rotation[3][3] = {{p.cy * p.cz, p.sx * p.sy * p.cz - p.cx * p.sz,
                                p.cx * p.sy * p.cz + p.sx * p.sz},
                               {p.cy * p.sz, p.sx * p.sy * p.sz + p.cx * p.cz,
                                p.cx * p.sy * p.sz - p.sx * p.cz},
                               {-p.sy, p.sx * p.cy, p.cx * p.cy}};
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      p.rotation[r][k] = rotation[r][k];
  return p;
}

/// Turns the adjoint of the rotation into those of the three angles.
template <class Real>
static void angle_adjoints(const Pose<Real> &p, const Real (&g)[3][3],
                           Real (&angles)[3]) {
  const auto &t = p.rotation;
  // A turn about x mixes columns 1 and 2, one about z rows 0 and 1.
  angles[0] = angles[1] = angles[2] = 0;
  for (int r = 0; r < 3; ++r)
    angles[0] += g[r][1] * t[r][2] - g[r][2] * t[r][1];
  for (int k = 0; k < 3; ++k)
    angles[2] += g[1][k] * t[0][k] - g[0][k] * t[1][k];
  const Real by_y[3][3] = {
      {-p.sy * p.cz, p.sx * p.cy * p.cz, p.cx * p.cy * p.cz},
      {-p.sy * p.sz, p.sx * p.cy * p.sz, p.cx * p.cy * p.sz},
      {-p.cy, -p.sx * p.sy, -p.cx * p.sy}};
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k)
      angles[1] += g[r][k] * by_y[r][k];
}

/// Adds to either shadow that is not null.
template <class Real>
static void adjoint(const Case<Real> &c, Atom<Real> *protein_shadow,
                    Real *pose_shadow, Real *seed) {
  for (int i = 0; i < c.n_poses; ++i) {
    const Pose<Real> pose = pose_at(c, i);
    Real rotation[3][3] = {}, shift[3] = {};
    for (int l = 0; l < c.n_ligand; ++l) {
      const Atom<Real> &a = c.ligand[l];
      const Real at[3] = {a.x, a.y, a.z};
      Real r[3], force[3] = {};
      for (int k = 0; k < 3; ++k)
        r[k] = pose.shift[k] + a.x * pose.rotation[k][0] +
               a.y * pose.rotation[k][1] + a.z * pose.rotation[k][2];
      for (int b = 0; b < c.n_protein; ++b) {
        const Atom<Real> &other = c.protein[b];
        const Pair<Real> pair =
            pair_of(c.parameters[other.type], c.parameters[a.type]);
        const Real to[3] = {r[0] - other.x, r[1] - other.y, r[2] - other.z};
        const Real distance =
            std::sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
        const Real slope = slope_of(pair, distance - pair.radii);
        if (slope == 0 || distance == 0)
          continue;
        const Real factor = Real(0.5) * seed[i] * slope / distance;
        for (int k = 0; k < 3; ++k)
          force[k] += factor * to[k];
        if (protein_shadow) {
          protein_shadow[b].x -= factor * to[0];
          protein_shadow[b].y -= factor * to[1];
          protein_shadow[b].z -= factor * to[2];
        }
      }
      for (int k = 0; k < 3; ++k) {
        shift[k] += force[k];
        for (int d = 0; d < 3; ++d)
          rotation[k][d] += force[k] * at[d];
      }
    }
    seed[i] = 0;
    if (!pose_shadow)
      continue;
    Real angles[3];
    angle_adjoints(pose, rotation, angles);
    for (int k = 0; k < 3; ++k) {
      pose_shadow[k * c.n_poses + i] += angles[k];
      pose_shadow[(3 + k) * c.n_poses + i] += shift[k];
    }
  }
}

} // namespace RETRO_MODEL

extern "C" void RETRO_SYMBOL(protein_float)(const Case<float> &c,
                                            Atom<float> *shadow, float *,
                                            float *seed) {
  RETRO_MODEL::adjoint<float>(c, shadow, nullptr, seed);
}

extern "C" void RETRO_SYMBOL(protein_double)(const Case<double> &c,
                                             Atom<double> *shadow, double *,
                                             double *seed) {
  RETRO_MODEL::adjoint<double>(c, shadow, nullptr, seed);
}

extern "C" void RETRO_SYMBOL(pose_float)(const Case<float> &c, float *shadow,
                                         float *, float *seed) {
  RETRO_MODEL::adjoint<float>(c, nullptr, shadow, seed);
}

extern "C" void RETRO_SYMBOL(pose_double)(const Case<double> &c, double *shadow,
                                          double *, double *seed) {
  RETRO_MODEL::adjoint<double>(c, nullptr, shadow, seed);
}
