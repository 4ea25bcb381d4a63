//===- device.h - LULESH: mesh and state in a device's memory ---*- C++ -*-===//
#ifndef SUITES_LULESH_DEVICE_H
#define SUITES_LULESH_DEVICE_H

#include "../common/gpu.h"
#include "fields.h"
#include "types.h"

#include <vector>

#define LULESH_DEVICE [[gnu::always_inline]] static inline __device__

namespace RETRO_MODEL {

using namespace suites::lulesh;
using retro::suite::check;
using retro::suite::OnDevice;

/// What kernels read of a mesh. Corners are the slowest index, so that
/// neighbouring threads read neighbouring words: corner a of element i is entry
/// a * stride + i.
struct MeshView {
  int n_elem, n_node, stride;
  const int *nodes, *corner_start, *corner_list, *neighbour, *boundary;
  const int *held; ///< [n_node] bits: acceleration in x, y, z is 0
  const double *volume, *element_mass, *nodal_mass;
};

class DeviceMesh {
public:
  explicit DeviceMesh(const Mesh &m)
      : n_elem(m.n_elem), n_node(m.n_node), stride((m.n_elem + 31) / 32 * 32),
        nodes(corners_of(m).data(), std::size_t(stride) * corners),
        corner_start(m.corner_start, m.n_node + 1),
        corner_list(list_of(m).data(), m.n_elem * corners),
        neighbour(m.neighbour, m.n_elem * 6), boundary(m.boundary, m.n_elem),
        held(held_of(m).data(), m.n_node), volume(m.volume, m.n_elem),
        element_mass(m.element_mass, m.n_elem),
        nodal_mass(m.nodal_mass, m.n_node) {}

  MeshView view() const {
    return {n_elem,
            n_node,
            stride,
            nodes.data(),
            corner_start.data(),
            corner_list.data(),
            neighbour.data(),
            boundary.data(),
            held.data(),
            volume.data(),
            element_mass.data(),
            nodal_mass.data()};
  }

private:
  std::vector<int> corners_of(const Mesh &m) const {
    std::vector<int> all(std::size_t(stride) * corners);
    for (int i = 0; i < n_elem; ++i)
      for (int a = 0; a < corners; ++a)
        all[a * stride + i] = m.nodes[i * corners + a];
    return all;
  }
  std::vector<int> list_of(const Mesh &m) const {
    std::vector<int> all(m.corner_list, m.corner_list + n_elem * corners);
    for (int &corner : all)
      corner = corner % corners * stride + corner / corners;
    return all;
  }
  static std::vector<int> held_of(const Mesh &m) {
    std::vector<int> all(m.n_node);
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < m.n_symmetry[d]; ++k)
        all[m.symmetry[d][k]] |= 1 << d;
    return all;
  }

  int n_elem, n_node, stride;
  OnDevice<int> nodes, corner_start, corner_list, neighbour, boundary, held;
  OnDevice<double> volume, element_mass, nodal_mass;
};

/// The arrays of a state, zero at first. Those that a cycle hands on stand in
/// front, in the order of Layout.
class DeviceState {
public:
  explicit DeviceState(const Mesh &m)
      : layout{m.n_elem, m.n_node}, stride((m.n_elem + 31) / 32 * 32),
        values(layout.size() + std::size_t(scratch_arrays) * m.n_elem +
               std::size_t(3) * corners * stride) {
    check(RETRO_GPU(Memset)(values.data(), 0,
                            sizeof(double) *
                                (layout.size() + scratch_arrays * m.n_elem +
                                 std::size_t(3) * corners * stride)));
    for (int f = 0; f < n_fields; ++f)
      state.*fields[f] = values.data() + layout.offset(f);
    double *next = values.data() + layout.size();
    for (double *State::*field :
         {&State::vnew, &State::delv, &State::vdov, &State::length,
          &State::delx_xi, &State::delx_eta, &State::delx_zeta, &State::delv_xi,
          &State::delv_eta, &State::delv_zeta, &State::ql, &State::qq}) {
      state.*field = next;
      next += m.n_elem;
    }
    state.corner_force = next;
  }

  const State &pointers() const { return state; }
  void put(const State &host) {
    const std::vector<double> all = layout.flatten(host);
    copy(values.data(), all.data(), all.size(), RETRO_GPU(MemcpyHostToDevice));
  }
  void get(State &host) const {
    std::vector<double> all(layout.size());
    copy(all.data(), values.data(), all.size(), RETRO_GPU(MemcpyDeviceToHost));
    layout.unflatten(all, host);
  }
  /// What a cycle hands on, within the device; of elements or nodes alone.
  void keep(OnDevice<double> &to) const {
    copy(to.data(), values.data(), layout.size(),
         RETRO_GPU(MemcpyDeviceToDevice));
  }
  void restore_elements(const OnDevice<double> &from) {
    copy(values.data(), from.data(), layout.offset(first_nodal),
         RETRO_GPU(MemcpyDeviceToDevice));
  }
  void restore_nodes(const OnDevice<double> &from) {
    const int offset = layout.offset(first_nodal);
    copy(values.data() + offset, from.data() + offset, layout.size() - offset,
         RETRO_GPU(MemcpyDeviceToDevice));
  }

  const Layout layout;

private:
  static constexpr int scratch_arrays = 12, first_nodal = 5;

  template <class Kind>
  static void copy(double *to, const double *from, std::size_t n, Kind kind) {
    check(RETRO_GPU(Memcpy)(to, from, n * sizeof(double), kind));
  }

  int stride;
  OnDevice<double> values;
  State state{};
};

} // namespace RETRO_MODEL

#endif // SUITES_LULESH_DEVICE_H
