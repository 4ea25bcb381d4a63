//===- gradient_kernels.h - miniBUDE: gradients on a device -----*- C++ -*-===//
//
// One thread of the primal is one request. By the protein's positions all
// threads add to the same shadow, atomically; by the poses each thread has
// entries of its own.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_MINIBUDE_GRADIENT_KERNELS_H
#define SUITES_MINIBUDE_GRADIENT_KERNELS_H

#include "kernels.h"

#include <algorithm>

namespace RETRO_MODEL {

using retro::suite::TapePool;

template <class Real, int N>
__global__ void __launch_bounds__(block_threads)
    protein_gradient_kernel(Case<Real> c, int of_block_0, TapePool pool,
                            Atom<Real> *shadow, Real *energies, Real *seed) {
  const int first = first_pose<N>(of_block_0);
  if (first < c.n_poses)
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(dock_group<Real, N, block_threads>),
        enzyme_pool, pool.memory, pool.bytes, enzyme_const, c.n_ligand,
        enzyme_const, c.n_protein, enzyme_const, c.n_poses, enzyme_const, first,
        enzyme_const, c.ligand, enzyme_const, c.parameters, enzyme_dup,
        c.protein, shadow, enzyme_const, c.poses, enzyme_dup, energies, seed);
}

template <class Real, int N>
__global__ void __launch_bounds__(block_threads)
    pose_gradient_kernel(Case<Real> c, int of_block_0, TapePool pool,
                         Real *shadow, Real *energies, Real *seed) {
  const int first = first_pose<N>(of_block_0);
  if (first < c.n_poses)
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(dock_group<Real, N, block_threads>),
        enzyme_pool, pool.memory, pool.bytes, enzyme_const, c.n_ligand,
        enzyme_const, c.n_protein, enzyme_const, c.n_poses, enzyme_const, first,
        enzyme_const, c.ligand, enzyme_const, c.parameters, enzyme_const,
        c.protein, enzyme_dup, c.poses, shadow, enzyme_dup, energies, seed);
}

/// How long the tape of a thread is. All threads take the same steps: one asks.
template <class Real, int N>
__global__ void tape_kernel(Case<Real> c, bool by_protein,
                            unsigned long long *bytes) {
  void *const dock =
      reinterpret_cast<void *>(dock_group<Real, N, block_threads>);
  *bytes =
      by_protein
          ? __enzyme_poolsize<unsigned long long>(
                dock, enzyme_const, c.n_ligand, enzyme_const, c.n_protein,
                enzyme_const, c.n_poses, enzyme_const, 0, enzyme_const,
                c.ligand, enzyme_const, c.parameters, enzyme_dup, c.protein,
                c.protein, enzyme_const, c.poses, enzyme_dup, nullptr, nullptr)
          : __enzyme_poolsize<unsigned long long>(
                dock, enzyme_const, c.n_ligand, enzyme_const, c.n_protein,
                enzyme_const, c.n_poses, enzyme_const, 0, enzyme_const,
                c.ligand, enzyme_const, c.parameters, enzyme_const, c.protein,
                enzyme_dup, c.poses, c.poses, enzyme_dup, nullptr, nullptr);
}

/// launch<N>(blocks, case, first pose, pool, shadow, energies, seed) with the
/// device's pointers.
template <class Real, class Entry, class Launch>
static void differentiate(const Case<Real> &c, bool by_protein, Entry *shadow,
                          std::size_t entries, Real *energies, Real *seed,
                          Launch launch) {
  const DeviceCase<Real> device(c);
  const OnDevice<Entry> adjoint(shadow, entries);
  const OnDevice<Real> found(c.n_poses), seeds(seed, c.n_poses);
  with_device_group(c.group, [&]<int N>() {
    unsigned long long bytes = 0;
    const OnDevice<unsigned long long> size(&bytes, 1);
    tape_kernel<Real, N><<<1, 1>>>(device.view, by_protein, size.data());
    size.get(&bytes);
    const unsigned at_once = static_cast<unsigned>(
        retro::suite::blocks_at_once(bytes, device.blocks(), block_threads));
    const OnDevice<char> memory(bytes * at_once * block_threads + 1);
    for (unsigned block = 0; block < device.blocks(); block += at_once)
      launch.template operator()<N>(std::min(at_once, device.blocks() - block),
                                    device.view,
                                    static_cast<int>(block) * block_threads * N,
                                    TapePool{memory.data(), bytes},
                                    adjoint.data(), found.data(), seeds.data());
  });
  retro::suite::finish_kernels();
  adjoint.get(shadow);
  found.get(energies);
  seeds.get(seed);
}

template <class Real>
static void protein_gradient(const Case<Real> &c, Atom<Real> *shadow,
                             Real *energies, Real *seed) {
  differentiate(c, true, shadow, c.n_protein, energies, seed,
                []<int N>(unsigned blocks, const Case<Real> &view, int first,
                          TapePool pool, Atom<Real> *adjoint, Real *found,
                          Real *seeds) {
                  protein_gradient_kernel<Real, N><<<blocks, block_threads>>>(
                      view, first, pool, adjoint, found, seeds);
                });
}

template <class Real>
static void pose_gradient(const Case<Real> &c, Real *shadow, Real *energies,
                          Real *seed) {
  differentiate(c, false, shadow, std::size_t(degrees_of_freedom) * c.n_poses,
                energies, seed,
                []<int N>(unsigned blocks, const Case<Real> &view, int first,
                          TapePool pool, Real *adjoint, Real *found,
                          Real *seeds) {
                  pose_gradient_kernel<Real, N><<<blocks, block_threads>>>(
                      view, first, pool, adjoint, found, seeds);
                });
}

} // namespace RETRO_MODEL

extern "C" void RETRO_SYMBOL(protein_float)(const Case<float> &c,
                                            Atom<float> *shadow,
                                            float *energies, float *seed) {
  RETRO_MODEL::protein_gradient(c, shadow, energies, seed);
}

extern "C" void RETRO_SYMBOL(protein_double)(const Case<double> &c,
                                             Atom<double> *shadow,
                                             double *energies, double *seed) {
  RETRO_MODEL::protein_gradient(c, shadow, energies, seed);
}

extern "C" void RETRO_SYMBOL(pose_float)(const Case<float> &c, float *shadow,
                                         float *energies, float *seed) {
  RETRO_MODEL::pose_gradient(c, shadow, energies, seed);
}

extern "C" void RETRO_SYMBOL(pose_double)(const Case<double> &c, double *shadow,
                                          double *energies, double *seed) {
  RETRO_MODEL::pose_gradient(c, shadow, energies, seed);
}

#endif // SUITES_MINIBUDE_GRADIENT_KERNELS_H
