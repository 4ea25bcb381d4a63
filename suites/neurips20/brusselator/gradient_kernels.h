// The gradient of the reaction-diffusion system on a device: a cell is a
// request. What cells read of each other is added to atomically, and so are the
// adjoints of the three parameters, by all cells.
#pragma once

#include "kernels.h"

namespace RETRO_MODEL {

__global__ void __launch_bounds__(tile *tile)
    brusselator_gradient_kernel(int n, const double *u, double *ub,
                                const double *v, double *vb, const double *p,
                                double *pb, double t, double *du, double *dub,
                                double *dv, double *dvb) {
  if (row() < n && column() < n)
    __enzyme_autodiff<void>((void *)cell, enzyme_const, n, enzyme_dup, u, ub,
                            enzyme_dup, v, vb, enzyme_dup, p, pb, enzyme_const,
                            t, enzyme_const, row(), enzyme_const, column(),
                            enzyme_dup, du, dub, enzyme_dup, dv, dvb);
}

} // namespace RETRO_MODEL

extern "C" void RETRO_SYMBOL(brusselator_gradient_dup)(
    int n, const double *u, double *ub, const double *v, double *vb,
    const double *p, double *pb, double t, double *du, double *dub, double *dv,
    double *dvb) {
  using namespace RETRO_MODEL;
  const std::size_t cells = std::size_t(n) * n;
  const OnDevice<double> in_u(u, cells), in_v(v, cells), parameters(p, 3),
      out_u(cells), out_v(cells), adjoint_u(ub, cells), adjoint_v(vb, cells),
      adjoint_p(pb, 3), seed_u(dub, cells), seed_v(dvb, cells);
  brusselator_gradient_kernel<<<tiles(n), dim3(tile, tile)>>>(
      n, in_u.data(), adjoint_u.data(), in_v.data(), adjoint_v.data(),
      parameters.data(), adjoint_p.data(), t, out_u.data(), seed_u.data(),
      out_v.data(), seed_v.data());
  retro::suite::finish_kernels();
  out_u.get(du);
  out_v.get(dv);
  adjoint_u.get(ub);
  adjoint_v.get(vb);
  adjoint_p.get(pb);
  seed_u.get(dub);
  seed_v.get(dvb);
}
