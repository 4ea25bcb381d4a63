//===- model.h - LULESH: one cycle and the time loop ------------*- C++ -*-===//
//
// One source for all programming models: with -fopenmp the pragmas make the
// loops parallel, with LULESH_MPI the exchanges of exchange.h do something.
// What a loop does for one element or node, kernels do in a thread (kernels.h).
// Arrays are parameters of the loops' functions, for their no-alias qualifier.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LULESH_MODEL_H
#define SUITES_LULESH_MODEL_H

#include "exchange.h"
#include "physics.h"

namespace RETRO_MODEL {

#define IN const double *RETRO_RESTRICT
#define OUT double *RETRO_RESTRICT
#define INDEX const int *RETRO_RESTRICT

/// Where corner a of element i is in an array over the corners.
struct CornerLayout {
  int by_element, by_corner;
  RETRO_HD int at(int i, int a) const { return i * by_element + a * by_corner; }
};
constexpr CornerLayout corner_fastest = {corners, 1};

LULESH_INLINE void gather(int i, CornerLayout layout, INDEX nodes, IN x, IN y,
                          IN z, Vector *r) {
  for (int a = 0; a < corners; ++a) {
    const int n = nodes[layout.at(i, a)];
    r[a] = {x[n], y[n], z[n]};
  }
}

// ---- 4.2: forces

LULESH_INLINE void element_force(const Vector *r, const Vector *u, double p,
                                 double q, double v, double ss, double volume0,
                                 double mass, Vector *force) {
  if (jacobian_of(r).volume <= 0.0)
    fail(bad_volume);
  const double volume = volume0 * v;
  if (volume <= 0.0)
    fail(bad_volume);
  Vector normal[corners];
  corner_normals(r, normal);
  for (int a = 0; a < corners; ++a)
    force[a] = (p + q) * normal[a]; // minus the stress
  add_hourglass_force(r, u, volume, ss, mass, force);
}

LULESH_INLINE void force_of(int i, CornerLayout layout, INDEX nodes, IN x, IN y,
                            IN z, IN xd, IN yd, IN zd, IN p, IN q, IN v, IN ss,
                            IN volume, IN mass, Vector *force) {
  Vector r[corners], u[corners];
  gather(i, layout, nodes, x, y, z, r);
  gather(i, layout, nodes, xd, yd, zd, u);
  element_force(r, u, p[i], q[i], v[i], ss[i], volume[i], mass[i], force);
}

LULESH_INLINE Vector sum_of_corners(int n, INDEX start, INDEX list, IN cx,
                                    IN cy, IN cz) {
  Vector sum = {0, 0, 0};
  for (int k = start[n]; k < start[n + 1]; ++k)
    sum += Vector{cx[list[k]], cy[list[k]], cz[list[k]]};
  return sum;
}

#ifdef _OPENMP

static void corner_forces(int n_elem, INDEX nodes, IN x, IN y, IN z, IN xd,
                          IN yd, IN zd, IN p, IN q, IN v, IN ss, IN volume,
                          IN mass, OUT cx, OUT cy, OUT cz) {
#pragma omp parallel for
  for (int i = 0; i < n_elem; ++i) {
    Vector force[corners];
    force_of(i, corner_fastest, nodes, x, y, z, xd, yd, zd, p, q, v, ss, volume,
             mass, force);
    for (int a = 0; a < corners; ++a) {
      cx[i * corners + a] = force[a].x;
      cy[i * corners + a] = force[a].y;
      cz[i * corners + a] = force[a].z;
    }
  }
}

static void sum_corners(int n_node, INDEX start, INDEX list, IN cx, IN cy,
                        IN cz, OUT fx, OUT fy, OUT fz) {
#pragma omp parallel for
  for (int n = 0; n < n_node; ++n) {
    const Vector sum = sum_of_corners(n, start, list, cx, cy, cz);
    fx[n] = sum.x;
    fy[n] = sum.y;
    fz[n] = sum.z;
  }
}

static void nodal_forces(const Mesh *m, State *s) {
  const int n = m->n_elem * corners;
  double *c = s->corner_force;
  corner_forces(m->n_elem, m->nodes, s->x, s->y, s->z, s->xd, s->yd, s->zd,
                s->p, s->q, s->v, s->ss, m->volume, m->element_mass, c, c + n,
                c + 2 * n);
  sum_corners(m->n_node, m->corner_start, m->corner_list, c, c + n, c + 2 * n,
              s->fx, s->fy, s->fz);
}

#else

static void add_forces(int n_elem, INDEX nodes, IN x, IN y, IN z, IN xd, IN yd,
                       IN zd, IN p, IN q, IN v, IN ss, IN volume, IN mass,
                       OUT fx, OUT fy, OUT fz) {
  for (int i = 0; i < n_elem; ++i) {
    Vector force[corners];
    force_of(i, corner_fastest, nodes, x, y, z, xd, yd, zd, p, q, v, ss, volume,
             mass, force);
    for (int a = 0; a < corners; ++a) {
      const int n = nodes[i * corners + a];
      fx[n] += force[a].x;
      fy[n] += force[a].y;
      fz[n] += force[a].z;
    }
  }
}

static void nodal_forces(const Mesh *m, State *s) {
  for (int n = 0; n < m->n_node; ++n)
    s->fx[n] = s->fy[n] = s->fz[n] = 0.0;
  add_forces(m->n_elem, m->nodes, s->x, s->y, s->z, s->xd, s->yd, s->zd, s->p,
             s->q, s->v, s->ss, m->volume, m->element_mass, s->fx, s->fy,
             s->fz);
}

#endif

// ---- 4.3: motion of the nodes

static void accelerate(int n_node, IN mass, IN fx, IN fy, IN fz, OUT xdd,
                       OUT ydd, OUT zdd) {
#pragma omp parallel for
  for (int n = 0; n < n_node; ++n) {
    xdd[n] = fx[n] / mass[n];
    ydd[n] = fy[n] / mass[n];
    zdd[n] = fz[n] / mass[n];
  }
}

static void hold_plane(int count, INDEX plane, OUT acceleration) {
#pragma omp parallel for
  for (int k = 0; k < count; ++k)
    acceleration[plane[k]] = 0.0;
}

LULESH_INLINE double new_velocity(double u, double a, double dt) {
  const double moved = u + a * dt;
  return std::fabs(moved) < u_cut ? 0.0 : moved;
}

LULESH_INLINE void move_node(int n, double dt, Vector a, OUT xd, OUT yd, OUT zd,
                             OUT x, OUT y, OUT z) {
  const double ux = new_velocity(xd[n], a.x, dt);
  const double uy = new_velocity(yd[n], a.y, dt);
  const double uz = new_velocity(zd[n], a.z, dt);
  xd[n] = ux;
  yd[n] = uy;
  zd[n] = uz;
  x[n] += ux * dt;
  y[n] += uy * dt;
  z[n] += uz * dt;
}

static void move_nodes(int n_node, double dt, IN xdd, IN ydd, IN zdd, OUT xd,
                       OUT yd, OUT zd, OUT x, OUT y, OUT z) {
#pragma omp parallel for
  for (int n = 0; n < n_node; ++n)
    move_node(n, dt, {xdd[n], ydd[n], zdd[n]}, xd, yd, zd, x, y, z);
}

static void lagrange_nodal(const Mesh *m, State *s) {
  nodal_forces(m, s);
  exchange_forces(m, s);
  accelerate(m->n_node, m->nodal_mass, s->fx, s->fy, s->fz, s->xdd, s->ydd,
             s->zdd);
  hold_plane(m->n_symmetry[0], m->symmetry[0], s->xdd);
  hold_plane(m->n_symmetry[1], m->symmetry[1], s->ydd);
  hold_plane(m->n_symmetry[2], m->symmetry[2], s->zdd);
  move_nodes(m->n_node, s->dt, s->xdd, s->ydd, s->zdd, s->xd, s->yd, s->zd,
             s->x, s->y, s->z);
  exchange_motion(m, s);
}

// ---- 4.5 to 4.7: kinematics and slopes

LULESH_INLINE void kinematics_of(int i, CornerLayout layout, double dt,
                                 INDEX nodes, IN x, IN y, IN z, IN xd, IN yd,
                                 IN zd, IN volume0, IN v, OUT vnew, OUT delv,
                                 OUT vdov, OUT length) {
  Vector r[corners], u[corners], middle[corners];
  gather(i, layout, nodes, x, y, z, r);
  gather(i, layout, nodes, xd, yd, zd, u);
  const double volume = volume_of(r);
  const double relative = volume / volume0[i];
  if (relative <= 0.0)
    fail(bad_volume);
  vnew[i] = relative;
  delv[i] = relative - v[i];
  length[i] = characteristic_length(r, volume);
  for (int a = 0; a < corners; ++a)
    middle[a] = r[a] - (0.5 * dt) * u[a];
  vdov[i] = strain_rate(middle, u);
}

static void kinematics(int n_elem, double dt, INDEX nodes, IN x, IN y, IN z,
                       IN xd, IN yd, IN zd, IN volume0, IN v, OUT vnew,
                       OUT delv, OUT vdov, OUT length) {
#pragma omp parallel for
  for (int i = 0; i < n_elem; ++i)
    kinematics_of(i, corner_fastest, dt, nodes, x, y, z, xd, yd, zd, volume0, v,
                  vnew, delv, vdov, length);
}

LULESH_INLINE void slopes_at(int i, CornerLayout layout, INDEX nodes, IN x,
                             IN y, IN z, IN xd, IN yd, IN zd, double volume,
                             OUT delx_xi, OUT delx_eta, OUT delx_zeta,
                             OUT delv_xi, OUT delv_eta, OUT delv_zeta) {
  Vector r[corners], u[corners];
  gather(i, layout, nodes, x, y, z, r);
  gather(i, layout, nodes, xd, yd, zd, u);
  const Slopes s = slopes_of(r, u, volume);
  delx_xi[i] = s.delx_xi;
  delx_eta[i] = s.delx_eta;
  delx_zeta[i] = s.delx_zeta;
  delv_xi[i] = s.delv_xi;
  delv_eta[i] = s.delv_eta;
  delv_zeta[i] = s.delv_zeta;
}

static void slopes(int n_elem, INDEX nodes, IN x, IN y, IN z, IN xd, IN yd,
                   IN zd, IN volume0, IN vnew, OUT delx_xi, OUT delx_eta,
                   OUT delx_zeta, OUT delv_xi, OUT delv_eta, OUT delv_zeta) {
#pragma omp parallel for
  for (int i = 0; i < n_elem; ++i)
    slopes_at(i, corner_fastest, nodes, x, y, z, xd, yd, zd,
              volume0[i] * vnew[i], delx_xi, delx_eta, delx_zeta, delv_xi,
              delv_eta, delv_zeta);
}

// ---- 4.8: artificial viscosity of a region

LULESH_INLINE double slope_beyond(IN slope, int i, int neighbour, int bits) {
  if (bits & symmetric)
    return slope[i];
  return bits & free_surface ? 0.0 : slope[neighbour];
}

LULESH_INLINE void viscosity_of(int i, int n_elem, INDEX neighbour,
                                INDEX boundary, IN volume0, IN mass, IN vnew,
                                IN vdov, IN delx_xi, IN delx_eta, IN delx_zeta,
                                IN delv_xi, IN delv_eta, IN delv_zeta, OUT ql,
                                OUT qq) {
  double linear = 0.0, quadratic = 0.0;
  if (vdov[i] <= 0.0) {
    const int word = boundary[i];
    const int *next = neighbour + i;
    const double phi[3] = {
        limiter(delv_xi[i],
                slope_beyond(delv_xi, i, next[0 * n_elem], face_bits(word, 0)),
                slope_beyond(delv_xi, i, next[1 * n_elem], face_bits(word, 1))),
        limiter(
            delv_eta[i],
            slope_beyond(delv_eta, i, next[2 * n_elem], face_bits(word, 2)),
            slope_beyond(delv_eta, i, next[3 * n_elem], face_bits(word, 3))),
        limiter(
            delv_zeta[i],
            slope_beyond(delv_zeta, i, next[4 * n_elem], face_bits(word, 4)),
            slope_beyond(delv_zeta, i, next[5 * n_elem], face_bits(word, 5)))};
    const double rise[3] = {delv_xi[i] * delx_xi[i], delv_eta[i] * delx_eta[i],
                            delv_zeta[i] * delx_zeta[i]};
    for (int d = 0; d < 3; ++d) {
      const double t = rise[d] < 0.0 ? rise[d] : 0.0;
      linear += t * (1.0 - phi[d]);
      quadratic += t * t * (1.0 - phi[d] * phi[d]);
    }
    const double density = mass[i] / (volume0[i] * vnew[i]);
    linear *= -q_linear * density;
    quadratic *= q_quadratic * density;
  }
  ql[i] = linear;
  qq[i] = quadratic;
}

static void viscosity(int count, int n_elem, INDEX elements, INDEX neighbour,
                      INDEX boundary, IN volume0, IN mass, IN vnew, IN vdov,
                      IN delx_xi, IN delx_eta, IN delx_zeta, IN delv_xi,
                      IN delv_eta, IN delv_zeta, OUT ql, OUT qq) {
#pragma omp parallel for
  for (int k = 0; k < count; ++k)
    viscosity_of(elements[k], n_elem, neighbour, boundary, volume0, mass, vnew,
                 vdov, delx_xi, delx_eta, delx_zeta, delv_xi, delv_eta,
                 delv_zeta, ql, qq);
}

static bool any_above(int n, IN values, double limit) {
  int found = 0;
#pragma omp parallel for reduction(| : found)
  for (int i = 0; i < n; ++i)
    found |= values[i] > limit;
  return found != 0;
}

// ---- 4.9: equation of state of a region

static void evaluate_materials(int count, INDEX elements, IN e, IN p, IN q,
                               IN delv, IN vnew, IN ql, IN qq, OUT e_new,
                               OUT p_new, OUT q_new, OUT ss_new) {
#pragma omp parallel for
  for (int k = 0; k < count; ++k) {
    const int i = elements[k];
    const Material m =
        equation_of_state(e[i], p[i], q[i], delv[i], vnew[i], ql[i], qq[i]);
    e_new[i] = m.e;
    p_new[i] = m.p;
    q_new[i] = m.q;
    ss_new[i] = m.ss;
  }
}

/// The passes before the last: load and nothing else. What they write is not
/// active, so that a gradient does not repeat them.
static void repeat_materials(int count, INDEX elements, IN e, IN p, IN q,
                             IN delv, IN vnew, IN ql, IN qq, OUT load_e,
                             OUT load_q) {
#pragma omp parallel for
  for (int k = 0; k < count; ++k) {
    const int i = elements[k];
    const Material m =
        equation_of_state(e[i], p[i], q[i], delv[i], vnew[i], ql[i], qq[i]);
    load_e[i] = m.e + m.p;
    load_q[i] = m.q + m.ss;
  }
}

/// 4.10.
LULESH_INLINE double settled_volume(double vnew) {
  return std::fabs(vnew - 1.0) < v_cut ? 1.0 : vnew;
}

static void take_over(int n_elem, IN e_new, IN p_new, IN q_new, IN ss_new,
                      IN vnew, OUT e, OUT p, OUT q, OUT ss, OUT v) {
#pragma omp parallel for
  for (int i = 0; i < n_elem; ++i) {
    e[i] = e_new[i];
    p[i] = p_new[i];
    q[i] = q_new[i];
    ss[i] = ss_new[i];
    v[i] = settled_volume(vnew[i]);
  }
}

static void lagrange_elements(const Mesh *m, State *s) {
  kinematics(m->n_elem, s->dt, m->nodes, s->x, s->y, s->z, s->xd, s->yd, s->zd,
             m->volume, s->v, s->vnew, s->delv, s->vdov, s->length);
  slopes(m->n_elem, m->nodes, s->x, s->y, s->z, s->xd, s->yd, s->zd, m->volume,
         s->vnew, s->delx_xi, s->delx_eta, s->delx_zeta, s->delv_xi,
         s->delv_eta, s->delv_zeta);
  exchange_slopes(m, s);
  for (int r = 0; r < m->n_regions; ++r)
    viscosity(m->region_start[r + 1] - m->region_start[r], m->n_elem,
              m->region_elements + m->region_start[r], m->neighbour,
              m->boundary, m->volume, m->element_mass, s->vnew, s->vdov,
              s->delx_xi, s->delx_eta, s->delx_zeta, s->delv_xi, s->delv_eta,
              s->delv_zeta, s->ql, s->qq);
  if (any_above(m->n_elem, s->q, q_stop))
    fail(bad_viscosity);
  for (int r = 0; r < m->n_regions; ++r) {
    const int count = m->region_start[r + 1] - m->region_start[r];
    const int *elements = m->region_elements + m->region_start[r];
    for (int pass = 1; pass < m->region_passes[r]; ++pass)
      repeat_materials(count, elements, s->e, s->p, s->q, s->delv, s->vnew,
                       s->ql, s->qq, m->load, m->load + m->n_elem);
    evaluate_materials(count, elements, s->e, s->p, s->q, s->delv, s->vnew,
                       s->ql, s->qq, s->e_new, s->p_new, s->q_new, s->ss_new);
  }
  take_over(m->n_elem, s->e_new, s->p_new, s->q_new, s->ss_new, s->vnew, s->e,
            s->p, s->q, s->ss, s->v);
}

// ---- 4.11: time constraints

/// The elements that limit the step, -1 where none does.
struct Critical {
  int courant = -1, volume = -1;
  double courant_limit = no_limit, volume_limit = no_limit;
};

/// Of equal limits the first element's counts, whatever the number of threads.
LULESH_INLINE void lower(double &least, int &at, double limit, int i) {
  if (limit < least || (limit == least && at >= 0 && i < at)) {
    least = limit;
    at = i;
  }
}

static void find_critical(int n_elem, IN ss, IN length, IN vdov, int *courant,
                          int *volume) {
  Critical all;
#pragma omp parallel
  {
    Critical own;
#pragma omp for nowait
    for (int i = 0; i < n_elem; ++i)
      if (vdov[i] != 0.0) {
        lower(own.courant_limit, own.courant,
              courant_limit(ss[i], length[i], vdov[i]), i);
        lower(own.volume_limit, own.volume, volume_limit(vdov[i]), i);
      }
#pragma omp critical
    {
      if (own.courant >= 0)
        lower(all.courant_limit, all.courant, own.courant_limit, own.courant);
      if (own.volume >= 0)
        lower(all.volume_limit, all.volume, own.volume_limit, own.volume);
    }
  }
  *courant = all.courant;
  *volume = all.volume;
}

/// The limits are evaluated again for the two elements found, so that the
/// search needs no derivative.
static void time_constraints(const Mesh *m, State *s) {
  int courant, volume;
  find_critical(m->n_elem, s->ss, s->length, s->vdov, &courant, &volume);
  s->dtcourant = courant < 0 ? no_limit
                             : courant_limit(s->ss[courant], s->length[courant],
                                             s->vdov[courant]);
  s->dthydro = volume < 0 ? no_limit : volume_limit(s->vdov[volume]);
}

// ---- 4.1: time step

static void time_increment(const Mesh *m, State *s) {
  if (m->schedule) {
    s->dt = m->schedule[s->cycle];
  } else {
    const double left = m->stop_time - s->time;
    double dt = s->dt;
    if (s->cycle != 0) {
      double least = no_limit;
      if (s->dtcourant < least)
        least = 0.5 * s->dtcourant;
      if (s->dthydro < least)
        least = s->dthydro * (2.0 / 3.0);
      double next = least_of_all_ranks(least);
      const double ratio = next / dt;
      if (ratio >= 1.0) {
        if (ratio < growth_low)
          next = dt;
        else if (ratio > growth_high)
          next = dt * growth_high;
      }
      dt = next > dt_max ? dt_max : next;
    }
    double target = left;
    if (target > dt && target < 4.0 * dt / 3.0)
      target = 2.0 * dt / 3.0;
    s->dt = target < dt ? target : dt;
  }
  s->time += s->dt;
  s->cycle += 1;
}

/// One cycle (4.0).
static void advance(const Mesh *m, State *s) {
  time_increment(m, s);
  lagrange_nodal(m, s);
  lagrange_elements(m, s);
  time_constraints(m, s);
}

/// The time loop: the function that is differentiated.
static void simulate(const Mesh *m, State *s) {
  while (s->time < m->stop_time && s->cycle < m->max_cycles)
    advance(m, s);
}

#undef IN
#undef OUT
#undef INDEX

} // namespace RETRO_MODEL

#endif // SUITES_LULESH_MODEL_H
