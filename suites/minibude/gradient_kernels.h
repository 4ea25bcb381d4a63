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

namespace RETRO_MODEL {

template <class Real, int N>
__global__ void __launch_bounds__(block_threads)
    protein_gradient_kernel(Case<Real> c, Atom<Real> *shadow, Real *energies,
                            Real *seed) {
  const int first = first_pose<N>();
  if (first < c.n_poses)
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(dock_group<Real, N, block_threads>),
        enzyme_const, c.n_ligand, enzyme_const, c.n_protein, enzyme_const,
        c.n_poses, enzyme_const, first, enzyme_const, c.ligand, enzyme_const,
        c.parameters, enzyme_dup, c.protein, shadow, enzyme_const, c.poses,
        enzyme_dup, energies, seed);
}

template <class Real, int N>
__global__ void __launch_bounds__(block_threads)
    pose_gradient_kernel(Case<Real> c, Real *shadow, Real *energies,
                         Real *seed) {
  const int first = first_pose<N>();
  if (first < c.n_poses)
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(dock_group<Real, N, block_threads>),
        enzyme_const, c.n_ligand, enzyme_const, c.n_protein, enzyme_const,
        c.n_poses, enzyme_const, first, enzyme_const, c.ligand, enzyme_const,
        c.parameters, enzyme_const, c.protein, enzyme_dup, c.poses, shadow,
        enzyme_dup, energies, seed);
}

/// launch<N>(case, shadow, energies, seed) with the device's pointers.
template <class Real, class Entry, class Launch>
static void differentiate(const Case<Real> &c, Entry *shadow,
                          std::size_t entries, Real *energies, Real *seed,
                          Launch launch) {
  const DeviceCase<Real> device(c);
  const OnDevice<Entry> adjoint(shadow, entries);
  const OnDevice<Real> found(c.n_poses), seeds(seed, c.n_poses);
  with_device_group(c.group, [&]<int N>() {
    launch.template operator()<N>(device, adjoint.data(), found.data(),
                                  seeds.data());
  });
  retro::suite::finish_kernels();
  adjoint.get(shadow);
  found.get(energies);
  seeds.get(seed);
}

template <class Real>
static void protein_gradient(const Case<Real> &c, Atom<Real> *shadow,
                             Real *energies, Real *seed) {
  differentiate(c, shadow, c.n_protein, energies, seed,
                []<int N>(const DeviceCase<Real> &device, Atom<Real> *adjoint,
                          Real *found, Real *seeds) {
                  protein_gradient_kernel<Real, N>
                      <<<device.blocks(), block_threads>>>(device.view, adjoint,
                                                           found, seeds);
                });
}

template <class Real>
static void pose_gradient(const Case<Real> &c, Real *shadow, Real *energies,
                          Real *seed) {
  differentiate(c, shadow, std::size_t(degrees_of_freedom) * c.n_poses,
                energies, seed,
                []<int N>(const DeviceCase<Real> &device, Real *adjoint,
                          Real *found, Real *seeds) {
                  pose_gradient_kernel<Real, N>
                      <<<device.blocks(), block_threads>>>(device.view, adjoint,
                                                           found, seeds);
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
