//===- gradient_kernels.h - LULESH: gradients on a device -------*- C++ -*-===//
//
// Of each kernel of a cycle, one thread being one request. The reverse of a
// cycle runs them from the last to the first; what a cycle starts from is kept,
// and restored where a kernel works in place.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LULESH_GRADIENT_KERNELS_H
#define SUITES_LULESH_GRADIENT_KERNELS_H

#include "kernels.h"

#include <cstdlib>
#include <memory>

namespace RETRO_MODEL {

#define DUP(field) enzyme_dup, s.field, d.field
#define REQUEST(step)                                                          \
  __enzyme_autodiff<void>(reinterpret_cast<void *>(step), enzyme_const, i

__global__ void __launch_bounds__(element_threads)
    force_gradient_kernel(MeshView m, State s, State d) {
  const int i = thread_index(), n = m.stride * corners;
  if (i < m.n_elem)
    REQUEST(step_force), enzyme_const, m.stride, enzyme_const, m.nodes, DUP(x),
        DUP(y), DUP(z), DUP(xd), DUP(yd), DUP(zd), DUP(p), DUP(q), DUP(v),
        DUP(ss), enzyme_const, m.volume, enzyme_const, m.element_mass,
        DUP(corner_force), enzyme_dup, s.corner_force + n, d.corner_force + n,
        enzyme_dup, s.corner_force + 2 * n, d.corner_force + 2 * n);
}

__global__ void __launch_bounds__(threads)
    node_gradient_kernel(MeshView m, double dt, State s, State d) {
  const int i = thread_index(), n = m.stride * corners;
  if (i < m.n_node)
    REQUEST(step_node), enzyme_const, dt, enzyme_const, m.corner_start,
        enzyme_const, m.corner_list, enzyme_const, m.held, enzyme_const,
        m.nodal_mass, DUP(corner_force), enzyme_dup, s.corner_force + n,
        d.corner_force + n, enzyme_dup, s.corner_force + 2 * n,
        d.corner_force + 2 * n, DUP(xd), DUP(yd), DUP(zd), DUP(x), DUP(y),
        DUP(z));
}

__global__ void __launch_bounds__(element_threads)
    shape_gradient_kernel(MeshView m, double dt, State s, State d) {
  const int i = thread_index();
  if (i < m.n_elem)
    REQUEST(step_shape), enzyme_const, m.stride, enzyme_const, dt, enzyme_const,
        m.nodes, enzyme_const, m.volume, DUP(x), DUP(y), DUP(z), DUP(xd),
        DUP(yd), DUP(zd), DUP(v), DUP(vnew), DUP(delv), DUP(vdov), DUP(length),
        DUP(delx_xi), DUP(delx_eta), DUP(delx_zeta), DUP(delv_xi),
        DUP(delv_eta), DUP(delv_zeta));
}

__global__ void __launch_bounds__(threads)
    viscosity_gradient_kernel(MeshView m, State s, State d) {
  const int i = thread_index();
  if (i < m.n_elem)
    REQUEST(step_viscosity), enzyme_const, m.n_elem, enzyme_const, m.neighbour,
        enzyme_const, m.boundary, enzyme_const, m.volume, enzyme_const,
        m.element_mass, DUP(vnew), DUP(vdov), DUP(delx_xi), DUP(delx_eta),
        DUP(delx_zeta), DUP(delv_xi), DUP(delv_eta), DUP(delv_zeta), DUP(ql),
        DUP(qq));
}

__global__ void __launch_bounds__(threads)
    material_gradient_kernel(int n_elem, State s, State d) {
  const int i = thread_index();
  if (i < n_elem)
    REQUEST(step_material), DUP(delv), DUP(vnew), DUP(ql), DUP(qq), DUP(e),
        DUP(p), DUP(q), DUP(ss), DUP(v));
}

/// The kernel of the study of 2021: what else it reads is constant.
__global__ void __launch_bounds__(threads)
    energy_gradient_kernel(int n_elem, State s, State d) {
  const int i = thread_index();
  if (i < n_elem)
    REQUEST(step_material), enzyme_const, s.delv, enzyme_const, s.vnew,
        enzyme_const, s.ql, enzyme_const, s.qq, DUP(e), DUP(p), DUP(q), DUP(ss),
        enzyme_const, s.v);
}

#undef DUP
#undef REQUEST

/// Turns the adjoint of a cycle's end into that of its start, `kept`. The
/// adjoints of what the cycle computes in between are zero before and after.
inline void reverse_cycle(Simulation &run, const OnDevice<double> &kept,
                          double dt, const State &d) {
  const int n_elem = run.mesh.n_elem, n_node = run.mesh.n_node;
  const MeshView m = run.view();
  const State &s = run.at();
  run.state.restore_elements(kept);
  run.state.restore_nodes(kept);
  run.before_material(dt);
  material_gradient_kernel<<<run.blocks(n_elem, threads), threads>>>(n_elem, s,
                                                                     d);
  run.state.restore_elements(kept);
  viscosity_gradient_kernel<<<run.blocks(n_elem, threads), threads>>>(m, s, d);
  shape_gradient_kernel<<<run.blocks(n_elem, element_threads),
                          element_threads>>>(m, dt, s, d);
  run.state.restore_nodes(kept);
  node_gradient_kernel<<<run.blocks(n_node, threads), threads>>>(m, dt, s, d);
  run.state.restore_nodes(kept);
  force_gradient_kernel<<<run.blocks(n_elem, element_threads),
                          element_threads>>>(m, s, d);
}

} // namespace RETRO_MODEL

/// Steps must be recorded ones: their sizes are constant.
extern "C" void RETRO_SYMBOL(lulesh_gradient)(const Mesh *mesh, State *state,
                                              State *shadow) {
  using namespace RETRO_MODEL;
  if (!mesh->schedule)
    std::abort();
  struct Cycle {
    double dt;
    std::unique_ptr<OnDevice<double>> start;
  };
  std::vector<Cycle> cycles;
  Simulation run(*mesh, *state);
  while (run.goes_on(*state)) {
    time_increment(mesh, state);
    cycles.push_back({state->dt, std::make_unique<OnDevice<double>>(
                                     run.state.layout.size())});
    run.state.keep(*cycles.back().start);
    run.before_material(state->dt);
    run.material();
    run.limits(*state);
  }
  run.state.get(*state);
  DeviceState adjoint(*mesh);
  adjoint.put(*shadow);
  for (; !cycles.empty(); cycles.pop_back())
    reverse_cycle(run, *cycles.back().start, cycles.back().dt,
                  adjoint.pointers());
  retro::suite::finish_kernels();
  adjoint.get(*shadow);
}

/// Differentiates the equation of state in every cycle, as the study did. The
/// shadow's energies, pressures, viscosities and speeds of sound are the
/// adjoint of what each cycle makes of them, and in the end what the last
/// cycle's kernel makes of the adjoint.
extern "C" void RETRO_SYMBOL(lulesh_energy_gradient)(const Mesh *mesh,
                                                     State *state,
                                                     State *shadow) {
  using namespace RETRO_MODEL;
  Simulation run(*mesh, *state);
  DeviceState adjoint(*mesh);
  while (run.goes_on(*state)) {
    time_increment(mesh, state);
    run.before_material(state->dt);
    adjoint.put(*shadow);
    energy_gradient_kernel<<<run.blocks(mesh->n_elem, threads), threads>>>(
        mesh->n_elem, run.at(), adjoint.pointers());
    run.limits(*state);
  }
  run.state.get(*state);
  adjoint.get(*shadow);
}

#endif // SUITES_LULESH_GRADIENT_KERNELS_H
