//===- kernels.h - LULESH: the cycle on a device ----------------*- C++ -*-===//
//
// One thread is one element or one node, and what it does is a step_... below,
// from the bodies of the serial loops. Regions only order the work of the
// serial program and repeat some of it; a device goes over all elements at
// once.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LULESH_KERNELS_H
#define SUITES_LULESH_KERNELS_H

#include "../common/gpu.h"
#include "device.h"
#include "model.h"

namespace RETRO_MODEL {

#define IN const double *RETRO_RESTRICT
#define OUT double *RETRO_RESTRICT
#define INDEX const int *RETRO_RESTRICT

// ---- what one thread does

/// The forces of an element on its corners.
__device__ inline void step_force(int i, int stride, INDEX nodes, IN x, IN y,
                                  IN z, IN xd, IN yd, IN zd, IN p, IN q, IN v,
                                  IN ss, IN volume, IN mass, OUT cx, OUT cy,
                                  OUT cz) {
  const CornerLayout layout = {1, stride};
  Vector force[corners];
  force_of(i, layout, nodes, x, y, z, xd, yd, zd, p, q, v, ss, volume, mass,
           force);
  for (int a = 0; a < corners; ++a) {
    const int at = layout.at(i, a);
    cx[at] = force[a].x;
    cy[at] = force[a].y;
    cz[at] = force[a].z;
  }
}

/// A node's force, acceleration and motion.
__device__ inline void step_node(int n, double dt, INDEX start, INDEX list,
                                 INDEX held, IN mass, IN cx, IN cy, IN cz,
                                 OUT xd, OUT yd, OUT zd, OUT x, OUT y, OUT z) {
  const Vector force = sum_of_corners(n, start, list, cx, cy, cz);
  Vector a = {force.x / mass[n], force.y / mass[n], force.z / mass[n]};
  if (held[n] & 1)
    a.x = 0.0;
  if (held[n] & 2)
    a.y = 0.0;
  if (held[n] & 4)
    a.z = 0.0;
  move_node(n, dt, a, xd, yd, zd, x, y, z);
}

/// Kinematics and slopes of an element.
__device__ inline void step_shape(int i, int stride, double dt, INDEX nodes,
                                  IN volume0, IN x, IN y, IN z, IN xd, IN yd,
                                  IN zd, IN v, OUT vnew, OUT delv, OUT vdov,
                                  OUT length, OUT delx_xi, OUT delx_eta,
                                  OUT delx_zeta, OUT delv_xi, OUT delv_eta,
                                  OUT delv_zeta) {
  const CornerLayout layout = {1, stride};
  kinematics_of(i, layout, dt, nodes, x, y, z, xd, yd, zd, volume0, v, vnew,
                delv, vdov, length);
  slopes_at(i, layout, nodes, x, y, z, xd, yd, zd, volume0[i] * vnew[i],
            delx_xi, delx_eta, delx_zeta, delv_xi, delv_eta, delv_zeta);
}

__device__ inline void step_viscosity(int i, int n_elem, INDEX neighbour,
                                      INDEX boundary, IN volume0, IN mass,
                                      IN vnew, IN vdov, IN delx_xi, IN delx_eta,
                                      IN delx_zeta, IN delv_xi, IN delv_eta,
                                      IN delv_zeta, OUT ql, OUT qq) {
  viscosity_of(i, n_elem, neighbour, boundary, volume0, mass, vnew, vdov,
               delx_xi, delx_eta, delx_zeta, delv_xi, delv_eta, delv_zeta, ql,
               qq);
}

/// Equation of state and update of the volume.
__device__ inline void step_material(int i, IN delv, IN vnew, IN ql, IN qq,
                                     OUT e, OUT p, OUT q, OUT ss, OUT v) {
  const Material m =
      equation_of_state(e[i], p[i], q[i], delv[i], vnew[i], ql[i], qq[i]);
  e[i] = m.e;
  p[i] = m.p;
  q[i] = m.q;
  ss[i] = m.ss;
  v[i] = settled_volume(vnew[i]);
}

#undef IN
#undef OUT
#undef INDEX

// ---- kernels

/// Threads of a block; fewer where a thread needs many registers.
constexpr int threads = 128, element_threads = 64;

LULESH_DEVICE int thread_index() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void __launch_bounds__(element_threads)
    force_kernel(MeshView m, State s) {
  const int i = thread_index(), n = m.stride * corners;
  if (i < m.n_elem)
    step_force(i, m.stride, m.nodes, s.x, s.y, s.z, s.xd, s.yd, s.zd, s.p, s.q,
               s.v, s.ss, m.volume, m.element_mass, s.corner_force,
               s.corner_force + n, s.corner_force + 2 * n);
}

__global__ void __launch_bounds__(threads)
    node_kernel(MeshView m, double dt, State s) {
  const int i = thread_index(), n = m.stride * corners;
  if (i < m.n_node)
    step_node(i, dt, m.corner_start, m.corner_list, m.held, m.nodal_mass,
              s.corner_force, s.corner_force + n, s.corner_force + 2 * n, s.xd,
              s.yd, s.zd, s.x, s.y, s.z);
}

__global__ void __launch_bounds__(element_threads)
    shape_kernel(MeshView m, double dt, State s) {
  const int i = thread_index();
  if (i < m.n_elem)
    step_shape(i, m.stride, dt, m.nodes, m.volume, s.x, s.y, s.z, s.xd, s.yd,
               s.zd, s.v, s.vnew, s.delv, s.vdov, s.length, s.delx_xi,
               s.delx_eta, s.delx_zeta, s.delv_xi, s.delv_eta, s.delv_zeta);
}

/// Sets `bad` where the viscosity of the last cycle has run away.
__global__ void __launch_bounds__(threads)
    viscosity_kernel(MeshView m, State s, int *bad) {
  const int i = thread_index();
  if (i >= m.n_elem)
    return;
  step_viscosity(i, m.n_elem, m.neighbour, m.boundary, m.volume, m.element_mass,
                 s.vnew, s.vdov, s.delx_xi, s.delx_eta, s.delx_zeta, s.delv_xi,
                 s.delv_eta, s.delv_zeta, s.ql, s.qq);
  if (s.q[i] > q_stop)
    atomicAdd(bad, 1);
}

__global__ void __launch_bounds__(threads)
    material_kernel(int n_elem, State s) {
  const int i = thread_index();
  if (i < n_elem)
    step_material(i, s.delv, s.vnew, s.ql, s.qq, s.e, s.p, s.q, s.ss, s.v);
}

constexpr int limit_threads = 128; ///< a power of two

/// The least limits of time step of each block's elements: Courant's, then that
/// of the change of volume.
__global__ void __launch_bounds__(limit_threads)
    limits_kernel(int n_elem, State s, double *least) {
  __shared__ double of[2][limit_threads];
  const int i = thread_index(), t = static_cast<int>(threadIdx.x);
  const bool counts = i < n_elem && s.vdov[i] != 0.0;
  of[0][t] = counts ? courant_limit(s.ss[i], s.length[i], s.vdov[i]) : no_limit;
  of[1][t] = counts ? volume_limit(s.vdov[i]) : no_limit;
  for (int half = limit_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      for (auto &limit : of)
        limit[t] = limit[t + half] < limit[t] ? limit[t + half] : limit[t];
  }
  if (t == 0) {
    least[2 * blockIdx.x] = of[0][0];
    least[2 * blockIdx.x + 1] = of[1][0];
  }
}

// ---- the host's side

class Simulation {
public:
  Simulation(const Mesh &mesh, const State &host)
      : mesh(mesh), device_mesh(mesh), state(mesh), bad(1),
        least(2 * blocks(mesh.n_elem, limit_threads)) {
    check(RETRO_GPU(Memset)(bad.data(), 0, sizeof(int)));
    state.put(host);
  }
  bool goes_on(const State &host) const {
    return host.time < mesh.stop_time && host.cycle < mesh.max_cycles;
  }

