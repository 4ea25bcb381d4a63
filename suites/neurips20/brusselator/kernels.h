// The reaction-diffusion system on a device: a thread is a cell.
#pragma once

#include "common/gpu.h"
#include "model.h"

namespace RETRO_MODEL {

using retro::suite::OnDevice;

constexpr int tile = 8; ///< blocks of tile x tile cells

__device__ inline void cell(int n, const double *RETRO_RESTRICT u,
                            const double *RETRO_RESTRICT v,
                            const double *RETRO_RESTRICT p, double t, int i,
                            int j, double *RETRO_RESTRICT du,
                            double *RETRO_RESTRICT dv) {
  const double h = 1.0 / (n - 1);
  const Rates at =
      rates_of(n, u, v, p[0], p[1], p[2] / (h * h), forcing(h * i, h * j, t), i,
               j, clamped(i - 1, n), clamped(i + 1, n), clamped(j - 1, n),
               clamped(j + 1, n));
  du[n * i + j] = at.du;
  dv[n * i + j] = at.dv;
}

/// Row and column of the thread: neighbours in a row are neighbours in memory.
__device__ inline int row() {
  return static_cast<int>(blockIdx.y * tile + threadIdx.y);
}
__device__ inline int column() {
  return static_cast<int>(blockIdx.x * tile + threadIdx.x);
}

__global__ void __launch_bounds__(tile *tile)
    brusselator_kernel(int n, const double *u, const double *v, const double *p,
                       double t, double *du, double *dv) {
  if (row() < n && column() < n)
    cell(n, u, v, p, t, row(), column(), du, dv);
}

static dim3 tiles(int n) {
  const auto count = static_cast<unsigned>((n + tile - 1) / tile);
  return dim3(count, count);
}

} // namespace RETRO_MODEL

extern "C" void RETRO_SYMBOL(brusselator)(int n, const double *u,
                                          const double *v, const double *p,
                                          double t, double *du, double *dv) {
  using namespace RETRO_MODEL;
  const std::size_t cells = std::size_t(n) * n;
  const OnDevice<double> in_u(u, cells), in_v(v, cells), parameters(p, 3),
      out_u(cells), out_v(cells);
  brusselator_kernel<<<tiles(n), dim3(tile, tile)>>>(
      n, in_u.data(), in_v.data(), parameters.data(), t, out_u.data(),
      out_v.data());
  retro::suite::finish_kernels();
  out_u.get(du);
  out_v.get(dv);
}
