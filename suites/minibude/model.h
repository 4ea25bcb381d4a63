//===- model.h - miniBUDE: energies of poses --------------------*- C++ -*-===//
//
// Section 4 of the specification, in its order of operations: with strict
// arithmetic the bits of single-precision energies are the published ones.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_MINIBUDE_MODEL_H
#define SUITES_MINIBUDE_MODEL_H

#include "../common/kernel.h"
#include "types.h"

#include <cmath>
#include <limits>

namespace RETRO_MODEL {

using namespace suites::minibude;

constexpr int code_e = 69, code_f = 70;

/// What a pair of atoms (protein, ligand) is to each other in every pose.
template <class Real> struct Pair {
  Real radii, inverse_radii;
  Real charge_reach, charge_slope, charge;
  bool attracts; ///< the charge term is negative whatever its sign
  Real water_reach, water_slope, water;
  bool has_water;
};

template <class Real>
RETRO_HD static inline Pair<Real> pair_of(const Parameters<Real> &protein,
                                          const Parameters<Real> &ligand) {
  Pair<Real> p;
  p.radii = protein.radius + ligand.radius;
  p.inverse_radii = Real(1) / p.radii;
  const bool both_f = ligand.hbtype == code_f && protein.hbtype == code_f;
  p.charge_reach = both_f ? Real(4) : Real(2);
  p.charge_slope = both_f ? Real(0.25) : Real(0.5);
  p.charge = ligand.elsc * protein.elsc;
  p.attracts = ligand.hbtype == code_e || protein.hbtype == code_e;

  const bool protein_avoids = protein.hphb < 0, ligand_avoids = ligand.hphb < 0;
  const Real from_protein =
      protein.hphb * (protein_avoids && ligand.hphb > 0 ? Real(-1) : Real(1));
  const Real from_ligand =
      ligand.hphb * (protein.hphb > 0 && ligand_avoids ? Real(-1) : Real(1));
  p.water = from_protein + from_ligand;
  p.water_reach = protein_avoids  ? (ligand_avoids ? Real(5.5) : Real(1))
                  : ligand_avoids ? Real(1)
                                  : Real(-std::numeric_limits<float>::max());
  p.water_slope = Real(1) / p.water_reach;
  p.has_water = protein.hphb != 0;
  return p;
}

/// Adds the three terms of one pair in one pose to twice its energy.
template <class Real>
RETRO_HD static inline void add_pair(const Pair<Real> &p, Real x, Real y,
                                     Real z, Real &sum) {
  const Real distance = std::sqrt(x * x + y * y + z * z);
  const Real gap = distance - p.radii;
  const bool clash = gap < 0;
  sum += (Real(1) - distance * p.inverse_radii) * (clash ? Real(76) : Real(0));

  Real charge = p.charge * ((clash ? Real(1) : Real(1) - gap * p.charge_slope) *
                            (gap < p.charge_reach ? Real(1) : Real(0)));
  if (p.attracts)
    charge = -std::fabs(charge);
  sum += charge * Real(45);

  const Real water =
      p.water * (gap < p.water_reach && p.has_water ? Real(1) : Real(0));
  sum += water * (clash ? Real(1) : Real(1) - gap * p.water_slope);
}

/// Twice the derivative of a pair's energy with respect to the distance,
/// for the adjoint by hand and for differences.
template <class Real>
RETRO_HD static inline Real slope_of(const Pair<Real> &p, Real gap) {
  if (gap < 0)
    return Real(-76) * p.inverse_radii;
  Real slope = 0;
  if (gap < p.charge_reach)
    slope -= Real(45) * p.charge_slope *
             (p.attracts ? -std::fabs(p.charge) : p.charge);
  if (gap < p.water_reach && p.has_water)
    slope -= p.water * p.water_slope;
  return slope;
}

/// One work item: N poses from `first` on, Stride apart. The poses are the
/// innermost loop, so that a pair's constants are computed once.
template <class Real, int N, int Stride = 1>
RETRO_HD static inline void
dock_group(int n_ligand, int n_protein, int n_poses, int first,
           const Atom<Real> *RETRO_RESTRICT ligand,
           const Parameters<Real> *RETRO_RESTRICT parameters,
           const Atom<Real> *RETRO_RESTRICT protein,
           const Real *RETRO_RESTRICT poses, Real *RETRO_RESTRICT energies) {
  Real transform[3][4][N], sum[N];
  for (int j = 0; j < N; ++j) {
    const Real *pose = poses + first + j * Stride;
    const Real sx = std::sin(pose[0]), cx = std::cos(pose[0]);
    const Real sy = std::sin(pose[n_poses]), cy = std::cos(pose[n_poses]);
    const Real sz = std::sin(pose[2 * n_poses]);
    const Real cz = std::cos(pose[2 * n_poses]);
    transform[0][0][j] = cy * cz;
    transform[0][1][j] = sx * sy * cz - cx * sz;
    transform[0][2][j] = cx * sy * cz + sx * sz;
    transform[0][3][j] = pose[3 * n_poses];
    transform[1][0][j] = cy * sz;
    transform[1][1][j] = sx * sy * sz + cx * cz;
    transform[1][2][j] = cx * sy * sz - sx * cz;
    transform[1][3][j] = pose[4 * n_poses];
    transform[2][0][j] = -sy;
    transform[2][1][j] = sx * cy;
    transform[2][2][j] = cx * cy;
    transform[2][3][j] = pose[5 * n_poses];
    sum[j] = 0;
  }
  for (int l = 0; l < n_ligand; ++l) {
    const Atom<Real> a = ligand[l];
    const Parameters<Real> of_ligand = parameters[a.type];
    Real x[N], y[N], z[N];
    const auto place = [&](const Real(&row)[4][N], int j) {
      return row[3][j] + a.x * row[0][j] + a.y * row[1][j] + a.z * row[2][j];
    };
    for (int j = 0; j < N; ++j) {
      x[j] = place(transform[0], j);
      y[j] = place(transform[1], j);
      z[j] = place(transform[2], j);
    }
    for (int b = 0; b < n_protein; ++b) {
      const Pair<Real> pair = pair_of(parameters[protein[b].type], of_ligand);
      const Real bx = protein[b].x, by = protein[b].y, bz = protein[b].z;
      for (int j = 0; j < N; ++j)
        add_pair(pair, x[j] - bx, y[j] - by, z[j] - bz, sum[j]);
    }
  }
  for (int j = 0; j < N; ++j)
    energies[first + j * Stride] = sum[j] * Real(0.5);
}

/// The energies of all poses: the function that is differentiated. `sizes` is
/// read for its numbers alone.
template <class Real, int N>
static void
dock(const Case<Real> *sizes, const Atom<Real> *RETRO_RESTRICT protein,
     const Real *RETRO_RESTRICT poses, Real *RETRO_RESTRICT energies) {
  const Case<Real> c = *sizes;
#pragma omp parallel for
  for (int item = 0; item < c.n_poses / N; ++item)
    dock_group<Real, N>(c.n_ligand, c.n_protein, c.n_poses, item * N, c.ligand,
                        c.parameters, protein, poses, energies);
}

/// Calls f.operator()<group>().
template <class F> static void with_group(int group, F f) {
  switch (group) {
  case 1:
    return f.template operator()<1>();
  case 2:
    return f.template operator()<2>();
  case 4:
    return f.template operator()<4>();
  case 8:
    return f.template operator()<8>();
  case 16:
    return f.template operator()<16>();
  case 32:
    return f.template operator()<32>();
  case 64:
    return f.template operator()<64>();
  default:
    return f.template operator()<128>();
  }
}

} // namespace RETRO_MODEL

#endif // SUITES_MINIBUDE_MODEL_H
