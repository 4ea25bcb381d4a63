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
__global__ void __launch_bounds__(nq *nq)
    volume_gradient_kernel(Arrays<Real> of, Arrays<Real> shadows,
                           Real gravity) {
  const std::int64_t state = std::int64_t(blockIdx.x) * state_size,
                     geometry = std::int64_t(blockIdx.x) * geometry_size;
  __enzyme_autodiff<void>(
      reinterpret_cast<void *>(add_element_by_block<Real>), enzyme_dup,
      of.q + state, shadows.q + state, enzyme_dup, of.geometry + geometry,
      shadows.geometry + geometry, enzyme_dup, of.matrix, shadows.matrix,
      enzyme_const, gravity, enzyme_dup, of.rhs + state, shadows.rhs + state);
}

/// Arrays in the device's memory.
template <class Real> struct DeviceArrays {
  DeviceArrays(std::int64_t elements, const Arrays<Real> &host)
      : q(host.q, elements * state_size),
        geometry(host.geometry, elements * geometry_size),
        matrix(host.matrix, matrix_size), rhs(host.rhs, elements * state_size) {
  }
  Arrays<Real> pointers() const {
    return {q.data(), geometry.data(), matrix.data(), rhs.data()};
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
      device.pointers(), adjoints.pointers(), gravity);
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
