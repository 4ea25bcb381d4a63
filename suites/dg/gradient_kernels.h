//===- gradient_kernels.h - DG: the gradient on a device --------*- C++ -*-===//
//
// One launch of the primal's blocks: an element is a block, and all threads of
// the block make its request together.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_DG_GRADIENT_KERNELS_H
#define SUITES_DG_GRADIENT_KERNELS_H

#include "kernels.h"

namespace suites::dg {
inline namespace RETRO_MODEL {

template <class Real>
__global__ void __launch_bounds__(nq *nq) volume_gradient_kernel(
    const Real *RETRO_RESTRICT q, Real *RETRO_RESTRICT q_shadow,
    const Real *RETRO_RESTRICT geometry, Real *RETRO_RESTRICT geometry_shadow,
    const Real *RETRO_RESTRICT matrix, Real *RETRO_RESTRICT matrix_shadow,
    Real gravity, Real *RETRO_RESTRICT rhs, Real *RETRO_RESTRICT rhs_shadow) {
  // All threads of a block are such: that a node is one of its element's keeps
  // the elements apart.
  if (threadIdx.x >= nq || threadIdx.y >= nq)
    return;
  const std::int64_t state = std::int64_t(blockIdx.x) * state_size,
                     at = std::int64_t(blockIdx.x) * geometry_size;
  __enzyme_autodiff<void>(reinterpret_cast<void *>(add_element_by_block<Real>),
                          enzyme_dup, q + state, q_shadow + state, enzyme_dup,
                          geometry + at, geometry_shadow + at, enzyme_dup,
                          matrix, matrix_shadow, enzyme_const, gravity,
                          enzyme_dup, rhs + state, rhs_shadow + state);
}

/// Arrays in the device's memory.
template <class Real> struct DeviceArrays {
  DeviceArrays(std::int64_t elements, const Arrays<Real> &host)
      : q(host.q, elements * state_size),
        geometry(host.geometry, elements * geometry_size),
        matrix(host.matrix, matrix_size), rhs(host.rhs, elements * state_size) {
  }
  void get(const Arrays<Real> &host) const {
    q.get(host.q);
    geometry.get(host.geometry);
    matrix.get(host.matrix);
    rhs.get(host.rhs);
  }

  OnDevice<Real> q, geometry, matrix, rhs;
};

template <class Real>
void gradient_on_device(std::int64_t elements, const Arrays<Real> &of,
                        const Arrays<Real> &shadows, Real gravity) {
  const DeviceArrays<Real> device(elements, of), adjoints(elements, shadows);
  volume_gradient_kernel<<<static_cast<unsigned>(elements), dim3(nq, nq)>>>(
      device.q.data(), adjoints.q.data(), device.geometry.data(),
      adjoints.geometry.data(), device.matrix.data(), adjoints.matrix.data(),
      gravity, device.rhs.data(), adjoints.rhs.data());
  retro::suite::finish_kernels();
  device.rhs.get(of.rhs);
  adjoints.get(shadows);
}

} // namespace RETRO_MODEL
} // namespace suites::dg

extern "C" void RETRO_SYMBOL(dg_gradient)(std::int64_t elements,
                                          const Arrays<double> &of,
                                          const Arrays<double> &shadows,
                                          double gravity) {
  gradient_on_device(elements, of, shadows, gravity);
}

extern "C" void RETRO_SYMBOL(dg_gradient_float)(std::int64_t elements,
                                                const Arrays<float> &of,
                                                const Arrays<float> &shadows,
                                                float gravity) {
  gradient_on_device(elements, of, shadows, gravity);
}

#endif // SUITES_DG_GRADIENT_KERNELS_H
