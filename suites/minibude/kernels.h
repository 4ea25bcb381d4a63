//===- kernels.h - miniBUDE: a work item is a thread ------------*- C++ -*-===//
//
// A thread evaluates `group` poses that lie as far apart as the block has
// threads: neighbouring threads read neighbouring words.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_MINIBUDE_KERNELS_H
#define SUITES_MINIBUDE_KERNELS_H

#include "../common/gpu.h"
#include "model.h"

#include <cstdlib>

namespace RETRO_MODEL {

using retro::suite::OnDevice;

constexpr int block_threads = 16;

/// The first pose of a thread; the last block may have threads without poses.
template <int N> static __device__ int first_pose(int of_block_0 = 0) {
  const int here = static_cast<int>(blockIdx.x) * block_threads * N +
                   static_cast<int>(threadIdx.x);
  __builtin_assume(of_block_0 >= 0);
  return of_block_0 + here;
}

template <class Real, int N>
__global__ void __launch_bounds__(block_threads)
    dock_kernel(Case<Real> c, Real *energies) {
  const int first = first_pose<N>();
  if (first < c.n_poses)
    dock_group<Real, N, block_threads>(c.n_ligand, c.n_protein, c.n_poses,
                                       first, c.ligand, c.parameters, c.protein,
                                       c.poses, energies);
}

/// A case in the device's memory.
template <class Real> struct DeviceCase {
  explicit DeviceCase(const Case<Real> &host)
      : ligand(host.ligand, host.n_ligand),
        parameters(host.parameters, types_of(host)),
        protein(host.protein, host.n_protein),
        poses(host.poses, std::size_t(degrees_of_freedom) * host.n_poses),
        view(host) {
    if (host.n_poses % (block_threads * host.group) != 0)
      std::abort();
    view.ligand = ligand.data();
    view.parameters = parameters.data();
    view.protein = protein.data();
    view.poses = poses.data();
  }
  static std::size_t types_of(const Case<Real> &c) {
    int last = 0;
    for (int l = 0; l < c.n_ligand; ++l)
      last = c.ligand[l].type > last ? c.ligand[l].type : last;
    for (int b = 0; b < c.n_protein; ++b)
      last = c.protein[b].type > last ? c.protein[b].type : last;
    return std::size_t(last) + 1;
  }
  unsigned blocks() const {
    return static_cast<unsigned>(view.n_poses / view.group / block_threads);
  }

  OnDevice<Atom<Real>> ligand;
  OnDevice<Parameters<Real>> parameters;
  OnDevice<Atom<Real>> protein;
  OnDevice<Real> poses;
  Case<Real> view;
};

/// The groups that there are kernels of.
template <class F> static void with_device_group(int group, F f) {
  switch (group) {
  case 1:
    return f.template operator()<1>();
  case 4:
    return f.template operator()<4>();
  default:
    std::abort();
  }
}

template <class Real>
static void dock_on_device(const Case<Real> &c, Real *energies) {
  const DeviceCase<Real> device(c);
  const OnDevice<Real> found(c.n_poses);
  with_device_group(c.group, [&]<int N>() {
    dock_kernel<Real, N>
        <<<device.blocks(), block_threads>>>(device.view, found.data());
  });
  retro::suite::finish_kernels();
  found.get(energies);
}

} // namespace RETRO_MODEL

using namespace suites::minibude;

extern "C" void RETRO_SYMBOL(minibude_float)(const Case<float> &c,
                                             float *energies) {
  RETRO_MODEL::dock_on_device(c, energies);
}

extern "C" void RETRO_SYMBOL(minibude_double)(const Case<double> &c,
                                              double *energies) {
  RETRO_MODEL::dock_on_device(c, energies);
}

#endif // SUITES_MINIBUDE_KERNELS_H
