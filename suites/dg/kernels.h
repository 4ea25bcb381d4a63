//===- kernels.h - DG: one element is one block -----------------*- C++ -*-===//
//
// Thread (i, j) walks along the third direction. Fluxes along the first two of
// one plane are shared; what the third adds to every plane, and all sums, stay
// in the thread's registers.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_DG_KERNELS_H
#define SUITES_DG_KERNELS_H

#include "../common/gpu.h"
#include "model.h"

namespace suites::dg {
inline namespace RETRO_MODEL {

using retro::suite::OnDevice;

/// What one thread of a block of 5 x 5 does for the block's element.
template <class Real>
__device__ void add_element_by_block(const Real *RETRO_RESTRICT q,
                                     const Real *RETRO_RESTRICT geometry,
                                     const Real *RETRO_RESTRICT matrix,
                                     Real gravity, Real *RETRO_RESTRICT rhs) {
  __shared__ Real d[matrix_size];
  __shared__ Real plane[2][states][nq * nq];
  const int i = static_cast<int>(threadIdx.x);
  const int j = static_cast<int>(threadIdx.y);
  d[i + nq * j] = matrix[i + nq * j];

  Real sum[states][nq] = {};
#pragma unroll
  for (int k = 0; k < nq; ++k) {
    const int node = i + nq * (j + nq * k);
    __syncthreads();
    Real flux[3][states];
    node_fluxes(q, geometry, gravity, node, flux);
#pragma unroll
    for (int s = 0; s < states; ++s) {
      plane[0][s][i + nq * j] = flux[0][s];
      plane[1][s][i + nq * j] = flux[1][s];
#pragma unroll
      for (int n = 0; n < nq; ++n)
        sum[s][n] += d[k + nq * n] * flux[2][s];
    }
    sum[mom_z][k] -=
        geometry[node + nodes * jacobian] * q[node + nodes * rho] * gravity;
    __syncthreads();
#pragma unroll
    for (int s = 0; s < states; ++s)
#pragma unroll
      for (int n = 0; n < nq; ++n)
        sum[s][k] += d[n + nq * i] * plane[0][s][n + nq * j] +
                     d[n + nq * j] * plane[1][s][i + nq * n];
  }
#pragma unroll
  for (int k = 0; k < nq; ++k) {
    const int node = i + nq * (j + nq * k);
    const Real inverse = geometry[node + nodes * inverse_jacobian];
#pragma unroll
    for (int s = 0; s < states; ++s)
      rhs[node + nodes * s] += inverse * sum[s][k];
  }
}

/// Blocks of 5 x 5 threads, as many as elements.
template <class Real>
__global__ void __launch_bounds__(nq *nq)
    volume_kernel(const Real *RETRO_RESTRICT q,
                  const Real *RETRO_RESTRICT geometry,
                  const Real *RETRO_RESTRICT matrix, Real gravity,
                  Real *RETRO_RESTRICT rhs) {
  const std::int64_t element = blockIdx.x;
  add_element_by_block(q + element * state_size,
                       geometry + element * geometry_size, matrix, gravity,
                       rhs + element * state_size);
}

template <class Real>
void volume_term_on_device(std::int64_t elements, const Arrays<Real> &of,
                           Real gravity) {
  const std::size_t size = elements * state_size;
  const OnDevice<Real> q(of.q, size);
  const OnDevice<Real> geometry(of.geometry, elements * geometry_size);
  const OnDevice<Real> matrix(of.matrix, matrix_size);
  const OnDevice<Real> rhs(of.rhs, size);
  volume_kernel<<<static_cast<unsigned>(elements), dim3(nq, nq)>>>(
      q.data(), geometry.data(), matrix.data(), gravity, rhs.data());
  retro::suite::finish_kernels();
  rhs.get(of.rhs);
}

} // namespace RETRO_MODEL
} // namespace suites::dg

using namespace suites::dg;

extern "C" void RETRO_SYMBOL(dg)(std::int64_t elements,
                                 const Arrays<double> &of, double gravity) {
  volume_term_on_device(elements, of, gravity);
}

extern "C" void RETRO_SYMBOL(dg_float)(std::int64_t elements,
                                       const Arrays<float> &of, float gravity) {
  volume_term_on_device(elements, of, gravity);
}

#endif // SUITES_DG_KERNELS_H