  /// The cycle up to the equation of state.
  void before_material(double dt) {
    force_kernel<<<blocks(mesh.n_elem, element_threads), element_threads>>>(
        view(), at());
    node_kernel<<<blocks(mesh.n_node, threads), threads>>>(view(), dt, at());
    shape_kernel<<<blocks(mesh.n_elem, element_threads), element_threads>>>(
        view(), dt, at());
    viscosity_kernel<<<blocks(mesh.n_elem, threads), threads>>>(view(), at(),
                                                                bad.data());
  }
  void material() {
    material_kernel<<<blocks(mesh.n_elem, threads), threads>>>(mesh.n_elem,
                                                               at());
  }
  /// Limits of the next step; and the check of the viscosity.
  void limits(State &host) {
    limits_kernel<<<blocks(mesh.n_elem, limit_threads), limit_threads>>>(
        mesh.n_elem, at(), least.data());
    retro::suite::finish_kernels();
    int found;
    bad.get(&found);
    if (found)
      fail(bad_viscosity);
    std::vector<double> all(2 * blocks(mesh.n_elem, limit_threads));
    least.get(all.data());
    host.dtcourant = host.dthydro = no_limit;
    for (std::size_t b = 0; b < all.size(); b += 2) {
      host.dtcourant = std::min(host.dtcourant, all[b]);
      host.dthydro = std::min(host.dthydro, all[b + 1]);
    }
  }

  MeshView view() const { return device_mesh.view(); }
  const State &at() const { return state.pointers(); }

  static unsigned blocks(int n, int threads) {
    return static_cast<unsigned>((n + threads - 1) / threads);
  }

  const Mesh &mesh;
  const DeviceMesh device_mesh;
  DeviceState state;

private:
  OnDevice<int> bad;
  OnDevice<double> least;
};

} // namespace RETRO_MODEL

using namespace suites::lulesh;

extern "C" void RETRO_SYMBOL(lulesh)(const Mesh *mesh, State *state) {
  using namespace RETRO_MODEL;
  Simulation run(*mesh, *state);
  while (run.goes_on(*state)) {
    time_increment(mesh, state);
    run.before_material(state->dt);
    run.material();
    run.limits(*state);
  }
  run.state.get(*state);
}

#endif // SUITES_LULESH_KERNELS_H
