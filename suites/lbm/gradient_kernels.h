//===- gradient_kernels.h - LBM: gradient of the sweeps, on device -*- C++
//-*-===//
//
// The grid before every sweep is kept; then one reverse sweep is one launch,
// and one cell one request. No two cells push to the same entry, so no two
// threads touch the same adjoint.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LBM_GRADIENT_KERNELS_H
#define SUITES_LBM_GRADIENT_KERNELS_H

#include "kernels.h"

namespace suites::lbm {
inline namespace RETRO_MODEL {

template <class Real>
__global__ void __launch_bounds__(longest_row)
    reverse_kernel(Box box, const std::uint8_t *flags, const Real *parameters,
                   const Real *source, Real *source_shadow, Real *destination,
                   Real *destination_shadow) {
  const int x = static_cast<int>(threadIdx.x);
  const std::int64_t at = x + static_cast<int>(blockIdx.x) * box.pitch +
                          static_cast<int>(blockIdx.y) * box.plane;
  // That a cell is one of the volume keeps its populations apart.
  if (x < box.nx && at >= 0 && at < box.volume)
    __enzyme_autodiff<void>(reinterpret_cast<void *>(sweep_cell<Real>),
                            enzyme_const, &box, enzyme_const, flags,
                            enzyme_const, parameters, enzyme_dup, source,
                            source_shadow, enzyme_dup, destination,
                            destination_shadow, enzyme_const, at);
}

template <class Real>
void gradient_on_device(const Box &box, const std::uint8_t *flags,
                        const Real *parameters, int steps, Real *a,
                        Real *a_shadow, Real *b, Real *b_shadow) {
  const std::int64_t size = box.allocation(), margin = box.margin();
  const OnDevice<std::uint8_t> device_flags(flags, box.volume);
  const OnDevice<Real> device_parameters(parameters, n_parameters);
  const OnDevice<Real> shadows[2] = {{a_shadow - margin, std::size_t(size)},
                                     {b_shadow - margin, std::size_t(size)}};
  // Grid t is what sweep t reads: the first two are a and b, each later one
  // begins as a copy of the one two before it.
  const OnDevice<Real> grids(size * (steps + 2));
  const auto grid = [&](int t) { return grids.data() + t * size; };
  const auto copy = [&](Real *to, const Real *from, auto kind) {
    retro::suite::check(RETRO_GPU(Memcpy)(to, from, size * sizeof(Real), kind));
  };
  copy(grid(0), a - margin, RETRO_GPU(MemcpyHostToDevice));
  copy(grid(1), b - margin, RETRO_GPU(MemcpyHostToDevice));
  const dim3 blocks(box.ny, box.nz);
  const unsigned threads = threads_of_row(box);
  for (int t = 0; t < steps; ++t) {
    if (t > 0)
      copy(grid(t + 1), grid(t - 1), RETRO_GPU(MemcpyDeviceToDevice));
    sweep_kernel<<<blocks, threads>>>(box, device_flags.data(),
                                      device_parameters.data(),
                                      grid(t) + margin, grid(t + 1) + margin);
  }
  for (int t = steps; t-- > 0;)
    reverse_kernel<<<blocks, threads>>>(
        box, device_flags.data(), device_parameters.data(), grid(t) + margin,
        shadows[t % 2].data() + margin, grid(t + 1) + margin,
        shadows[1 - t % 2].data() + margin);
  retro::suite::finish_kernels();
  shadows[0].get(a_shadow - margin);
  shadows[1].get(b_shadow - margin);
}

} // namespace RETRO_MODEL
} // namespace suites::lbm

extern "C" void RETRO_SYMBOL(lbm_gradient)(const Box &box,
                                           const std::uint8_t *flags,
                                           const double *parameters, double *,
                                           int steps, double *a,
                                           double *a_shadow, double *b,
                                           double *b_shadow) {
  gradient_on_device(box, flags, parameters, steps, a, a_shadow, b, b_shadow);
}

#endif // SUITES_LBM_GRADIENT_KERNELS_H
