//===- kernels.h - LBM: one sweep is one launch -----------------*- C++ -*-===//
//
// A block is a row of cells, a thread a cell: neighbouring threads touch
// neighbouring words. Every entry has one writer.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_LBM_KERNELS_H
#define SUITES_LBM_KERNELS_H

#include "../common/gpu.h"
#include "model.h"

namespace suites::lbm {
inline namespace RETRO_MODEL {

using retro::suite::OnDevice;

constexpr int longest_row = 256;

/// Block (y, z); as many threads as a row has cells, or more.
template <class Real>
__global__ void __launch_bounds__(longest_row)
    sweep_kernel(Box box, const std::uint8_t *flags, const Real *parameters,
                 const Real *RETRO_RESTRICT source,
                 Real *RETRO_RESTRICT destination) {
  const int x = static_cast<int>(threadIdx.x);
  if (x < box.nx)
    sweep_cell(box, flags, parameters, source, destination,
               x + static_cast<int>(blockIdx.x) * box.pitch +
                   static_cast<int>(blockIdx.y) * box.plane);
}

inline unsigned threads_of_row(const Box &box) {
  if (box.nx > longest_row)
    std::abort();
  return static_cast<unsigned>((box.nx + 31) / 32 * 32);
}

/// Grids as the serial primal has them.
template <class Real>
void simulate_on_device(const Box &box, const std::uint8_t *flags,
                        const Real *parameters, int steps, Real *a, Real *b) {
  const OnDevice<std::uint8_t> device_flags(flags, box.volume);
  const OnDevice<Real> device_parameters(parameters, n_parameters);
  OnDevice<Real> grids[2] = {{a - box.margin(), std::size_t(box.allocation())},
                             {b - box.margin(), std::size_t(box.allocation())}};
  const dim3 blocks(box.ny, box.nz);
  const unsigned threads = threads_of_row(box);
  for (int step = 0; step < steps; ++step)
    sweep_kernel<<<blocks, threads>>>(
        box, device_flags.data(), device_parameters.data(),
        grids[step % 2].data() + box.margin(),
        grids[1 - step % 2].data() + box.margin());
  retro::suite::finish_kernels();
  grids[0].get(a - box.margin());
  grids[1].get(b - box.margin());
}

} // namespace RETRO_MODEL
} // namespace suites::lbm

using namespace suites::lbm;

extern "C" void RETRO_SYMBOL(lbm)(const Box &box, const std::uint8_t *flags,
                                  const double *parameters, int steps,
                                  double *a, double *b) {
  simulate_on_device(box, flags, parameters, steps, a, b);
}

extern "C" void RETRO_SYMBOL(lbm_float)(const Box &box,
                                        const std::uint8_t *flags,
                                        const float *parameters, int steps,
                                        float *a, float *b) {
  simulate_on_device(box, flags, parameters, steps, a, b);
}

#endif // SUITES_LBM_KERNELS_H
